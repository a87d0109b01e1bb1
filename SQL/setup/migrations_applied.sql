-- migrations_applied: the migrations that have been applied, in order, and the number of the oldest newest migration
-- with which a server may go on after each. The list of an older server lacks that column, so it is read by its name.
select m.number, m.name, m.checksum, coalesce((to_jsonb(m) ->> 'compatible_since')::int, m.number)
  from migration m
 order by m.number
