-- action_movements: the scores and donations that an action moved, and for whom they count: what they were before it,
-- what it made of them, and the last action that stands on each.
-- $1 uuid action
select coalesce(o.survivor_id, k.player_id) as survivor_id, k.player_id, k.subject,
       bool_or(k.kind in ('hold', 'release', 'void', 'unvoid')) as is_score,
       case
         when bool_or(k.kind = 'release') then 'held'
         when bool_or(k.kind = 'unvoid') then 'voided'
         when bool_or(k.kind = 'unreverse') then 'reversed'
         else 'counted'
       end as was,
       case
         when bool_or(k.kind = 'void') then 'voided'
         when bool_or(k.kind = 'hold') then 'held'
         when bool_or(k.kind = 'reverse') then 'reversed'
         else 'counted'
       end as became,
       coalesce(sum(k.points) filter (where k.kind = 'forfeit'), 0)::bigint as forfeited,
       coalesce(sum(k.points) filter (where k.kind = 'unforfeit'), 0)::bigint as restored,
       (
         select l.action
           from correction l left join moderation_action a on a.id = l.action
          where l.player_id = k.player_id and l.subject = k.subject and l.kind not in ('fund', 'unfund')
            and (a.id is null or a.kind <> 'undo' and a.undone_by is null)
          order by l.n desc
          limit 1
       ) as newest_action
  from correction k left join merge o on o.player_id = k.player_id
 where k.action = $1 and k.kind not in ('fund', 'unfund')
 group by o.survivor_id, k.player_id, k.subject
 order by survivor_id, k.player_id, k.subject
