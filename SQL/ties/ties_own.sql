-- ties_own: a player's friends, received and sent friend requests, and blocked players: each list with the newest
-- first. Hidden players are in no list. Received requests are left out if the game has no requests, or the player
-- accepts none. Only the newest ties to the player are read, so that nobody can make this slow.
-- $1 bigint player: Player.ID   $2 bigint = Limits.friendsMax, rows of each list except the last
-- $3 bigint = Limits.blockedMax, rows of the last list   $4 bigint = Limits.asksKept
-- returns OwnTie
with own as materialized (
  select t.other_id, t.says, t.at, w.says as answer, w.at as answered_at
    from ties_of($1) t
    left join lateral tie_said(t.other_id, $1) w on t.says = 'yes'
), asking as materialized (
  select i.player_id, max(i.at) as at
    from (select coalesce((select m.survivor_id from merge m where m.player_id = a.player_id), a.player_id)
                   as player_id, a.at
            from player p
            join effective_game g on g.id = p.game_id
           cross join lateral unnest(members($1)) asked (id)
           cross join lateral (
                   select t.player_id, t.at
                     from tie t
                    where t.other_id = asked.id and t.says = 'yes'
                    order by t.at desc
                    limit $4::bigint
                 ) a
           where p.id = $1 and p.takes_asks and g.friends = 'requests') i
   where i.player_id <> $1 and i.player_id not in (select o.other_id from own o)
   group by i.player_id
), listed as (
  select case t.says when 'block' then 'blocked' else case t.answer when 'yes' then 'friend' else 'asking' end end
           as list,
         t.other_id, greatest(t.at, case when t.answer = 'yes' then t.answered_at end) as at
    from own t
   where t.says <> 'no'
   union all
  select 'asked', a.player_id, a.at
    from asking a
   where (select t.says from tie_said(a.player_id, $1) t) = 'yes'
)
select n.list, n.other_id, n.name, n.avatar, n.flag, n.at
  from (select l.list, l.other_id, p.name, p.avatar, p.flag, l.at,
               row_number() over (partition by l.list order by l.at desc, l.other_id) as place
          from listed l
         cross join lateral (
                 select q.name, q.avatar, q.flag
                   from shown_player q
                  where q.id = l.other_id and not q.hidden and q.name <> ''
                 offset 0
               ) p) n
 where n.place <= case n.list when 'blocked' then $3::bigint else $2::bigint end
 order by n.list, n.place
