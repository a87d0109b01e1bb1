-- key_add: one more key of a game; only its hash is kept. Outcome: added, no-game.
-- $1 text game slug   $2 bytea hash   $3 text name   $4 timestamptz now
with made as (
  insert into game_key (game_id, hash, name, added_at)
  select g.id, $2, $3, $4
    from game g
   where g.slug = $1
  returning id
)
select case when exists (select from made) then 'added' else 'no-game' end, (select id from made)
