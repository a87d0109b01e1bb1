-- audit_states: which scores and donations do not count, by GROUP BY over the corrections, which are of ledger rows and
-- move what these earned. Rows compared, rows that differ, one of them.
with proof as (
  select c.player_id, c.subject as id,
         coalesce(sum(case c.kind when 'void' then 1 when 'unvoid' then -1 end), 0) as voids,
         coalesce(sum(case c.kind when 'hold' then 1 when 'release' then -1 end), 0) as holds,
         coalesce(sum(case c.kind when 'reverse' then 1 when 'unreverse' then -1 end), 0) as reversals,
         coalesce(sum(case c.kind when 'unfund' then c.points when 'fund' then - c.points end), 0) as unfunded,
         bool_or(c.kind in ('hold', 'release', 'void', 'unvoid') and c.points is distinct from s.earned)
         or bool_or(c.kind in ('reverse', 'unreverse') and c.points is distinct from d.points) as is_wrong
    from correction c
    left join score s on s.player_id = c.player_id and s.id = c.subject
    left join donation d on d.player_id = c.player_id and d.id = c.subject
   group by c.player_id, c.subject
), kept as (
  select player_id, id, state, 0::bigint as unfunded, false as reversed from score_state
   union all
  select player_id, id, null, unfunded, reversed from donation_state
), compared as (
  select player_id, id,
         coalesce(p.is_wrong, false)
         or (coalesce(p.voids, 0), coalesce(p.holds, 0), coalesce(p.reversals, 0), coalesce(p.unfunded, 0))
            is distinct from ((k.state is not distinct from 'voided')::int, (k.state is not distinct from 'held')::int,
                              coalesce(k.reversed, false)::int, coalesce(k.unfunded, 0)) as differs
    from kept k full join proof p using (player_id, id)
)
select count(*),
       count(*) filter (where differs),
       min('player ' || player_id || ', id ' || id) filter (where differs)
  from compared
