-- audit_states: which scores and donations do not count, by GROUP BY over the corrections. Each correction must be of a
-- ledger row and move what that earned, and each held score must have a reason.
-- returns AuditedRows(compared, differing, example)
with wrong as (
  select distinct c.player_id, c.subject as id, true as is_wrong
    from correction c
    left join score s on s.player_id = c.player_id and s.id = c.subject
    left join donation d on d.player_id = c.player_id and d.id = c.subject
   where c.kind in ('hold', 'release', 'void', 'unvoid') and c.points is distinct from s.earned
      or c.kind in ('reverse', 'unreverse') and c.points is distinct from d.points
   union
  select m.player_id, m.id, true
    from score_state m
   where m.state = 'held'
     and not exists (select from held_score h where h.player_id = m.player_id and h.id = m.id)
), kept as (
  select player_id, id, state, 0::bigint as unfunded, false as reversed from score_state
   union all
  select player_id, id, null, unfunded, reversed from donation_state
), compared as (
  select player_id, id,
         coalesce(x.is_wrong, false)
         or (coalesce(p.voids, 0), coalesce(p.holds, 0), coalesce(p.reversals, 0), coalesce(p.unfunded, 0))
            is distinct from ((k.state is not distinct from 'voided')::int, (k.state is not distinct from 'held')::int,
                              coalesce(k.reversed, false)::int, coalesce(k.unfunded, 0)) as differs
    from kept k
    full join correction_recomputed p using (player_id, id)
    left join wrong x using (player_id, id)
)
select count(*),
       count(*) filter (where differs),
       min('player ' || player_id || ', id ' || id) filter (where differs)
  from compared
