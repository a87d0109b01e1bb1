-- charities_top: charities by points received, best first; a charity without gifts is there too. Reads the giving boards' rollup, a row a contributor.
-- $1 int rows, 1...101   $2 timestamptz now
select c.slug, c.name, coalesce(sum(s.points), 0) as points, count(s.player_id) as contributors, max(s.reached_at) as reached_at, c.goal, c.url, c.description,
       c.closes_at <= $2::timestamptz as final
  from charity c left join standing s on s.board_id = c.board_id
 group by c.id
 order by points desc, max(s.reached_at) nulls last, c.id
 limit $1::int
