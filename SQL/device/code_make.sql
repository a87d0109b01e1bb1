-- code_make: gives the player of a device a new code, which ends the former one of its kind. A new device ends no
-- unused code that an older device or an operator made. callers_lock has run in this transaction.
-- $1 bytea token: TokenHash, of the device   $2 text kind   $3 bytea code: CodeHash   $4 timestamptz now
-- $5 timestamptz expiresAt: Instant?, null for a code that never expires   $6 bool isNewDevice
-- $7 int uses: Int32? = nil, null for one
-- returns Player.ID
insert into code as c (player_id, kind, hash, device, made_at, expires_at, uses)
select d.player_id, $2, $3, d.hash, $4, $5, $7
  from device d
 where d.token_hash = $1
on conflict (player_id, kind) do update
   set hash = excluded.hash, device = excluded.device, made_at = excluded.made_at, expires_at = excluded.expires_at,
       log_entry = null, uses = excluded.uses
 where not $6::bool or c.expires_at <= $4
    or exists (
         select from device o join device d on d.hash = excluded.device
          where o.hash = c.device and o.player_id = c.player_id and o.registered_at >= d.registered_at)
returning player_id
