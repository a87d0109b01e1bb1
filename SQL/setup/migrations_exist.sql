-- migrations_exist: whether anything was ever migrated here.
select to_regclass('migration') is not null
