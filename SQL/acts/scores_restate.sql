-- scores_restate: lets scores of a player count, be held, or be voided, and moves what they earned. The wallet is
-- locked. It brings how many scores changed and what they earned.
-- $1 bigint player   $2 uuid score, or null for all   $3 text state from which, or null for any
-- $4 text state to which   $5 uuid act   $6 timestamptz now
with chosen as materialized (
  select s.id, s.earned, coalesce(m.state, 'counted') as was
    from score s left join score_state m on m.player_id = s.player_id and m.id = s.id
   where s.player_id = $1
     and ($2::uuid is null or s.id = $2)
     and coalesce(m.state, 'counted') = coalesce($3, m.state, 'counted')
     and coalesce(m.state, 'counted') <> $4
), counted as (
  delete from score_state m using chosen c where m.player_id = $1 and m.id = c.id and $4 = 'counted'
), marked as (
  insert into score_state (player_id, id, state)
  select $1, c.id, $4 from chosen c where $4 <> 'counted'
  on conflict (player_id, id) do update set state = excluded.state
), movements as (
  select c.id, case c.was when 'held' then 'release' else 'unvoid' end as kind, c.earned
    from chosen c
   where c.was <> 'counted'
   union all
  select c.id, case $4 when 'held' then 'hold' else 'void' end, c.earned
    from chosen c
   where $4 <> 'counted'
), noted as (
  insert into correction (player_id, n, kind, subject, points, act, corrected_at)
  select $1, (select coalesce(max(k.n), 0) from correction k where k.player_id = $1)
             + row_number() over (order by m.id, m.kind), m.kind, m.id, m.earned, $5, $6
    from movements m
), moved as (
  update wallet w
     set held = w.held + t.held, voided = w.voided + t.voided
    from (select coalesce(sum(c.earned) filter (where $4 = 'held'), 0)
                 - coalesce(sum(c.earned) filter (where c.was = 'held'), 0) as held,
                 coalesce(sum(c.earned) filter (where $4 = 'voided'), 0)
                 - coalesce(sum(c.earned) filter (where c.was = 'voided'), 0) as voided
            from chosen c) t
   where w.player_id = $1
)
select count(*), coalesce(sum(c.earned), 0)::bigint from chosen c
