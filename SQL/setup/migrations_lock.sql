-- migrations_lock: one migrator at a time; ends with the transaction.
-- The number is the ASCII of "cause".
-- returns nothing
select pg_advisory_xact_lock(426836358245)
