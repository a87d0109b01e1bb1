-- own_standing: where a player is told that it stands on a board, or in a range of its days; nothing for one of whom
-- nothing is held, who stands where everybody sees it, and for one who is hidden.
-- $1 bigint player   $2 int board   $3 date first day, or null for all time   $4 date last day, or null
-- $5 timestamptz now
select y.order_key, y.reached_at, w.player_id
  from wallet w
  join player p on p.id = w.player_id and not p.hidden
 cross join lateral own_standing(w.player_id, $2, $3, $4, $5) y
 where w.player_id = $1 and (w.holds > 0 or w.secret_until > $5)
