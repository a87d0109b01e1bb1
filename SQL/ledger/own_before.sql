-- own_before: what is told to players of whom some scores are held, or were voided while they were: their places on the
-- boards of the scores of a batch and on their days, which nobody else sees, and what they earned in secret.
-- wallets_lock has run earlier in this transaction.
-- Rows come in the order of the arrays.
-- $1 bigint[] players: [Player.ID], player of each score   $2 int[] boards: [Board.ID?], its board, or null
-- $3 date[] days: [Day?], its day, or null   $4 timestamptz now
-- returns OwnContext
select y.points::bigint, y.reached_at, t.points::bigint as tally, t.reached_at as tally_reached,
       (s.held + s.voided)::bigint as secret
  from unnest($1::bigint[], $2::int[], $3::date[]) with ordinality v(player_id, board_id, day, n)
 cross join lateral secret_points(v.player_id, $4) s
  left join lateral own_standing(v.player_id, v.board_id, null, null, $4) y on true
  left join lateral own_standing(v.player_id, v.board_id, v.day, v.day, $4) t on true
 order by v.n
