-- best_posts_prove: makes the stored best posts of a player, and of players merged with it, match the ledger. The
-- wallet is locked.
-- $1 bigint player
with proof as materialized (
  select l.player_id, l.board_id, l.id, l.points, l.reached_at
    from ledger_best_post l
   where l.player_id = any(members($1))
), gone as (
  delete from best_post p
   where p.player_id = any(members($1))
     and not exists (select from proof l where l.player_id = p.player_id and l.board_id = p.board_id and l.id = p.id)
)
insert into best_post (player_id, board_id, id, points, reached_at)
select l.player_id, l.board_id, l.id, l.points, l.reached_at from proof l
on conflict on constraint best_post_pkey do nothing
