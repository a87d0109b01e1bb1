-- scores_are_held: whether scores of a player are held, or voided without the player being told. Else the player stands
-- on each board where everybody sees.
-- $1 bigint player: Player.ID   $2 timestamptz now
-- returns Bool
select exists (select from wallet w where w.player_id = $1 and (w.holds > 0 or w.secret_until > $2))
