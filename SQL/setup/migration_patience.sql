-- migration_patience: how long this transaction waits for a lock. Whoever asks for a table while a migration waits for
-- it waits behind the migration, so it gives way soon and tries again.
-- $1 int milliseconds
-- returns String
select set_config('lock_timeout', $1::int::text, true)
