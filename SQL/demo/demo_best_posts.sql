-- demo_best_posts: stores the best posts of new players, from the ledger.
-- $1 bigint[] players
insert into best_post (player_id, board_id, id, points, reached_at)
select l.player_id, l.board_id, l.id, l.points, l.reached_at
  from ledger_best_post l
 where l.player_id = any($1::bigint[])
