-- action_patience: how long each statement of this transaction may take, and how long it waits for each lock.
-- $1 int = Limits.actionMillisecondsMax, milliseconds for a statement
-- $2 int = Limits.actionLockMillisecondsMax, milliseconds for a lock
-- returns String, String
select set_config('statement_timeout', $1::int::text, true), set_config('lock_timeout', $2::int::text, true)
