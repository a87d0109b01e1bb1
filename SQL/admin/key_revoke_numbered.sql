-- key_revoke_numbered: the same for the key of a number in the list. Outcome: set, no-key.
-- $1 text game slug, or null for an operator's key   $2 int number   $3 timestamptz now
with changed as (
  update game_key k
     set revoked_at = coalesce(k.revoked_at, $3)
   where k.id = $2 and k.game_id is not distinct from (select g.id from game g where g.slug = $1)
     and (k.kind = 'admin') = ($1::text is null)
  returning k.id
)
select case when exists (select from changed) then 'set' else 'no-key' end
