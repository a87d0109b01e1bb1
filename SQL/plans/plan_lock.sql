-- plan_lock: lets nobody else carry out plans until this transaction ends; false when somebody does so already.
-- returns Bool
select pg_try_advisory_xact_lock(1734964838, 8)
