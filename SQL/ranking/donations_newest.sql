-- donations_newest: the newest funded donations to one charity or to all, the newest first; those of hidden players are
-- left out. Of an anonymous donation nobody learns who gave it, nor when on its day in the charity's zone; it stands
-- where its day begins.
-- $1 text the charity's slug, or null for all   $2 int rows, 1...50
select case when not d.anonymous then d.player_id end, case when not d.anonymous then d.name end,
       case when not d.anonymous then d.avatar end,
       c.slug, c.name, d.points,
       case when d.anonymous then date_trunc('day', d.reached_at, b.zone) else d.reached_at end,
       case when d.anonymous then (d.reached_at at time zone b.zone)::date end
  from charity c join board b on b.id = c.board_id
 cross join lateral (
   select d.player_id, p.name, p.avatar, d.points - coalesce(m.unfunded, 0) as points, d.reached_at, d.id, d.anonymous
     from donation d
     join player p on p.id = d.player_id
     left join donation_state m on m.player_id = d.player_id and m.id = d.id
    where d.charity_id = c.id
      and not p.hidden
      and not coalesce(m.reversed, false)
      and d.points > coalesce(m.unfunded, 0)
    order by d.reached_at desc, d.id desc
    limit $2::int) d
 where $1::text is null or c.slug = $1
 order by case when d.anonymous then date_trunc('day', d.reached_at, b.zone) else d.reached_at end desc, d.id
 limit $2::int
