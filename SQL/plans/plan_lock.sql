-- plan_lock: locks the running of plans until this transaction ends; false if another process holds it.
-- returns Bool
select pg_try_advisory_xact_lock(1734964838, 8)
