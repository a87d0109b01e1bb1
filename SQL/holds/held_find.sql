-- held_find: a score of a game that was held, by its item: whose row it is, whether it still is held and until when the
-- game may judge it, and what the game has said of it.
-- $1 text game: Slug   $2 uuid item
-- returns HeldFound
select h.player_id as owner_id, h.id, coalesce(m.state, 'counted') as state, h.why, h.judge_until, h.verdict
  from held_score h
 cross join lateral (
         select x.board_id
           from score x
          where x.player_id = h.player_id and x.id = h.id
         offset 0                          -- found by its key, also by a plan that was made before there was any
       ) s
  join board b on b.id = s.board_id
  join game g on g.id = b.game_id
  left join score_state m on m.player_id = h.player_id and m.id = h.id
 where g.slug = $1 and h.item = $2
