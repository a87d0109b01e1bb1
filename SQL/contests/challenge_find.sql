-- challenge_find: a challenge of a board, for a player who is or was invited to it.
-- $1 bigint player: Player.ID   $2 uuid id   $3 text game: Slug   $4 text board: Slug   $5 timestamptz now
-- returns Challenge
select c.id, g.slug, b.slug, b.season, b.ties,
       case when c.made_by <> 0
         then coalesce((select m.survivor_id from merge m where m.player_id = c.made_by), c.made_by)
       end as made_by,
       c.first_day, c.last_day, day_start(c.first_day, b.zone) as begins_at, challenge_until(c, b) as ends_at,
       challenge_state(c, b, $5) as state, c.stake, c.made_at, c.settled_at, e.state as answer
  from challenge c
  join board b on b.id = c.board_id
  join game g on g.id = b.game_id
  join lateral entry_of($1, $2) e on e.state <> 'withdrawn'
 where c.id = $2 and g.slug = $3 and b.slug = $4
