extension OracleText {
    static let scoreBatch: StaticString = #"""
        -- score_batch: records scores and says what became of each. A row that is refused never harms its neighbours.
        -- callers_resolve has run earlier in this transaction, with the callers of these rows first.
        --
        -- Who calls: a device by its token; a game by its key, for a player or for a device; a device alone, as the classic
        -- protocol does; or a player whom the server knows already.
        -- One row of a player is judged at a time, because each is judged by what the one before it left. The others are
        -- `deferred` and are asked again, as are the rows of a player whom somebody else had locked.
        -- A row without the client's own id is a retry of the equal row that arrived within 60 s of it.
        -- A batch is sent again when its answer was lost. A row that the first try committed is in the ledger with this very
        -- arrival: it is `recorded` once more, and no retry of the client's.
        --
        -- $1 bytea[] token hash, or null   $2 bytea[] key hash, or null   $3 bytea[] device hash, or null
        -- $4 bigint[] player, or null   $5 text[] game slug   $6 text[] board slug   $7 uuid[] id   $8 bigint[] points
        -- $9 timestamptz[] played at, or null   $10 text[] detail, or null   $11 text[] name it came with, or null
        -- $12 bool[] classic   $13 bool[] no client id   $14 timestamptz[] arrival, unique in the batch
        -- $15 timestamptz now   $16 bool whether an earlier try of the batch may have been committed
        with

        -- Finds each row's player and board, the season that is played now, and refuses callers who may not post there.
        resolved as materialized (
          select v.n, p.id as player_id, g.id as game_id, b.id as board_id,
                 v.game, v.board, v.id, v.points, v.played_at, v.detail, v.name, v.classic, v.no_client_id, v.reached_at,
                 (v.reached_at at time zone b.zone)::date as day,
                 b.ties, b.policy, b.sign, b.lowest_first, b.points_min, b.points_max, b.opens_at, b.closes_at, b.zone,
                 b.earns, b.earns_fixed, b.earn_max, b.earn_day,
                 case
                   when v.token is not null and p.id is null then 'unauthorized'
                   when v.key is not null and k.game_id is null then 'unauthorized'
                   when g.id is null then 'no-board'
                   when k.game_id <> g.id then 'forbidden'
                   when v.token is not null and p.game_id <> g.id then 'unauthorized'
                   when v.token is not null and v.named_player <> p.id then 'forbidden'
                   -- A device that speaks for itself, by its id alone.
                   when v.key is null and v.device is not null and g.classic <> 'open' then 'protocol-closed'
                   when v.key is null and v.device is not null
                    and exists (select from device d where d.hash = v.device and d.token_hash is not null) then 'token-needed'
                   when p.id is null or p.game_id <> g.id then 'no-player'
                   -- The player is not locked, or an earlier row of the batch is the player's too.
                   when p.id <> all((select current_setting('causeboard.locked')::bigint[])::bigint[]) then 'deferred'
                   when array_position((select current_setting('causeboard.players')::bigint[]), p.id) < v.n then 'deferred'
                 end as refused
            from unnest(
                   $1::bytea[], $2::bytea[], $3::bytea[], $4::bigint[], $5::text[], $6::text[], $7::uuid[], $8::bigint[],
                   $9::timestamptz[], $10::text[], $11::text[], $12::bool[], $13::bool[], $14::timestamptz[],
                   (current_setting('causeboard.players')::bigint[])[:cardinality($7::uuid[])]
                 ) with ordinality v(
                   token, key, device, named_player, game, board, id, points,
                   played_at, detail, name, classic, no_client_id, reached_at,
                   player_id, n
                 )
            left join game_key k on k.hash = v.key and k.revoked_at is null
            left join player p on p.id = v.player_id
            left join game g on g.slug = v.game
            left join board b on b.kind = 'score' and b.game_id = g.id and b.slug = v.board and b.season_ended_at is null
        ),

        -- Judges each row by what is there before it: the wallet, the standing, the day, and the row that it may repeat.
        judged as materialized (
          select r.*,
                 w.earned as earned_before, w.voided + w.held + w.given as spent_before,
                 s.points as standing_before, s.reached_at as standing_reached_before,
                 t.points as day_before, t.reached_at as day_reached_before,
                 k.id as known_id, k.points as known_points, k.earned as known_earned, k.improved as known_improved,
                 k.board_id as known_board_id,
                 case
                   -- Without a wallet nothing will change.
                   when r.refused = 'deferred' and w.player_id is null then 'no-player'
                   when r.refused is not null then r.refused
                   when k.id is not null then
                     case
                       when $16::bool and k.reached_at = r.reached_at then 'committed'
                       when r.no_client_id then 'retry'
                       when exists (
                         select from board kb left join score_note kn on kn.player_id = k.player_id and kn.id = k.id
                          where kb.id = k.board_id
                            and (kb.game_id, kb.slug, k.points, k.played_at, kn.detail)
                                is not distinct from (r.game_id, r.board, r.points, r.played_at, r.detail)
                       ) then 'retry'
                       else 'conflict'
                     end
                   when r.board_id is null then 'no-board'
                   when r.reached_at < r.opens_at or r.reached_at >= r.closes_at then 'board-closed'
                   when r.points not between r.points_min and r.points_max then 'out-of-bounds'
                   when r.policy = 'sum' and abs(s.points::numeric + r.points) > 9223372036854775807 then 'out-of-bounds'
                   when r.policy = 'sum' and abs(t.points::numeric + r.points) > 9223372036854775807 then 'out-of-bounds'
                   else 'recorded'
                 end as outcome
            from resolved r
            left join wallet w on w.player_id = r.player_id
            left join standing s on s.board_id = r.board_id and s.player_id = r.player_id
            left join tally t on t.board_id = r.board_id and t.day = r.day and t.player_id = r.player_id
            left join score k on k.player_id = r.player_id and k.id = case when not r.no_client_id then r.id else (
                   select e.id
                     from score e left join score_note n on n.player_id = e.player_id and n.id = e.id
                    where e.no_client_id
                      and e.player_id = r.player_id
                      and e.board_id = r.board_id
                      and e.points = r.points
                      and n.name is not distinct from r.name
                      and e.reached_at between r.reached_at - interval '60 seconds' and r.reached_at + interval '60 seconds'
                    order by e.reached_at desc
                    limit 1
                 ) end
        ),

        -- Computes what a recorded row makes of the standing, the day and the wallet; any other row leaves them as they are.
        computed as materialized (
          select j.*,
                 outcome in ('retry', 'committed') as is_repeat,
                 case when outcome <> 'recorded' then standing_before
                      else points_after(policy, sign, standing_before, standing_reached_before, points, reached_at)
                 end as standing_after,
                 case when outcome <> 'recorded' then standing_reached_before
                      else reached_after(policy, sign, standing_before, standing_reached_before, points, reached_at)
                 end as standing_reached_after,
                 case when outcome <> 'recorded' then day_before
                      else points_after(policy, sign, day_before, day_reached_before, points, reached_at)
                 end as day_after,
                 case when outcome <> 'recorded' then day_reached_before
                      else reached_after(policy, sign, day_before, day_reached_before, points, reached_at)
                 end as day_reached_after,
                 -- Earns by the board's rule, as far as it fits under the post's, the day's and the wallet's limit.
                 case when outcome <> 'recorded' then 0 else greatest(0, least(
                   case
                     when points < 0 then 0
                     -- A classic row earns nothing when an equal one earned that UTC day.
                     when classic and exists (
                       select from score e
                        where e.player_id = j.player_id
                          and e.board_id = j.board_id
                          and e.points = j.points
                          and e.earned > 0
                          and e.reached_at >= date_trunc('day', j.reached_at at time zone 'UTC') at time zone 'UTC'
                          and e.reached_at < (date_trunc('day', j.reached_at at time zone 'UTC') + interval '1 day')
                                             at time zone 'UTC'
                     ) then 0
                     when earns = 'points' then points
                     when earns = 'fixed' then earns_fixed
                     when earns = 'improvement' and standing_before is null and lowest_first then 0
                     when earns = 'improvement' and standing_before is null then points
                     when earns = 'improvement' and policy = 'best' then (points::numeric - standing_before) * sign
                     -- Only a board that keeps the best has it as its standing. Elsewhere the best is asked of the ledger, or a
                     -- worse post would make room for the same rise again.
                     when earns = 'improvement' then (points::numeric - (
                       select max(e.points * sign) * sign
                         from score e
                        where e.player_id = j.player_id and e.board_id = j.board_id
                     )) * sign
                     else 0
                   end,
                   earn_max,
                   case when earn_day is not null then earn_day - (
                     -- The hours around the day are for the index. Where clocks go back at 1:00, as on the Azores, its midnight
                     -- comes twice.
                     select coalesce(sum(e.earned), 0)
                       from score e
                      where e.player_id = j.player_id
                        and e.board_id = j.board_id
                        and e.reached_at between (j.day::timestamp at time zone j.zone) - interval '3 hours'
                                             and ((j.day + 1)::timestamp at time zone j.zone) + interval '3 hours'
                        and coalesce(e.day, (e.reached_at at time zone j.zone)::date) = j.day
                   ) end,
                   9007199254740991 - earned_before    -- the most that a wallet can have earned
                 ))::bigint end as earned
            from judged j
        ),

        -- Writes the ledger, and in the same transaction what is derived from it.
        ledger as (
          insert into score (
            player_id, id, board_id, points, earned, improved, no_client_id, played_at, reached_at, recorded_at, day)
          select player_id, id, board_id, points, earned, coalesce(standing_after * sign > standing_before * sign, true),
                 no_client_id, played_at, reached_at, $15, day
            from computed
           where outcome = 'recorded'
        ),
        notes as (
          insert into score_note (player_id, id, name, detail)
          select player_id, id, name, detail
            from computed
           where outcome = 'recorded' and (name is not null or detail is not null)
        ),
        wallet_update as (
          update wallet w
             set earned = w.earned + c.earned
            from computed c
           where w.player_id = c.player_id and c.earned > 0
        ),
        tally_update as (
          insert into tally (board_id, day, player_id, points, reached_at)
          select board_id, day, player_id, day_after, day_reached_after
            from computed
           where (day_after, day_reached_after) is distinct from (day_before, day_reached_before)
          on conflict (board_id, day, player_id) do update set points = excluded.points, reached_at = excluded.reached_at
        ),
        standing_update as (
          insert into standing (board_id, player_id, points, reached_at, lowest_first)
          select board_id, player_id, standing_after, standing_reached_after, lowest_first
            from computed
           where (standing_after, standing_reached_after) is distinct from (standing_before, standing_reached_before)
          on conflict (board_id, player_id) do update set points = excluded.points, reached_at = excluded.reached_at
        )

        -- Answers. A repeat is told of the board and the season in which it was recorded, also when that one has ended.
        select c.n,
               case when c.outcome = 'committed' then 'recorded' else c.outcome end as outcome,
               c.player_id,
               coalesce(c.known_id, c.id) as id,
               case when c.is_repeat then c.known_board_id else c.board_id end as board_id,
               case when c.is_repeat then (select b.ties from board b where b.id = c.known_board_id) else c.ties end as ties,
               coalesce(c.known_points, c.points) as points,
               coalesce(c.known_earned, c.earned) as earned,
               case when c.is_repeat
                    then (select s.points from standing s where s.board_id = c.known_board_id and s.player_id = c.player_id)
                    else c.standing_after
               end as best,
               case when c.outcome = 'recorded' then coalesce(c.standing_after * c.sign > c.standing_before * c.sign, true)
                    else coalesce(c.known_improved, false)
               end as improved,
               case when c.earned_before is not null
                    then greatest(0, c.earned_before + c.earned - c.spent_before)
               end as remaining
          from computed c
         order by c.n
        """#
}
