-- awards_lock: lets one transaction at a time decide who has awards. It waits for the one before.
-- returns String
select pg_advisory_xact_lock(1734964838, 7)::text
