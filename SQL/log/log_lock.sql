-- log_lock: lets nobody else write into the log until this transaction ends. It is the last lock that is taken.
-- A lock of the table would take the right to change the log, which nobody has.
-- returns String
select pg_advisory_xact_lock(1734964838, 1)::text
