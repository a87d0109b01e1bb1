-- teams_published: whether the stream says when a team or its members have changed.
-- returns Bool
select count(*) = 2 from pg_publication_tables p where p.pubname = 'causeboard' and p.tablename in ('member', 'team')
