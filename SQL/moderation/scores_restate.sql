-- scores_restate: lets scores of a player count, be held, or be voided, and moves what they earned. The wallet is
-- locked. It brings how many scores changed and what they earned. Whatever becomes of a score that was held, it waits
-- for no verdict any more; one that is held again is so by an operator, too.
-- $1 bigint player   $2 bigint[] whose rows the scores are   $3 uuid[] scores, beside those; or null for all
-- $4 text state from which, or null for any   $5 text state to which   $6 uuid action, or null
-- $7 timestamptz now
with rows as (
  select v.player_id, v.id from unnest($2::bigint[], $3::uuid[]) v(player_id, id)
   union all
  select s.player_id, s.id
    from ledger_owner o join score s on s.player_id = o.player_id
   where $3::uuid[] is null and o.survivor_id = $1
), chosen as materialized (
  select s.player_id, s.id, s.earned, b.game_id, coalesce(m.state, 'counted') as was, m.place,
         case when h.judge_until is not null then h.ctid end as waiting_place,
         coalesce(h.secret_until, s.reached_at + settle_time(b)) as secret_until
    from rows r
    join score s on s.player_id = r.player_id and s.id = r.id
    join board b on b.id = s.board_id
    left join held_score h on h.player_id = s.player_id and h.id = s.id
    left join lateral (
           select x.state, x.ctid as place
             from score_state x
            where x.player_id = s.player_id and x.id = s.id
           offset 0                        -- found by its key, also by a plan that was made before there was any
         ) m on true
   where coalesce(m.state, 'counted') = coalesce($4, m.state, 'counted')
     and coalesce(m.state, 'counted') <> $5
), counted as (
  -- By their places, because a join with all that was chosen could run for each row.
  delete from score_state m where m.ctid = any(array(select c.place from chosen c where $5 = 'counted'))
), marked as (
  insert into score_state (player_id, id, state)
  select c.player_id, c.id, $5 from chosen c where $5 <> 'counted'
  on conflict (player_id, id) do update set state = excluded.state
), asked as (
  insert into held_score as h (player_id, id, item, why, held_at, game_id, secret_until)
  select c.player_id, c.id, gen_random_uuid(), '{operator}', $7, c.game_id, c.secret_until
    from chosen c
   where $5 = 'held'
  on conflict (player_id, id) do update
     set why = array_remove(array_remove(h.why, 'judge'), 'operator') || '{operator}', held_at = excluded.held_at
), decided as (
  update held_score h set judge_until = null where h.ctid = any(array(select c.waiting_place from chosen c))
), movements as (
  select c.player_id, c.id, case c.was when 'held' then 'release' else 'unvoid' end as kind, c.earned
    from chosen c
   where c.was <> 'counted'
   union all
  select c.player_id, c.id, case $5 when 'held' then 'hold' else 'void' end, c.earned
    from chosen c
   where $5 <> 'counted'
), numbered as materialized (
  -- Once for each player: asked for each row, it would step over all rows that this statement has added.
  select p.player_id,
         (select coalesce(max(k.n), 0) from correction k where k.player_id = p.player_id) as newest
    from (select distinct m.player_id from movements m) p
), noted as (
  insert into correction (player_id, n, kind, subject, points, action, corrected_at)
  select m.player_id,
         (select f.newest from numbered f where f.player_id = m.player_id)
         + row_number() over (partition by m.player_id order by m.id, m.kind), m.kind, m.id, m.earned, $6, $7
    from movements m
), moved as (
  update wallet w
     set held = w.held + t.held, voided = w.voided + t.voided, holds = w.holds + t.holds,
         secret_until = greatest(w.secret_until, t.secret_until)
    from (select coalesce(sum(c.earned) filter (where $5 = 'held'), 0)
                 - coalesce(sum(c.earned) filter (where c.was = 'held'), 0) as held,
                 coalesce(sum(c.earned) filter (where $5 = 'voided'), 0)
                 - coalesce(sum(c.earned) filter (where c.was = 'voided'), 0) as voided,
                 count(*) filter (where $5 = 'held') - count(*) filter (where c.was = 'held') as holds,
                 max(c.secret_until) filter (where $5 = 'held') as secret_until
            from chosen c) t
   where w.player_id = $1
)
select count(*), coalesce(sum(c.earned), 0)::bigint from chosen c
