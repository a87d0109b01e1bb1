-- board_reset: ends the season that is played and begins the next one with the same settings.
-- tallies_lock has run earlier in this transaction, so that no post lands in a season that has ended.
-- A board that has closed would begin a season that takes nothing, so it keeps the one that it has.
-- Outcome: set, no-board, closed, stale (another season is played than the one that is to end); the season that begins.
-- $1 text game: Slug   $2 text slug: Slug, board slug   $3 timestamptz now
-- $4 int ending: Int32?, the season that is to end, or null for the one that is played
-- returns AdminOutcome, season: Int32?
with judged as materialized (
  select b.id, b.season,
         case
           when b.id is null then 'no-board'
           when b.season <> $4::int then 'stale'
           when b.closes_at <= $3::timestamptz then 'closed'
           else 'set'
         end as outcome
    from (select 1) one
    left join (board b join game g on g.id = b.game_id and g.slug = $1)
           on b.kind = 'score' and b.slug = $2 and b.season_ended_at is null
), ended as (
  update board b
     set season_ended_at = $3
    from judged j
   where j.outcome = 'set' and b.id = j.id
  returning b.*
), begun as materialized (
  select row_add(
           'board',
           to_jsonb(e) - '{id, sign, season_ended_at}'::text[]
             || jsonb_build_object('season', e.season + 1, 'added_at', $3,
                                   'opens_at', case when e.opens_at > $3 then e.opens_at end,
                                   'next_season_on',
                                   next_season_day(e.season_every, e.zone, greatest($3, e.opens_at))),
           false) as id
    from ended e
), measured as (
  insert into board_measure (board_id, posts, percentile, measured_at, inherited)
  select n.id, m.posts, m.percentile, m.measured_at, true
    from begun n cross join ended e join board_measure m on m.board_id = e.id
)
-- The season begins only because this reads `begun`.
select j.outcome, j.season + 1 from judged j left join begun on true
