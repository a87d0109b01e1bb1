-- challenge_contestants: the players who have entered a challenge, each with its score, the charity that it named, and
-- the points that it could donate now, less what it owes to other settled challenges.
-- $1 uuid id   $2 timestamptz now
-- returns Contestant
with entrant as materialized (
  select e.player_id, e.entry_player_id, e.charity_id from entrants_of($1) e where e.state = 'entered'
)
select e.player_id, e.entry_player_id, h.id, h.slug,
       greatest(0, least(unspent(w), published_left(w, $2) - settling_points(w, $2)) - g.waiting)::bigint as ready,
       s.points, s.reached_at, s.order_key
  from entrant e
  join wallet w on w.player_id = e.player_id
  left join charity h on h.id = e.charity_id
 cross join lateral (
         select coalesce(sum(x.points), 0) as waiting
           from stake_share x
          where x.player_id = any(members(e.player_id)) and x.gave is null
            and not exists (
                  select from donation d where d.player_id = any(members(e.player_id)) and d.id = x.donation offset 0)
         offset 0
       ) g
  left join (challenge c
             cross join lateral contest_standing(
                          c.board_id, c.first_day, c.last_day, array(select x.player_id from entrant x), null, $2) s)
         on c.id = $1 and s.player_id = e.player_id
 order by e.player_id
