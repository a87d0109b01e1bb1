-- game_set: changes settings. game_lock has run earlier in this transaction. Outcome: set, stale, no-game.
-- $1 text slug: Slug   $2 text[] columns   $3 text[] values: [String?], one for each column
-- $4 text version: String?, the expected version, or null for any
-- returns AdminOutcome
select case
         when g.id is null then 'no-game'
         when g.xmin::text <> $4::text then 'stale'
         when row_set('game', g.id, jsonb_object($2::text[], $3::text[])) then 'set'
       end
  from (select 1) one left join game g on g.slug = $1
