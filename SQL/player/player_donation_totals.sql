-- player_donation_totals: what a player gave to each charity, and what of it anonymously, as only the player may see.
-- The rows are named in an array, for the index: with an `or` between them all standings were read.
-- $1 bigint player   $2 bool the anonymous ones too
select c.slug, s.points, s.player_id < 0 as anonymous
  from charity c
  join standing s on s.board_id = c.board_id
                 and s.player_id = any(case when $2::bool then array[$1::bigint, - $1] else array[$1] end)
 order by c.slug, s.player_id < 0
