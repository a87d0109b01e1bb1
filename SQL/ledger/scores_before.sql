-- scores_before: what is there before each score of a batch: the player's place on the board and on the day, and
-- whether the ledger has a row under the id. wallets_lock has run earlier in this transaction.
-- $1 bigint[] player   $2 text[] game slug   $3 text[] board slug   $4 uuid[] id   $5 timestamptz[] arrival
select v.day, s.points as standing, s.reached_at as standing_reached, t.points as tally, t.reached_at as tally_reached,
       k.id is not null as is_known
  from (
         select u.*, b.id as board_id, (u.reached_at at time zone b.zone)::date as day
           from unnest($1::bigint[], $2::text[], $3::text[], $4::uuid[], $5::timestamptz[])
                with ordinality u(player_id, game, board, id, reached_at, n)
           left join game g on g.slug = u.game
           left join board b
                  on b.kind = 'score' and b.game_id = g.id and b.slug = u.board and b.season_ended_at is null
       ) v
  left join standing s on s.board_id = v.board_id and s.player_id = v.player_id
  left join tally t on t.board_id = v.board_id and t.day = v.day and t.player_id = v.player_id
  left join score k on k.player_id = v.player_id and k.id = v.id
 order by v.n
