-- awards_shown: the newest awards of a player, as everybody sees them, or one of them; with the name of the campaign
-- whose final order gave one.
-- $1 bigint player: Player.ID   $2 text award: Slug? = nil, null for all   $3 int = Limits.awardsShown, rows
-- returns GivenAward
select a.slug, a.name, w.given_at, w.occasion, (select c.name from campaign c where c.slug = a.contest)
  from awards_of($1) w join award a on a.id = w.award_id
 where $2::text is null or a.slug = $2
 order by w.given_at desc, a.slug, w.occasion desc
 limit $3::int
