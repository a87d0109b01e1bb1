-- plan_run_note: notes what a run gave. plan_run_given has run in this transaction.
-- $1 bigint player: Player.ID   $2 int version   $3 date day: Day   $4 bigint[] points: [Int64]
-- $5 text[] skipped: [PlanSkip?]   $6 bigint[] owed: [Int64]   $7 timestamptz now
-- returns nothing
update plan_run r
   set points = $4, skipped = $5, owed = $6, done_at = $7
 where r.player_id = $1 and r.version = $2 and r.day = $3 and r.done_at is null
