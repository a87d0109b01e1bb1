-- charities_top: all charities by points received, best first, also those that received nothing.
-- It reads the giving boards' rollup. Who gave both with a name and without one is one contributor.
-- $1 timestamptz now
select c.id, c.slug, c.name, coalesce(sum(s.points), 0) as points,
       count(s.player_id) - (
         select count(*)
           from standing a join standing n on n.board_id = a.board_id and n.player_id = - a.player_id
          where a.board_id = c.board_id and a.player_id < 0
       ) as contributors,
       max(s.reached_at) as reached_at, c.goal, c.url, c.description,
       c.opens_at, c.closes_at, c.closes_at <= $1::timestamptz as final
  from charity c left join standing s on s.board_id = c.board_id
 group by c.id
 order by points desc, max(s.reached_at) nulls last, c.id
