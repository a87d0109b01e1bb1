-- held_page: scores that wait for the verdict of their game, the soonest due first.
-- $1 text game slug   $2 timestamptz now   $3 timestamptz the instant before the first
-- $4 uuid the item at that instant   $5 int rows
select h.item, b.slug, s.player_id, s.id, s.points, s.played_at, n.detail, s.reached_at, h.judge_until
  from game g
  join held_score h on h.game_id = g.id
  join score_state m on m.player_id = h.player_id and m.id = h.id and m.state = 'held'
  join score s on s.player_id = h.player_id and s.id = h.id
  join board b on b.id = s.board_id
  left join score_note n on n.player_id = s.player_id and n.id = s.id
 where g.slug = $1 and h.judge_until > $2 and (h.judge_until, h.item) > ($3, $4)
 order by h.judge_until, h.item
 limit $5::int
