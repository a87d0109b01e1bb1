-- callers_published: whether the publication says when a device, a key or a game has changed, or players were merged.
-- One that lacks any of these tables does not.
-- returns Bool
select count(*) = 4
  from pg_publication_tables p
 where p.pubname = 'causeboard' and p.schemaname = 'public' and p.tablename in ('device', 'game_key', 'game', 'merge')
