-- donation_found: a donation of a player, and whether it was reversed.
-- $1 bigint player   $2 uuid donation
select d.points, d.anonymous, coalesce(m.unfunded, 0) as unfunded, coalesce(m.reversed, false) as reversed
  from donation d left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where d.player_id = $1 and d.id = $2
