-- stake_note: notes what became of a stake: all of it was given, or nothing.
-- $1 bigint player: Player.ID   $2 uuid challenge   $3 int charity: Int32   $4 bool isGiven
-- returns nothing
update stake_share s
   set gave = case when $4 then s.points else 0 end
 where s.player_id = $1 and s.challenge = $2 and s.charity_id = $3 and s.gave is null
