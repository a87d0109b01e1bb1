-- migrations_exist: whether anything was ever migrated here.
-- returns Bool
select to_regclass('migration') is not null
