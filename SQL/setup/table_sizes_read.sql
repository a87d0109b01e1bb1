-- table_sizes_read: the bytes of the eight tables with most rows, with their indexes: a name and a size each, by name.
-- A size waits for whoever has locked its table for himself, so nothing else is asked together with these.
-- returns TableSize
select relname::text, coalesce(pg_total_relation_size(relid), 0)
  from (select relname, relid from pg_stat_user_tables where schemaname = current_schema()
         order by n_live_tup + n_dead_tup desc, relname limit 8) as table_of_most_rows
 order by relname
