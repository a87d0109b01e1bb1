-- charity_largest: the largest funded donation to a charity, of equal ones the earliest; not that of a hidden player,
-- unless it is anonymous.
-- $1 text the charity's slug
select case when not d.anonymous then p.id end, case when not d.anonymous then p.name end,
       case when not d.anonymous then p.avatar end,
       c.slug, c.name, d.points, coalesce(d.day_began_at, d.reached_at), case when d.anonymous then d.day end
  from charity c
  join funded_donation d on d.charity_id = c.id
  left join merge o on o.player_id = d.player_id
  join player p on p.id = coalesce(o.survivor_id, d.player_id) and (d.anonymous or not p.hidden)
 where c.slug = $1
 order by d.points desc, coalesce(d.day_began_at, d.reached_at), d.row_id, case when not d.anonymous then d.id end
 limit 1
