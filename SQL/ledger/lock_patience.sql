-- lock_patience: how long this transaction waits for each lock, because it holds a connection meanwhile that others
-- wait for.
-- $1 int milliseconds = Limits.lockMillisecondsMax
-- returns String
select set_config('lock_timeout', $1::int::text, true)
