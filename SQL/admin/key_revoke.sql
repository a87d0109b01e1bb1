-- key_revoke: ends the use of a key from now on. Outcome: set, no-key.
-- $1 text game slug   $2 int id   $3 timestamptz now
with changed as (
  update game_key k
     set revoked_at = coalesce(k.revoked_at, $3)
    from game g
   where g.slug = $1 and k.game_id = g.id and k.id = $2
  returning k.id
)
select case when exists (select from changed) then 'set' else 'no-key' end
