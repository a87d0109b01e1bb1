-- donation_shown: a donation as the public sees it. No row if it is not funded, or if its named donor is hidden.
-- $1 bigint the player in the ledger   $2 uuid the donation
select case when not d.anonymous then p.id end, case when not d.anonymous then p.name end,
       case when not d.anonymous then p.avatar end,
       c.slug, c.name, d.points, coalesce(d.day_began_at, d.reached_at), case when d.anonymous then d.day end,
       coalesce(d.row_id::text, d.player_id || ' ' || d.id) as entry
  from funded_donation d
  join charity c on c.id = d.charity_id
  left join merge o on o.player_id = d.player_id
  join player p on p.id = coalesce(o.survivor_id, d.player_id) and (d.anonymous or not p.hidden)
 where d.player_id = $1 and d.id = $2
