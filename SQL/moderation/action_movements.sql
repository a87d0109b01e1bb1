-- action_movements: the scores and donations that an action moved, and for whom they count: what they were before it,
-- what it made of them, and the last action that stands on each. It reads all corrections of their players once,
-- because no index finds those of a row.
-- $1 uuid action
-- returns ActionMovement
select coalesce(o.survivor_id, t.player_id) as survivor_id, t.player_id, t.subject, t.is_score, t.was, t.became,
       t.forfeited, t.restored, t.newest_action
  from (select k.player_id, k.subject,
               bool_or(k.kind in ('hold', 'release', 'void', 'unvoid')) filter (where k.action = $1) as is_score,
               case
                 when bool_or(k.kind = 'release') filter (where k.action = $1) then 'held'
                 when bool_or(k.kind = 'unvoid') filter (where k.action = $1) then 'voided'
                 when bool_or(k.kind = 'unreverse') filter (where k.action = $1) then 'reversed'
                 else 'counted'
               end as was,
               case
                 when bool_or(k.kind = 'void') filter (where k.action = $1) then 'voided'
                 when bool_or(k.kind = 'hold') filter (where k.action = $1) then 'held'
                 when bool_or(k.kind = 'reverse') filter (where k.action = $1) then 'reversed'
                 else 'counted'
               end as became,
               coalesce(sum(k.points) filter (where k.action = $1 and k.kind = 'forfeit'), 0)::bigint as forfeited,
               coalesce(sum(k.points) filter (where k.action = $1 and k.kind = 'unforfeit'), 0)::bigint as restored,
               (array_agg(k.action order by k.n desc)
                 filter (where a.id is null or a.kind <> 'undo' and a.undone_by is null))[1] as newest_action
          from correction k
          left join lateral (
                 select x.id, x.kind, x.undone_by from moderation_action x where x.id = k.action offset 0
               ) a on true
         where k.player_id = any(array(select distinct x.player_id from correction x where x.action = $1))
           and k.kind not in ('fund', 'unfund')
         group by k.player_id, k.subject
        having bool_or(k.action = $1)) t
  left join merge o on o.player_id = t.player_id
 order by survivor_id, t.player_id, t.subject
