-- relations_present: what is in a database that was expected to be empty.
-- Names of tables, views and sequences, 5 at most, and how many there are.
-- returns names: [String], count: Int64
with present as (
  select n.nspname || '.' || c.relname as name
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
   where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f')
     and n.nspname not in ('pg_catalog', 'information_schema')
     and n.nspname not like 'pg\_toast%'
     and n.nspname not like 'pg\_temp%'
     and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
)
select array(select name from present order by name limit 5), (select count(*) from present)
