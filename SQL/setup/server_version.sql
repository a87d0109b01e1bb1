-- server_version: PostgreSQL's version, as 150018, and whether it takes no writes, as a standby does.
-- returns number: Int32, isReadOnly: Bool
select current_setting('server_version_num')::int,
       pg_is_in_recovery() or current_setting('transaction_read_only')::bool
