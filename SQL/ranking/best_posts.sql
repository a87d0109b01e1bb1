-- best_posts: the best single posts of a board that keeps best posts. Each has the name it was posted with, else the
-- player's. The posted name is not shown where names wait for approval.
-- The n best posts all belong to the n best players, so only the n best posts of these are read.
-- $1 int board   $2 int rows, 1...10
select coalesce(case when g.names <> 'approved' and not best.name_waits then n.name end, best.name) as name,
       r.points, r.reached_at, r.player_id || ' ' || r.id as entry
  from (select s.player_id, p.name, p.name_waits
          from standing s join player p on p.id = s.player_id
         where s.board_id = $1 and not p.hidden
         order by s.order_key, s.reached_at, s.player_id
         limit $2::int) best
  join board b on b.id = $1
  join game g on g.id = b.game_id
  join best_post r on r.player_id = any(members(best.player_id)) and r.board_id = $1
  left join score_note n on n.player_id = r.player_id and n.id = r.id
 order by r.points * b.sign desc, r.reached_at, best.player_id, r.id
 limit $2::int
