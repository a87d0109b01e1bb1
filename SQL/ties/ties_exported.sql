-- ties_exported: the ties of a player and of those merged into it, after a row of the list.
-- $1 bigint player: Player.ID   $2 bigint afterPlayer: Player.ID   $3 bigint afterOther: Player.ID   $4 int limitRows
-- returns ExportedTie
select t.player_id, t.other_id, t.says, t.at
  from tie t
 where t.player_id = any(members($1)) and (t.player_id, t.other_id) > ($2, $3)
 order by t.player_id, t.other_id
 limit $4::int
