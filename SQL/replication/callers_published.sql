-- callers_published: whether the publication says when a device, a key or a game has changed. One that an older server
-- made does not.
select count(*) = 3
  from pg_publication_tables p
 where p.pubname = 'causeboard' and p.schemaname = 'public' and p.tablename in ('device', 'game_key', 'game')
