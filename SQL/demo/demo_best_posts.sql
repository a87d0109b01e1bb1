-- demo_best_posts: new players' best posts, where these are kept, as the ledger makes them.
-- $1 bigint[] players
insert into best_post (player_id, board_id, id, points, reached_at)
select l.player_id, l.board_id, l.id, l.points, l.reached_at
  from ledger_best_post l
 where l.player_id = any($1::bigint[])
