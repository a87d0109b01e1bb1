-- donations_newest: the newest funded donations to one charity or to all, the newest first; those of hidden players are
-- left out, unless they are anonymous. Of an anonymous donation nobody learns who donated it, nor when on its day in
-- the charity's zone: it stands where its day begins, and those of one day in the order of their random row ids. It
-- looks at the newest $3 named donations to each charity and at as many anonymous ones, so that hidden ones cost no
-- more. If all of these are hidden or unfunded, the list shows none of that charity until there are newer ones.
-- $1 text charity: Slug?, null for all   $2 int limitRows
-- $3 int = Limits.donationsLookedAt, donations of a charity looked at, twice
-- returns PublicDonation
select d.player_id, d.name, d.avatar, c.slug, c.name, d.points, d.shown_at, d.day,
       coalesce(d.row_id::text, d.owner_id || ' ' || d.id) as entry
  from charity c
 cross join lateral (
         (select g.player_id, g.name, g.avatar, g.points, r.reached_at as shown_at, null::date as day, r.id,
                 r.player_id as owner_id, null::bigint as row_id
            from (select x.player_id, x.id, x.reached_at, x.anonymous
                    from donation x
                   where x.charity_id = c.id
                   order by x.reached_at desc, x.id desc
                   limit $3::int) r
           -- `offset 0` forces a look-up by key for each row, however many there are.
           cross join lateral (
                   select p.id as player_id, p.name, p.avatar, f.points
                     from funded_donation f
                     left join merge o on o.player_id = f.player_id
                     join player p on p.id = coalesce(o.survivor_id, f.player_id)
                    where f.player_id = r.player_id and f.id = r.id and not p.hidden
                   offset 0) g
           where not r.anonymous
           order by r.reached_at desc, r.id desc
           limit $2::int)
          union all
         (select null, null, null, g.points, r.day_began_at, r.day, null, null, r.row_id
            from (select x.player_id, x.id, x.day_began_at, x.day, x.row_id
                    from donation x
                   where x.charity_id = c.id and x.anonymous
                   order by x.day_began_at desc, x.row_id desc
                   limit $3::int) r
           cross join lateral (
                   select f.points from funded_donation f where f.player_id = r.player_id and f.id = r.id offset 0) g
           order by r.day_began_at desc, r.row_id desc
           limit $2::int)
       ) d
 where $1::text is null or c.slug = $1
 order by d.shown_at desc, d.id, d.row_id desc
 limit $2::int
