-- board_list: the boards that are played now, score boards by game first, then those of donations, with the version of
-- their settings.
-- $1 text game: Slug?, null for all   $2 text board: Slug? = nil, null for all
-- $3 text[] = BoardSettings.table.columns, which values to return
-- returns BoardListing
select b.kind, g.slug, b.slug, b.season, b.next_season_on, b.xmin::text,
       array(select j.row ->> c.name from unnest($3::text[]) with ordinality c(name, place) order by c.place)
  from board b
 cross join lateral (select to_jsonb(b) as row offset 0) j
  left join game g on g.id = b.game_id
 where b.season_ended_at is null and ($1::text is null or g.slug = $1)
   and ($2::text is null or b.slug = $2)
 order by b.kind desc, g.slug, b.slug
