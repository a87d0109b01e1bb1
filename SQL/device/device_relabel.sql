-- device_relabel: gives the device of a token another label, unless another device has that, and with it the device's
-- codes. callers_lock has run earlier in this transaction.
-- $1 bytea token: TokenHash   $2 bytea device: DeviceHash, device hash of the new label
-- returns nothing
with
spoken as materialized (
  select d.hash, d.player_id
    from device d
   where d.token_hash = $1 and not exists (select from device o where o.hash = $2)
),
coded as (
  update code c
     set device = $2
    from spoken s
   where c.player_id = s.player_id and c.device = s.hash
)
update device d
   set hash = $2
  from spoken s
 where d.hash = s.hash
