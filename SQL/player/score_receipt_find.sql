-- score_receipt_find: what was recorded of a score, and what stands on its board and in the wallet now. The player's
-- own
-- score under the id comes before that of one who is one with it.
-- What is held is told as `published_state` says, and the place is the player's own.
-- $1 bigint player: Player.ID   $2 uuid id   $3 text game: Slug   $4 text board: Slug   $5 timestamptz now
-- returns RecordedScore
select w.player_id, s.id, g.slug, b.slug, b.id as board_id, b.ties, b.season, s.points, s.earned,
       s.played_at, n.detail, s.reached_at,
       coalesce(h.points,
                (select t.points from standing t where t.board_id = s.board_id and t.player_id = w.player_id)) as best,
       s.improved, published_left(w, $5) as remaining, coalesce(published_state(m, $5), 'counted') as state,
       h.order_key as own_key, h.reached_at as own_reached, w.player_id as own_row
  from score s
  left join merge o on o.player_id = s.player_id
  join board b on b.id = s.board_id
  join game g on g.id = b.game_id
  join wallet w on w.player_id = coalesce(o.survivor_id, s.player_id)
  left join score_note n on n.player_id = s.player_id and n.id = s.id
  left join score_state m on m.player_id = s.player_id and m.id = s.id
  left join lateral (
         select y.points::bigint as points, y.reached_at, y.order_key
           from own_standing(w.player_id, s.board_id, null, null, $5) y
          where w.holds > 0 or w.secret_until > $5
       ) h on true
 where s.player_id = any(members($1)) and s.id = $2 and g.slug = $3 and b.slug = $4
 order by s.player_id = $1 desc, s.player_id
 limit 1
