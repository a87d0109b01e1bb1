-- stakes_due: stakes of settled challenges that are to be donated, after a row of the list.
-- $1 uuid challenge, of that row   $2 bigint player: Player.ID, of that row   $3 int charity: Int32, of that row
-- $4 int = Limits.stakesGivenAtOnce, rows
-- returns WaitingStake
select s.challenge, s.player_id, s.charity_id, c.slug, s.points, s.donation
  from stake_share s join charity c on c.id = s.charity_id
 where s.gave is null and (s.player_id, s.challenge, s.charity_id) > ($2, $1, $3)
 order by s.player_id, s.challenge, s.charity_id
 limit $4::int
