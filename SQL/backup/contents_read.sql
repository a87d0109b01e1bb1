-- contents_read: each table with the number of its rows and a sum over all of them that goes by no order, by which two
-- copies are compared. All versions of PostgreSQL say the same. What servers measure for themselves is left out.
-- The table's name, its rows, and the sum in decimal digits.
-- returns TableContents(table, rows, sum)
select c.relname::text,
       substring(x.found from '<rows>(\d+)</rows>')::bigint,
       substring(x.found from '<sum>(\d+)</sum>')
  from pg_class c
 cross join lateral (
   select query_to_xml(
            format(
              'select count(*) as rows, coalesce(sum((''x'' || left(md5((the_row.*)::text), 15))::bit(60)::bigint), 0) '
              'as sum from %s the_row', c.oid::regclass),
            true, true, '')::text
 ) x (found)
 where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> 'board_measure'
 order by c.relname collate "C"
