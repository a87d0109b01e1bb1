-- code_make_player: stores a new join code of a player, requested by an operator or by its game. It replaces the
-- previous code. One that the game requested ends when the game's own id leaves the player. callers_lock has run in
-- this transaction. No row if there is no such player, or it was erased.
-- $1 bigint player: Player.ID   $2 bytea code: CodeHash   $3 timestamptz now
-- $4 timestamptz expiresAt   $5 bytea own: DeviceHash?, the game's own id of the player, or null
-- returns Player.ID
insert into code (player_id, kind, hash, device, made_at, expires_at)
select p.id, 'join', $2, coalesce($5, decode(repeat('00', 32), 'hex')), $3, $4
  from ledger_owner o join player p on p.id = o.survivor_id
 where o.player_id = $1 and p.name <> ''
on conflict (player_id, kind) do update
   set hash = excluded.hash, device = excluded.device, made_at = excluded.made_at, expires_at = excluded.expires_at,
       log_entry = null
returning player_id
