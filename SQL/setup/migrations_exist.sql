-- migrations_exist: has anything ever been migrated here?
select to_regclass('migration') is not null
