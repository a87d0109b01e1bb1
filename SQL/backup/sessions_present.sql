-- sessions_present: who else is connected to this database.
-- Each with its process, its role, and the name that it gives itself.
-- returns PresentSession(process, role, application)
select a.pid, coalesce(a.usename::text, ''), coalesce(a.application_name, '')
  from pg_stat_activity a
 where a.datname = current_database()
   and a.pid <> pg_backend_pid()
   and a.backend_type in ('client backend', 'walsender')
 order by a.pid
