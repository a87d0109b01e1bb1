-- campaign_sum: what was donated on the days of a campaign over donations, anonymous donations too, and by how many
-- players by name.
-- $1 text slug: Slug
-- returns points: Int128, contributors: Int64
select coalesce(sum(t.points), 0)::numeric, count(distinct t.player_id) filter (where t.player_id > 0)
  from campaign c join tally t on t.board_id = c.board_id and t.day between c.first_day and c.last_day
 where c.slug = $1
