-- code_make_player: gives a player a new join code that an operator asked for, which ends the former one. No device has
-- asked for it, so none ends it. callers_lock has run in this transaction.
-- $1 bigint player   $2 bytea code hash   $3 timestamptz now   $4 timestamptz from when it is no longer good
insert into code (player_id, kind, hash, device, made_at, expires_at)
select coalesce(m.survivor_id, p.id), 'join', $2, decode(repeat('00', 32), 'hex'), $3, $4
  from player p
  left join merge m on m.player_id = p.id
 where p.id = $1
on conflict (player_id, kind) do update
   set hash = excluded.hash, device = excluded.device, made_at = excluded.made_at, expires_at = excluded.expires_at
returning player_id
