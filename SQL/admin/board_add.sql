-- board_add: one more score board. Outcome: added, exists, no-game, bad-zone, bad-hold.
-- $1 text game slug   $2 text slug   $3 text name   $4 text policy   $5 bool lowest first
-- $6 bigint least points   $7 bigint most points   $8 text zone   $9 text ties   $10 text earns
-- $11 bigint earns fixed or null   $12 bigint earn max or null   $13 bigint earn day or null
-- $14 timestamptz opens or null   $15 timestamptz closes or null   $16 text display   $17 text unit or null
-- $18 text trust   $19 text times the 99th percentile above which a post is held, or null
-- $20 int posts a minute, or null   $21 bigint points a minute, or null   $22 int minutes for a verdict, or null
-- $23 int minutes to settle, or null   $24 timestamptz now   $25 text details
with judged as materialized (
  select g.id,
         case
           when g.id is null then 'no-game'
           when not is_zone($8) then 'bad-zone'
           when ($19::text::numeric < 1) <> $5::bool or $21::bigint is not null and $5::bool then 'bad-hold'
           when exists (select from board b where b.kind = 'score' and b.game_id = g.id and b.slug = $2) then 'exists'
           else 'added'
         end as outcome
    from (select 1) one left join game g on g.slug = $1
), made as (
  insert into board (
    kind, game_id, slug, name, policy, lowest_first, points_min, points_max, zone, ties,
    earns, earns_fixed, earn_max, earn_day, opens_at, closes_at, display, unit, trust,
    hold_above, hold_rate, hold_pace, judge, settle, added_at, details)
  select 'score', id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
         $19::text::numeric, $20, $21, $22, $23, $24, $25
    from judged
   where outcome = 'added'
  on conflict do nothing
  returning id
)
select case when outcome = 'added' and not exists (select from made) then 'exists' else outcome end from judged
