-- donation_receipt: what was recorded of a donation, its row of the charity's giving board, and what is left to give.
-- $1 bigint player   $2 uuid id   $3 text charity slug
select d.id, c.slug, b.id as board_id, b.ties, giving_row_id(d.player_id, d.anonymous) as row_id, d.points, d.anonymous,
       d.reached_at, greatest(0, unspent(w)) as remaining, coalesce(m.unfunded, 0) as unfunded,
       coalesce(m.reversed, false) as reversed
  from donation d
  join charity c on c.id = d.charity_id
  join board b on b.id = c.board_id
  join wallet w on w.player_id = d.player_id
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where d.player_id = $1 and d.id = $2 and c.slug = $3
