-- charity_largest: the largest funded donation to a charity, of equal ones the earliest; not that of a hidden player.
-- $1 text the charity's slug
select case when not d.anonymous then d.player_id end, case when not d.anonymous then p.name end,
       case when not d.anonymous then p.avatar end,
       c.slug, c.name, d.points - coalesce(m.unfunded, 0) as points,
       case when d.anonymous then date_trunc('day', d.reached_at, b.zone) else d.reached_at end,
       case when d.anonymous then (d.reached_at at time zone b.zone)::date end
  from charity c join board b on b.id = c.board_id
  join donation d on d.charity_id = c.id
  join player p on p.id = d.player_id and not p.hidden
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where c.slug = $1 and not coalesce(m.reversed, false) and d.points > coalesce(m.unfunded, 0)
 order by points desc, d.reached_at, d.id
 limit 1
