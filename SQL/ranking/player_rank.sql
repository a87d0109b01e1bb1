-- player_rank: the displayed rank of a player on a board, all time of its season; hidden players above do not count; no row without a standing.
-- Where equal points share a rank only better points count, else the whole order does.
-- $1 int board   $2 bigint player
select 1 + (select count(*) from standing o where o.board_id = s.board_id and o.order_key < s.order_key)
         - (select count(*) from player h join standing o on o.board_id = s.board_id and o.player_id = h.id where h.hidden and o.order_key < s.order_key)
         + case when b.ties = 'shared' then 0 else
             (select count(*) from standing o where o.board_id = s.board_id and o.order_key = s.order_key and (o.reached_at, o.player_id) < (s.reached_at, s.player_id))
           - (select count(*) from player h join standing o on o.board_id = s.board_id and o.player_id = h.id
               where h.hidden and o.order_key = s.order_key and (o.reached_at, o.player_id) < (s.reached_at, s.player_id))
           end as rank
  from standing s join board b on b.id = s.board_id
 where s.board_id = $1 and s.player_id = $2
