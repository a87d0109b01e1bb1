-- server_version: PostgreSQL's own, as 150018, and whether it is a read-only standby.
select current_setting('server_version_num')::int, pg_is_in_recovery()
