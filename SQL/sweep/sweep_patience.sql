-- sweep_patience: how long this transaction waits for a lock, because who comes after it waits as long.
-- $1 int milliseconds
-- returns String
select set_config('lock_timeout', $1::int::text, true)
