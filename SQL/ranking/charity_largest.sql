-- charity_largest: the largest funded donation to a charity, the earliest among equals; a hidden player's only if it is
-- anonymous. It reads every donation to the charity. donation_shown returns what to show of it.
-- $1 text charity: Slug
-- returns LedgerRowID(owner, id)
select d.player_id, d.id
  from charity c
  join funded_donation d on d.charity_id = c.id
  left join merge o on o.player_id = d.player_id
  join player p on p.id = coalesce(o.survivor_id, d.player_id) and (d.anonymous or not p.hidden)
 where c.slug = $1
 order by d.points desc, coalesce(d.day_began_at, d.reached_at), d.row_id, case when not d.anonymous then d.id end
 limit 1
