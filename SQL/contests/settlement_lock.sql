-- settlement_lock: locks the settling of challenges until this transaction ends; false if another process holds it.
-- returns Bool
select pg_try_advisory_xact_lock(1734964838, 9)
