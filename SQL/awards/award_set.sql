-- award_set: changes an award: its condition only while nobody has it. game_lock and awards_lock have run before in
-- this transaction. Outcome: set, stale, award-fixed, no-award-board, no-award-contest, no-award.
-- $1 text game: Slug   $2 text slug: Slug   $3 text name: DisplayName   $4 text text: String?
-- $5 text rule: AwardRule.Kind   $6 bigint atLeast: Int64?   $7 text board: Slug?   $8 int season: Int32?
-- $9 bool isOfDay   $10 bool isSecret   $11 text version: String?, the expected version, or null for any
-- $12 text contest: Slug?
-- returns AdminOutcome
with judged as materialized (
  select a.id,
         case
           when a.id is null then 'no-award'
           when $11::text is not null and a.xmin::text <> $11 then 'stale'
           when (a.rule, a.at_least, a.board_slug, a.season, a.contest, a.by_day)
                is distinct from ($5::text, $6::bigint, $7::text, $8::int, $12::text, $9::bool)
             and exists (select from award_given w where w.award_id = a.id) then 'award-fixed'
           when $7 is not null
             and not exists (select from board b where b.kind = 'score' and b.game_id = a.game_id and b.slug = $7)
             then 'no-award-board'
           when $12 is not null
             and not exists (
                   select
                     from campaign c join board b on b.id = c.board_id
                    where c.slug = $12 and coalesce(b.game_id, a.game_id) = a.game_id)
             then 'no-award-contest'
           else 'set'
         end as outcome
    from (select 1) one
    left join game g on g.slug = $1
    left join award a on a.game_id = g.id and a.slug = $2
), changed as (
  update award a
     set name = $3, text = $4, rule = $5, at_least = $6, board_slug = $7, season = $8, contest = $12, by_day = $9,
         secret = $10
    from judged j
   where j.outcome = 'set' and a.id = j.id
)
select j.outcome from judged j
