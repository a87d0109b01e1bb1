-- award_add: adds an award to a game. game_lock has run before in this transaction.
-- Outcome: added, exists, no-game, no-award-board (the board is none of the game's), no-award-contest (there is no
-- such campaign, or its board is another game's), awards-full (the game has reached its limit).
-- $1 text game: Slug   $2 text slug: Slug   $3 text name: DisplayName   $4 text text: String?
-- $5 text rule: AwardRule.Kind   $6 bigint atLeast: Int64?   $7 text board: Slug?   $8 int season: Int32?
-- $9 bool isOfDay   $10 bool isSecret   $11 timestamptz now   $12 text contest: Slug?
-- $13 bigint = Limits.awardsOfGameMax, awards, at most
-- returns AdminOutcome
with judged as materialized (
  select g.id as game_id,
         case
           when g.id is null then 'no-game'
           when exists (select from award a where a.game_id = g.id and a.slug = $2) then 'exists'
           when $7::text is not null
             and not exists (select from board b where b.kind = 'score' and b.game_id = g.id and b.slug = $7)
             then 'no-award-board'
           when $12::text is not null
             and not exists (
                   select
                     from campaign c join board b on b.id = c.board_id
                    where c.slug = $12 and coalesce(b.game_id, g.id) = g.id)
             then 'no-award-contest'
           when (select count(*) from award a where a.game_id = g.id) >= $13 then 'awards-full'
           else 'added'
         end as outcome
    from (select 1) one left join game g on g.slug = $1
), made as (
  insert into award (game_id, slug, name, text, rule, at_least, board_slug, season, contest, by_day, secret, added_at)
  select game_id, $2, $3, $4, $5, $6, $7, $8, $12, $9, $10, $11 from judged where outcome = 'added'
  on conflict do nothing
  returning slug
)
-- If no row was made, a concurrent statement has taken the slug.
select case when outcome = 'added' and not exists (select from made) then 'exists' else outcome end from judged
