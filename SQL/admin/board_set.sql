-- board_set: changes what is not null of the season that is played; order, policy and zone only before the first post.
-- Where lowest becomes best, a least number of points that nobody chose becomes 0, as on a new board.
-- The classic feed of best posts needs `default`/`high-scores` to keep the best, highest first.
-- Outcome: set, stale, no-board, bad-zone, bad-bounds, bad-times, bad-hold, bad-details, fixed, classic.
-- $1 text game slug   $2 text slug   $3 text name   $4 text policy   $5 bool lowest first
-- $6 bigint least points   $7 bigint most points   $8 text zone   $9 text ties   $10 text earns
-- $11 bigint earns fixed, which goes with $10   $12 bool set earn max   $13 bigint earn max
-- $14 bool set earn day   $15 bigint earn day   $16 bool set opens   $17 timestamptz opens
-- $18 bool set closes   $19 timestamptz closes   $20 text display   $21 bool set unit   $22 text unit   $23 text trust
-- $24 text version that it must have, or null for any   $25 bool set hold above   $26 text hold above
-- $27 bool set hold rate   $28 int hold rate   $29 bool set hold pace   $30 bigint hold pace   $31 bool set judge
-- $32 int judge   $33 bool set settle   $34 int settle   $35 text details
with judged as materialized (
  select b.id, n.points_min,
         case
           when b.id is null then 'no-board'
           when b.xmin::text <> $24::text then 'stale'
           when $8::text is not null and not is_zone($8) then 'bad-zone'
           when n.points_min > coalesce($7, b.points_max) then 'bad-bounds'
           when case when $16 then $17::timestamptz else b.opens_at end
                >= case when $18 then $19::timestamptz else b.closes_at end then 'bad-times'
           when (case when $25 then $26::text::numeric else b.hold_above end < 1) <> coalesce($5, b.lowest_first)
             or coalesce($5, b.lowest_first) and case when $29 then $30::bigint else b.hold_pace end is not null
             then 'bad-hold'
           when coalesce($4, b.policy) = 'sum' and coalesce($35, b.details) = 'public' then 'bad-details'
           when $1 = 'default' and $2 = 'high-scores'
            and (coalesce($4, b.policy), coalesce($5, b.lowest_first)) <> (b.policy, b.lowest_first) then 'classic'
           when (coalesce($4, b.policy), coalesce($5, b.lowest_first), coalesce($8, b.zone))
                <> (b.policy, b.lowest_first, b.zone)
            and (select t.day from tally t where t.board_id = b.id order by t.day limit 1) is not null then 'fixed'
           else 'set'
         end as outcome
    from (select 1) one
    left join (board b join game g on g.id = b.game_id and g.slug = $1)
           on b.kind = 'score' and b.slug = $2 and b.season_ended_at is null
    left join lateral (
           select coalesce(
                    $6, case when $5 and not b.lowest_first and b.points_min = -9007199254740991 then 0 end,
                    b.points_min) as points_min
         ) n on true
), changed as (
  update board b
     set name = coalesce($3, b.name),
         policy = coalesce($4, b.policy),
         lowest_first = coalesce($5, b.lowest_first),
         points_min = j.points_min,
         points_max = coalesce($7, b.points_max),
         zone = coalesce($8, b.zone),
         ties = coalesce($9, b.ties),
         earns = coalesce($10, b.earns),
         earns_fixed = case when $10 is null then b.earns_fixed else $11 end,
         earn_max = case when $12 then $13 else b.earn_max end,
         earn_day = case when $14 then $15 else b.earn_day end,
         opens_at = case when $16 then $17::timestamptz else b.opens_at end,
         closes_at = case when $18 then $19 else b.closes_at end,
         display = coalesce($20, b.display),
         unit = case when $21 then $22 else b.unit end,
         trust = coalesce($23, b.trust),
         hold_above = case when $25 then $26::text::numeric else b.hold_above end,
         hold_rate = case when $27 then $28 else b.hold_rate end,
         hold_pace = case when $29 then $30 else b.hold_pace end,
         judge = case when $31 then $32 else b.judge end,
         settle = case when $33 then $34 else b.settle end,
         details = coalesce($35, b.details)
    from judged j
   where j.outcome = 'set' and b.id = j.id
)
select outcome from judged
