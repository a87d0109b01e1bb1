-- best_posts_note: notes which ten posts of a player, and of each player merged with it, are the best on a board. The
-- wallet is locked, so that no post changes its state meanwhile.
-- $1 bigint player: Player.ID   $2 int board: Board.ID
-- $3 timestamptz until, every post that reached its points before it is committed
-- returns nothing
insert into best_posts (player_id, board_id, until, ids)
select m.player_id, $2, $3::timestamptz, l.ids
  from unnest(members($1)) m(player_id) cross join lateral best_post_ids(m.player_id, $2, $3) l
on conflict on constraint best_posts_pkey do update set until = excluded.until, ids = excluded.ids
