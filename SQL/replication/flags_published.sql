-- flags_published: whether the publication says which flag a player shows. An older one does not.
-- returns Bool
select exists (
         select
           from pg_publication_tables p
          where p.pubname = 'causeboard' and p.schemaname = 'public' and p.tablename = 'player'
            and 'flag' = any(p.attnames)
       )
