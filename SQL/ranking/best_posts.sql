-- best_posts: the best single posts of a board that keeps best posts. Each has the name it was posted with, else the
-- player's. The posted name is not shown where names wait for approval.
-- The n best posts all belong to the n best players, so only the n best posts of these are read.
-- The limits of one row make the planner look up each row: not knowing how many there are, it would read whole tables.
-- $1 int board   $2 int rows, 1...10
select coalesce(case when g.names <> 'approved' and not best.name_waits then n.name end, best.name) as name,
       r.points, r.reached_at, r.player_id || ' ' || r.id as entry
  from (select s.player_id, p.name, p.name_waits
          from standing s
         cross join lateral (
                 select q.name, q.name_waits from player q where q.id = s.player_id and not q.hidden limit 1
               ) p
         where s.board_id = $1
         order by s.order_key, s.reached_at, s.player_id
         limit $2::int) best
  join board b on b.id = $1
  join game g on g.id = b.game_id
  join best_post r on r.player_id = any(members(best.player_id)) and r.board_id = $1
  left join lateral (select m.name from score_note m where m.player_id = r.player_id and m.id = r.id limit 1) n on true
 order by r.points * b.sign desc, r.reached_at, best.player_id, r.id
 limit $2::int
