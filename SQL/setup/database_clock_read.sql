-- database_clock_read: what time it is by the database's clock.
-- returns Instant
select clock_timestamp()
