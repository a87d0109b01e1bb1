-- repair_best_posts: makes the stored best posts match the ledger. tallies_lock has run in this transaction.
-- Returns the number of rows changed.
with proof as materialized (
  select l.player_id, l.board_id, l.id, l.points, l.reached_at from ledger_best_post l
), gone as (
  delete from best_post p
   where not exists (select from proof l where l.player_id = p.player_id and l.board_id = p.board_id and l.id = p.id)
  returning 1
), put as (
  insert into best_post as p (player_id, board_id, id, points, reached_at)
  select l.player_id, l.board_id, l.id, l.points, l.reached_at from proof l
  on conflict on constraint best_post_pkey do update
     set points = excluded.points, reached_at = excluded.reached_at
   where (p.points, p.reached_at) is distinct from (excluded.points, excluded.reached_at)
  returning 1
)
select (select count(*) from gone) + (select count(*) from put)
