-- migrations_exist: whether anything was ever migrated here, and whether the list says since when servers are
-- compatible, as that of an older server does not.
select to_regclass('migration') is not null,
       exists (
         select from pg_attribute a
          where a.attrelid = to_regclass('migration') and a.attname = 'compatible_since' and not a.attisdropped
       )
