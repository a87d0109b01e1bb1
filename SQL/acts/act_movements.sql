-- act_movements: the scores and donations that an act moved: what they were before it, and what it made of them.
-- $1 bigint player   $2 uuid act
select k.subject,
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
       coalesce(min(s.state), case when bool_or(d.reversed) then 'reversed' end, 'counted') as state,
       (
         select l.act
           from correction l
          where l.player_id = $1 and l.subject = k.subject and l.kind not in ('fund', 'unfund')
          order by l.n desc
          limit 1
       ) as newest_act
  from correction k
  left join score_state s on s.player_id = k.player_id and s.id = k.subject
  left join donation_state d on d.player_id = k.player_id and d.id = k.subject
 where k.player_id = $1 and k.act = $2 and k.kind not in ('fund', 'unfund')
 group by k.subject
 order by k.subject
