-- game_set: changes what is not null; an empty salt takes the salt away. game_lock has run earlier in this transaction.
-- Outcome: set, stale, no-game.
-- $1 text slug   $2 text name or null   $3 text classic or null   $4 text salt, '' clears, or null
-- $5 text version that it must have, or null for any   $6 text names or null   $7 text[] refused words or null
-- $8 text[] their skeletons or null   $9 bool whether it takes e-mail addresses, or null
with changed as (
  update game
     set name = coalesce($2, name),
         classic = coalesce($3, classic),
         salt = case when $4::text is null then salt else nullif($4, '') end,
         names = coalesce($6, names),
         refused_words = coalesce($7, refused_words),
         refused_skeletons = coalesce($8, refused_skeletons),
         takes_email = coalesce($9, takes_email)
   where slug = $1 and ($5::text is null or xmin::text = $5)
  returning id
)
select case
         when exists (select from changed) then 'set'
         when exists (select from game g where g.slug = $1) then 'stale'
         else 'no-game'
       end
