-- game_add: one more game. Outcome: added, exists.
-- $1 text slug   $2 text name   $3 text classic   $4 text salt or null   $5 timestamptz now
with made as (
  insert into game (slug, name, classic, salt, added_at)
  values ($1, $2, $3, $4, $5)
  on conflict (slug) do nothing
  returning id
)
select case when exists (select from made) then 'added' else 'exists' end
