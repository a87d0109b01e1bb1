-- board_add: one more score board. Outcome: added, exists, no-game, bad-zone, bad-hold.
-- $1 text game: Slug   $2 text slug: Slug, board slug   $3 text[] columns
-- $4 text[] values: [String?], one for each column   $5 timestamptz now
-- returns AdminOutcome
with wanted as materialized (
  select n.* from jsonb_populate_record(null::board, jsonb_object($3::text[], $4::text[])) n
), judged as materialized (
  select g.id,
         case
           when g.id is null then 'no-game'
           when not is_zone(n.zone) then 'bad-zone'
           when (n.hold_above < 1) <> n.lowest_first or n.lowest_first and n.hold_pace is not null then 'bad-hold'
           when exists (select from board b where b.kind = 'score' and b.game_id = g.id and b.slug = $2) then 'exists'
           else 'added'
         end as outcome
    from wanted n left join game g on g.slug = $1
), made as (
  insert into board (
    kind, game_id, slug, added_at, name, policy, lowest_first, points_min, points_max, zone, ties, earns, earns_fixed,
    earn_max, earn_day, opens_at, closes_at, display, unit, trust, hold_above, hold_rate, hold_pace, judge, settle,
    details)
  select 'score', j.id, $2, $5, n.name, n.policy, n.lowest_first, n.points_min, n.points_max, n.zone, n.ties, n.earns,
         n.earns_fixed, n.earn_max, n.earn_day, n.opens_at, n.closes_at, n.display, n.unit, n.trust, n.hold_above,
         n.hold_rate, n.hold_pace, n.judge, n.settle, n.details
    from judged j cross join wanted n
   where j.outcome = 'added'
  on conflict do nothing
  returning id
)
select case when outcome = 'added' and not exists (select from made) then 'exists' else outcome end from judged
