-- game_set: changes what is not null; an empty salt takes the salt away. Outcome: set, no-game.
-- $1 text slug   $2 text name or null   $3 text classic or null   $4 text salt, '' clears, or null
with changed as (
  update game
     set name = coalesce($2, name),
         classic = coalesce($3, classic),
         salt = case when $4::text is null then salt else nullif($4, '') end
   where slug = $1
  returning id
)
select case when exists (select from changed) then 'set' else 'no-game' end
