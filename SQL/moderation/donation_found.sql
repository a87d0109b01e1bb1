-- donation_found: a donation of a player or of those who are one with it, the player's own first: whose row it is, and
-- whether it was reversed.
-- $1 bigint player: Player.ID   $2 uuid donation
-- returns owner: Player.ID, points: Int64, isAnonymous: Bool, unfunded: Int64, isReversed: Bool
select d.player_id as owner_id, d.points, d.anonymous, coalesce(m.unfunded, 0) as unfunded,
       coalesce(m.reversed, false) as reversed
  from donation d left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where d.player_id = any(members($1)) and d.id = $2
 order by d.player_id = $1 desc, d.player_id
 limit 1
