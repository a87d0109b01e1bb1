-- export_codes: the unused codes of a player, oldest first.
-- $1 bigint player: Player.ID
-- returns UnusedCode(kind, madeAt, expiresAt, isOperators)
select c.kind, c.made_at, c.expires_at, c.log_entry is not null as is_operators
  from code c
 where c.player_id = $1
 order by c.made_at, c.kind
