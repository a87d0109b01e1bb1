-- book_patience: how long a statement of this transaction may take. The first one to close days reads both ledgers.
-- $1 int milliseconds
-- returns String
select set_config('statement_timeout', $1::int::text, true)
