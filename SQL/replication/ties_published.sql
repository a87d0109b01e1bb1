-- ties_published: whether the publication includes changes of ties and merges.
-- returns Bool
select count(*) = 2
  from pg_publication_tables p
 where p.pubname = 'causeboard' and p.schemaname = 'public' and p.tablename in ('tie', 'merge')
