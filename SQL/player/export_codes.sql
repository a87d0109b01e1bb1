-- export_codes: the codes that a player has made and no device has used.
-- $1 bigint player
select c.kind, c.made_at, c.expires_at from code c where c.player_id = $1 order by c.made_at, c.kind
