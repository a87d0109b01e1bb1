-- donation_receipt_find: what was recorded of a donation, its row of the charity's donation board, and what is left to
-- donate. The player's own donation under the id comes before that of one who is one with it.
-- $1 bigint player: Player.ID   $2 uuid id   $3 text charity: Slug   $4 timestamptz now
-- returns RecordedDonation
select d.id, c.slug, b.id as board_id, b.ties, coalesce(d.row_id, w.player_id) as row_id, d.points,
       d.anonymous, d.reached_at, published_left(w, $4) as remaining, coalesce(m.unfunded, 0) as unfunded,
       coalesce(m.reversed, false) as reversed
  from donation d
  left join merge o on o.player_id = d.player_id
  join charity c on c.id = d.charity_id
  join board b on b.id = c.board_id
  join wallet w on w.player_id = coalesce(o.survivor_id, d.player_id)
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where d.player_id = any(members($1)) and d.id = $2 and c.slug = $3
 order by d.player_id = $1 desc, d.player_id
 limit 1
