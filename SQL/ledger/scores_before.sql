-- scores_before: what is there before each score of a batch: the player's place on the board and on the day, and
-- whether the ledger has a row under the id. wallets_lock has run earlier in this transaction.
-- $1 text[] game slug of each board   $2 text[] its slug
-- $3 bigint[] player of each score   $4 int[] its board among those, from 1   $5 uuid[] id   $6 timestamptz[] arrival
with boards as materialized (
  select d.n, b.id, b.zone
    from unnest($1::text[], $2::text[]) with ordinality d(game, board, n)
    join game g on g.slug = d.game
    join board b on b.kind = 'score' and b.game_id = g.id and b.slug = d.board and b.season_ended_at is null
)
select v.day, s.points as standing, s.reached_at as standing_reached, t.points as tally, t.reached_at as tally_reached,
       k.id is not null as is_known
  from (
         select u.player_id, u.id, u.n, b.id as board_id, (u.reached_at at time zone b.zone)::date as day
           from unnest($3::bigint[], $4::int[], $5::uuid[], $6::timestamptz[])
                with ordinality u(player_id, board, id, reached_at, n)
           left join boards b on b.n = u.board
       ) v
  left join standing s on s.board_id = v.board_id and s.player_id = v.player_id
  left join tally t on t.board_id = v.board_id and t.day = v.day and t.player_id = v.player_id
  left join score k on k.player_id = v.player_id and k.id = v.id
 order by v.n
