-- repair_standings: makes the rows of all boards what the ledgers say. tallies_lock has run in this transaction.
-- Only rows that differ are written or locked.
-- returns Int64
with recomputed as materialized (
  select board_id, player_id, points, reached_at, lowest_first from ledger_standing
), gone as (
  delete from standing s
   where not exists (select from recomputed p where p.board_id = s.board_id and p.player_id = s.player_id)
  returning 1
), put as (
  insert into standing (board_id, player_id, points, reached_at, lowest_first)
  select p.board_id, p.player_id, p.points, p.reached_at, p.lowest_first
    from recomputed p
   where not exists (
           select from standing s
            where s.board_id = p.board_id and s.player_id = p.player_id and s.points = p.points
              and s.reached_at = p.reached_at and s.lowest_first = p.lowest_first
         )
  on conflict (board_id, player_id) do update
     set points = excluded.points, reached_at = excluded.reached_at, lowest_first = excluded.lowest_first
  returning 1
)
select (select count(*) from gone) + (select count(*) from put)
