-- charity_list: charities by slug, with the version of their settings.
-- $1 text slug: Slug? = nil, null for all   $2 text[] = CharitySettings.table.columns, which values to return
-- returns CharityListing
select c.slug, c.xmin::text || '-' || b.xmin::text,
       array(select j.row ->> s.name from unnest($2::text[]) with ordinality s(name, place) order by s.place)
  from charity c
  join board b on b.id = c.board_id
 cross join lateral (select to_jsonb(c) || jsonb_build_object('zone', b.zone) as row offset 0) j
 where $1::text is null or c.slug = $1
 order by c.slug
