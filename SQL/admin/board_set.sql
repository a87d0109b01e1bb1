-- board_set: changes settings of the season that is played; order, policy and zone only before the first post.
-- Where lowest becomes best, a least number of points that nobody chose becomes 0, as on a new board.
-- The classic feed of best posts needs `default`/`high-scores` to keep the best, highest first.
-- Outcome: set, stale, no-board, bad-zone, bad-bounds, bad-times, bad-hold, bad-details,
-- bad-teams, fixed, classic.
-- $1 text game: Slug   $2 text slug: Slug, board slug   $3 text[] columns
-- $4 text[] values: [String?], one for each column   $5 text version: String?, the expected version, or null for any
-- $6 timestamptz now
-- returns AdminOutcome
with judged as materialized (
  select b.id,
         s.settings || jsonb_build_object('points_min', m.points_min)
           || case
                when ((n.wanted).season_every, (n.wanted).zone, (n.wanted).opens_at)
                     is distinct from (b.season_every, b.zone, b.opens_at) and is_zone((n.wanted).zone)
                  then jsonb_build_object(
                         'next_season_on',
                         next_season_day((n.wanted).season_every, (n.wanted).zone,
                                         greatest($6::timestamptz, (n.wanted).opens_at)))
                else '{}'
              end as changes,
         case
           when b.id is null then 'no-board'
           when b.xmin::text <> $5::text then 'stale'
           when (n.wanted).zone <> b.zone and not is_zone((n.wanted).zone) then 'bad-zone'
           when m.points_min > (n.wanted).points_max then 'bad-bounds'
           when (n.wanted).opens_at >= (n.wanted).closes_at then 'bad-times'
           when ((n.wanted).hold_above < 1) <> (n.wanted).lowest_first
             or (n.wanted).lowest_first and (n.wanted).hold_pace is not null then 'bad-hold'
           when (n.wanted).policy = 'sum' and (n.wanted).details = 'public' then 'bad-details'
           when (n.wanted).policy <> 'sum' and (n.wanted).team_best = 0 then 'bad-teams'
           when $1 = 'default' and $2 = 'high-scores'
            and ((n.wanted).policy, (n.wanted).lowest_first) <> (b.policy, b.lowest_first) then 'classic'
           when ((n.wanted).policy, (n.wanted).lowest_first, (n.wanted).zone) <> (b.policy, b.lowest_first, b.zone)
            and (select t.day from tally t where t.board_id = b.id order by t.day limit 1) is not null then 'fixed'
           else 'set'
         end as outcome
    from (select jsonb_object($3::text[], $4::text[]) as settings) s
    left join (board b join game g on g.id = b.game_id and g.slug = $1)
           on b.kind = 'score' and b.slug = $2 and b.season_ended_at is null
    left join lateral (select jsonb_populate_record(b, s.settings) as wanted) n on true
    left join lateral (
           select case
                    when (n.wanted).lowest_first and not b.lowest_first
                     and b.points_min = -9007199254740991 and 'points_min' <> all($3) then 0
                    else (n.wanted).points_min
                  end as points_min
         ) m on true
)
select case when outcome <> 'set' then outcome when row_set('board', id, changes) then 'set' end from judged
