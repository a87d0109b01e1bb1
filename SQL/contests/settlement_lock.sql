-- settlement_lock: lets nobody else settle challenges until this transaction ends; false when somebody does so already.
-- returns Bool
select pg_try_advisory_xact_lock(1734964838, 9)
