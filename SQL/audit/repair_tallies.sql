-- repair_tallies: makes the rows of all days of all boards what the ledgers say. tallies_lock has run in this
-- transaction. Only rows that differ are written or locked.
-- returns Int64
with recomputed as materialized (
  select board_id, day, player_id, points, reached_at from ledger_tally
), gone as (
  delete from tally t
   where not exists (
           select from recomputed p where p.board_id = t.board_id and p.day = t.day and p.player_id = t.player_id
         )
  returning 1
), put as (
  insert into tally (board_id, day, player_id, points, reached_at)
  select p.board_id, p.day, p.player_id, p.points, p.reached_at
    from recomputed p
   where not exists (
           select from tally t
            where t.board_id = p.board_id and t.day = p.day and t.player_id = p.player_id and t.points = p.points
              and t.reached_at = p.reached_at
         )
  on conflict (board_id, day, player_id) do update
     set points = excluded.points, reached_at = excluded.reached_at
  returning 1
)
select (select count(*) from gone) + (select count(*) from put)
