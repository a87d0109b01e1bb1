-- merge_find: a merge that holds: the player into whom it was, and the action that did it.
-- $1 bigint player: Player.ID, who was merged
-- returns into: Player.ID, survivor: Player.ID, action: UUID
select m.into_id, m.survivor_id, m.action from merge m where m.player_id = $1
