-- donations_newest: the newest funded donations to one charity or to all, the newest first; those of hidden players are
-- left out, unless they are anonymous. Of an anonymous donation nobody learns who gave it, nor when on its day in the
-- charity's zone: it stands where its day begins, and those of one day in the order of their random row ids.
-- $1 text the charity's slug, or null for all   $2 int rows, 1...50
select d.player_id, d.name, d.avatar, c.slug, c.name, d.points, d.shown_at, d.day
  from charity c
 cross join lateral (
         (select p.id as player_id, p.name, p.avatar, d.points, d.reached_at as shown_at, null::date as day, d.id,
                 null::bigint as row_id
            from funded_donation d
            left join merge o on o.player_id = d.player_id
            join player p on p.id = coalesce(o.survivor_id, d.player_id)
           where d.charity_id = c.id and not d.anonymous and not p.hidden
           order by d.reached_at desc, d.id desc
           limit $2::int)
          union all
         (select null, null, null, d.points, d.day_began_at, d.day, null, d.row_id
            from funded_donation d
           where d.charity_id = c.id and d.anonymous
           order by d.day_began_at desc, d.row_id desc
           limit $2::int)
       ) d
 where $1::text is null or c.slug = $1
 order by d.shown_at desc, d.id, d.row_id desc
 limit $2::int
