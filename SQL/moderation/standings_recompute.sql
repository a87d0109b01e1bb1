-- standings_recompute: makes a player's rows of all score boards what the ledger says. The wallet is locked.
-- $1 bigint player: Player.ID
-- returns nothing
with recomputed as materialized (
  select l.board_id, l.points, l.reached_at, l.lowest_first
    from ledger_rollup(false, false, array[$1::bigint]) l
   where l.ledger = 'score'
), gone as (
  delete from standing s
   using (select b.id from board b where b.kind = 'score' except select p.board_id from recomputed p) b
   where s.board_id = b.id and s.player_id = $1
)
insert into standing as s (board_id, player_id, points, reached_at, lowest_first)
select p.board_id, $1, p.points, p.reached_at, p.lowest_first from recomputed p
on conflict (board_id, player_id) do update
   set points = excluded.points, reached_at = excluded.reached_at
 where (s.points, s.reached_at) is distinct from (excluded.points, excluded.reached_at)
