-- database_clock: what time it is by the database's clock.
select clock_timestamp()
