-- award_list: the awards of a game, by slug, with how often each was given and the version of its settings.
-- $1 text game: Slug   $2 text slug: Slug? = nil, null for all
-- returns AwardListing
select a.id, a.slug, a.name, a.text, a.rule, a.at_least, a.board_slug, a.season, a.contest, a.by_day,
       a.secret, coalesce(t.given, 0), a.xmin::text
  from game g
  join award a on a.game_id = g.id
  left join award_total t on t.award_id = a.id
 where g.slug = $1 and ($2::text is null or a.slug = $2)
 order by a.slug
