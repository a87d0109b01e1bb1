-- game_list: games by slug, with the version of their settings. A salt is a secret, so an empty text stands for one.
-- $1 text slug: Slug? = nil, null for all   $2 text[] = GameSettings.table.columns, which values to return
-- returns GameListing
select g.slug, g.xmin::text,
       array(select j.row ->> s.name from unnest($2::text[]) with ordinality s(name, place) order by s.place)
  from game g
 cross join lateral (
         select to_jsonb(g) || jsonb_build_object('salt', case when g.salt is not null then '' end) as row offset 0
       ) j
 where $1::text is null or g.slug = $1
 order by g.slug
