-- challenge_entrants: all players with an answer to a challenge, and the points of those who entered, in a player's own
-- view.
-- $1 uuid id   $2 bigint asking: Player.ID?, the player, or null for what counts   $3 timestamptz now
-- returns Entrant
with entrant as materialized (
  select e.player_id, e.entry_player_id, e.state, e.charity_id, e.won from entrants_of($1) e
)
select p.id, p.name, p.avatar, p.flag, p.hidden, e.state, h.slug, e.won,
       (select case when bool_and(s.gave is not null) then sum(s.gave)::bigint end
          from stake_share s
         where s.player_id = e.entry_player_id and s.challenge = $1) as gave,
       w.points, w.reached_at, w.order_key
  from entrant e
  join shown_player p on p.id = e.player_id
  left join charity h on h.id = e.charity_id
  left join (challenge c
             cross join lateral contest_standing(
                          c.board_id, c.first_day, c.last_day,
                          array(select x.player_id from entrant x where x.state = 'entered'), $2, $3) w)
         on c.id = $1 and w.player_id = e.player_id
 order by w.order_key, w.reached_at, e.player_id
