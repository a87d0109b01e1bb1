-- best_posts: the best single posts of a board. Each has the name it was posted with, else the player's. The posted
-- name is not shown where names wait for approval.
-- The n best posts all belong to the n best players, so only the n best posts of these are read: those noted as their
-- best, and all that came later.
-- The limits of one row make the planner look up each row: not knowing how many there are, it would read whole tables.
-- $1 int board: Board.ID   $2 int rows
-- returns BestPost(name, points, reachedAt, entry)
select coalesce(case when g.names <> 'approved' and not best.name_waits then n.name end, best.name) as name,
       r.points, r.reached_at, r.player_id || ' ' || r.id as entry
  from (select s.player_id, p.name, p.name_waits
          from standing s
         cross join lateral (
                 select q.name, q.name_waits from player q where q.id = s.player_id and not q.hidden limit 1
               ) p
         where s.board_id = $1
         order by s.order_bucket, s.order_key, s.reached_at, s.player_id
         limit $2::int) best
  join board b on b.id = $1
  join game g on g.id = b.game_id
 cross join lateral unnest(members(best.player_id)) m(player_id)
  left join lateral (
         select k.until, k.ids from best_posts k where k.player_id = m.player_id and k.board_id = $1 limit 1
       ) k on true
 cross join lateral (
         select t.player_id, t.id, t.points, t.reached_at
           from (select e.player_id, e.id, e.points, e.reached_at
                   from unnest(k.ids) i(id)
                  cross join lateral (
                          select s.player_id, s.id, s.points, s.reached_at
                            from counted_score s
                           where s.player_id = m.player_id and s.id = i.id
                           limit 1
                        ) e
                  union all
                 select s.player_id, s.id, s.points, s.reached_at
                   from counted_score s
                  where s.player_id = m.player_id and s.board_id = $1
                    and s.reached_at >= coalesce(k.until, '-infinity')) t
          order by t.points * b.sign desc, t.reached_at, t.id
          limit $2::int
       ) r
  left join lateral (select s.name from score_note s where s.player_id = r.player_id and s.id = r.id limit 1) n on true
 order by r.points * b.sign desc, r.reached_at, best.player_id, r.id
 limit $2::int
