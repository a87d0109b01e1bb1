-- best_posts: the best single posts of a board, each with the name it came with, else the player's.
-- Whoever has one of the n best posts is among the n best players: only their posts are read.
-- $1 int board   $2 int rows, 1...100
select r.player_id, coalesce(n.name, p.name) as name, p.avatar, r.points, r.reached_at
  from (select s.player_id from standing s join player p on p.id = s.player_id
         where s.board_id = $1 and not p.hidden order by s.order_key, s.reached_at, s.player_id limit $2::int) best
  join board b on b.id = $1
  join player p on p.id = best.player_id
  join score r on r.player_id = best.player_id and r.board_id = $1
  left join score_note n on n.player_id = r.player_id and n.id = r.id
 order by r.points * b.sign desc, r.reached_at, r.player_id
 limit $2::int
