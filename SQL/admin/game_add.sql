-- game_add: one more game. Outcome: added, exists.
-- $1 text slug   $2 text name   $3 text classic   $4 text salt or null   $5 timestamptz now   $6 text names
-- $7 text[] refused words   $8 text[] their skeletons   $9 bool whether it takes e-mail addresses
with made as (
  insert into game (slug, name, classic, salt, added_at, names, refused_words, refused_skeletons, takes_email)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (slug) do nothing
  returning id
)
select case when exists (select from made) then 'added' else 'exists' end
