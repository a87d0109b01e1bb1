-- key_revoke: ends the use of a key from now on. Outcome: set, exists when it had ended before, no-key.
-- $1 uuid id   $2 timestamptz now
-- returns AdminOutcome
with before as materialized (
  select k.id, k.revoked_at from game_key k where k.public_id = $1 for update
), changed as (
  update game_key k set revoked_at = $2 from before b where k.id = b.id and b.revoked_at is null
)
select case
         when not exists (select from before) then 'no-key'
         when exists (select from before b where b.revoked_at is null) then 'set'
         else 'exists'
       end
