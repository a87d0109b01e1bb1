-- lock_holders: who holds a lock on a table here, the longest first: what a migration may be waiting for.
-- The process, its role, its application, and for how many seconds its transaction is open, if that may be seen.
-- returns LockHolder(process, role, application, seconds)
select a.pid, a.usename::text, a.application_name, extract(epoch from clock_timestamp() - min(a.xact_start))::bigint
  from pg_locks l
  join pg_class c on c.oid = l.relation
  join pg_class m on m.oid = to_regclass('migration') and m.relnamespace = c.relnamespace
  join pg_stat_activity a on a.pid = l.pid
 where l.granted
   and l.pid <> pg_backend_pid()
   and l.database = (select d.oid from pg_database d where d.datname = current_database())
 group by a.pid, a.usename, a.application_name
 order by min(a.xact_start), a.pid
 limit 3
