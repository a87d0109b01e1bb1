-- ties_published: whether the publication says when a player has said something of another, or players were merged.
-- returns Bool
select count(*) = 2
  from pg_publication_tables p
 where p.pubname = 'causeboard' and p.schemaname = 'public' and p.tablename in ('tie', 'merge')
