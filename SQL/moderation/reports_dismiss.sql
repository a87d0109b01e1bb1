-- reports_dismiss: dismisses what was reported of a player so far. The wallet is locked.
-- $1 bigint player: Player.ID   $2 uuid action
-- returns nothing
update report set dismissed_by = $2 where player_id = $1 and dismissed_by is null
