-- score_batch: records scores and says what became of each; callers_take has run earlier in this transaction, with the callers of these rows first.
-- A row is judged by who calls and by what the books hold, so one bad row never harms its neighbours. The board is the season that is played now.
-- Who calls: a device's token; a game's key, with a player or a device; a device alone, as the classic protocol does; or a player who is known already.
-- Of a player's rows one is judged at a time: a second one is `later`, and asked again, as is one whose player was not there to be locked. A row without
-- the client's own id (idless) repeats the equal one of the 60 s around it. What an earlier try of the batch committed, whose answer was lost, is in the
-- ledger with this very arrival: it is `recorded` once more, and not a retry of the client's. A classic row earns nothing when an equal one earned that UTC day.
-- $1 bytea[] token hash, or null   $2 bytea[] key hash, or null   $3 bytea[] device hash, or null   $4 bigint[] player, or null   $5 text[] game slug
-- $6 text[] board slug   $7 uuid[] id   $8 bigint[] points   $9 timestamptz[] played at, or null   $10 text[] detail, or null
-- $11 text[] name it came with, or null   $12 bool[] classic   $13 bool[] idless   $14 timestamptz[] arrival, unique in the batch   $15 timestamptz now
-- $16 bool whether an earlier try of the batch may have been committed
with called as materialized (
  select v.n, p.id as player_id, v.game, v.board, v.id, v.points, v.played_at, v.detail, v.name, v.classic, v.idless, v.reached_at,
         b.id as board_id, b.ties, b.policy, b.sign, b.lowest_first, b.earns, b.earns_fixed, b.earn_max, b.earn_day, b.points_min, b.points_max,
         b.opens_at, b.closes_at, b.zone, g.id as game_id, (v.reached_at at time zone b.zone)::date as day,
         case when (v.token is not null and p.id is null) or (v.key is not null and k.game_id is null) then 'unauthorized'
              when g.id is null then 'no-board'
              when k.game_id <> g.id then 'forbidden'
              when v.token is not null and p.game_id <> g.id then 'unauthorized'
              when v.token is not null and v.said_player <> p.id then 'forbidden'
              when v.key is null and v.device is not null and g.classic <> 'open' then 'protocol-closed'
              when v.key is null and v.device is not null and exists (select from device d where d.hash = v.device and d.token_hash is not null) then 'token-needed'
              when p.id is null or p.game_id <> g.id then 'no-player'
              when p.id <> all((select current_setting('causeboard.locked')::bigint[])::bigint[])
                or array_position((select current_setting('causeboard.players')::bigint[]), p.id) < v.n then 'later' end as refused
    from unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bigint[], $5::text[], $6::text[], $7::uuid[], $8::bigint[], $9::timestamptz[], $10::text[], $11::text[],
                $12::bool[], $13::bool[], $14::timestamptz[], (current_setting('causeboard.players')::bigint[])[:cardinality($7::uuid[])]) with ordinality
         v(token, key, device, said_player, game, board, id, points, played_at, detail, name, classic, idless, reached_at, player_id, n)
    left join game_key k on k.hash = v.key and k.revoked_at is null
    left join player p on p.id = v.player_id
    left join game g on g.slug = v.game
    left join board b on b.kind = 'score' and b.game_id = g.id and b.slug = v.board and b.season_ended_at is null
), judged as materialized (
  select a.*, w.earned as w_earned, w.voided + w.held + w.given as w_gone, s.points as s0, s.reached_at as s0_at, t.points as t0, t.reached_at as t0_at,
         k.id as known_id, k.points as known_points, k.earned as known_earned, k.improved as known_improved, k.board_id as known_board_id,
         case when a.refused = 'later' and w.player_id is null then 'no-player'
              when a.refused is not null then a.refused
              when k.id is not null then
                case when $16::bool and k.reached_at = a.reached_at then 'committed'
                     when a.idless or exists (
                       select from board kb left join score_note kn on kn.player_id = k.player_id and kn.id = k.id
                        where kb.id = k.board_id and (kb.game_id, kb.slug, k.points, k.played_at, kn.detail) is not distinct from (a.game_id, a.board, a.points, a.played_at, a.detail))
                     then 'retry' else 'conflict' end
              when a.board_id is null then 'no-board'
              when a.reached_at < a.opens_at or a.reached_at >= a.closes_at then 'board-closed'
              when a.points not between a.points_min and a.points_max then 'out-of-bounds'
              when a.policy = 'sum' and (abs(s.points::numeric + a.points) > 9223372036854775807 or abs(t.points::numeric + a.points) > 9223372036854775807) then 'out-of-bounds'
              else 'recorded' end as outcome
    from called a
    left join wallet w on w.player_id = a.player_id
    left join standing s on s.board_id = a.board_id and s.player_id = a.player_id
    left join tally t on t.board_id = a.board_id and t.day = a.day and t.player_id = a.player_id
    left join score k on k.player_id = a.player_id and k.id = case when not a.idless then a.id else (
      select r.id from score r left join score_note n on n.player_id = r.player_id and n.id = r.id
       where r.idless and r.player_id = a.player_id and r.board_id = a.board_id and r.points = a.points and n.name is not distinct from a.name
         and r.reached_at between a.reached_at - interval '60 seconds' and a.reached_at + interval '60 seconds'
       order by r.reached_at desc limit 1) end
), reckoned as materialized (      -- what a recorded row makes of the standing, the day and the wallet; the others leave them as they are
  select j.*,
         case when outcome <> 'recorded' then s0 when s0 is null then points when policy = 'sum' then s0 + points
              when policy = 'best' then case when points * sign > s0 * sign then points else s0 end
              when (reached_at, points * sign) >= (s0_at, s0 * sign) then points else s0 end as s1,
         case when outcome <> 'recorded' then s0_at when s0 is null or policy <> 'best' then greatest(s0_at, reached_at)
              when points * sign > s0 * sign then reached_at when points = s0 then least(s0_at, reached_at) else s0_at end as s1_at,
         case when outcome <> 'recorded' then t0 when t0 is null then points when policy = 'sum' then t0 + points
              when policy = 'best' then case when points * sign > t0 * sign then points else t0 end
              when (reached_at, points * sign) >= (t0_at, t0 * sign) then points else t0 end as t1,
         case when outcome <> 'recorded' then t0_at when t0 is null or policy <> 'best' then greatest(t0_at, reached_at)
              when points * sign > t0 * sign then reached_at when points = t0 then least(t0_at, reached_at) else t0_at end as t1_at,
         -- What it earns: by the board's rule, then what still fits under the post's, the day's and the wallet's limit.
         case when outcome = 'recorded' then greatest(0, least(
           case when points < 0 then 0
                when classic and exists (
                  select from score r where r.player_id = j.player_id and r.board_id = j.board_id and r.points = j.points and r.earned > 0
                    and r.reached_at >= date_trunc('day', j.reached_at at time zone 'UTC') at time zone 'UTC'
                    and r.reached_at <  (date_trunc('day', j.reached_at at time zone 'UTC') + interval '1 day') at time zone 'UTC') then 0
                when earns = 'points' then points
                when earns = 'fixed' then earns_fixed
                when earns = 'improvement' and s0 is null then case when lowest_first then 0 else points end
                -- Only a board that keeps the best has it as its standing; elsewhere a worse post would make room for the same rise again.
                when earns = 'improvement' then (points::numeric - case when policy = 'best' then s0 else (
                  select max(r.points * sign) * sign from score r where r.player_id = j.player_id and r.board_id = j.board_id) end) * sign
                else 0 end,
           earn_max,
           case when earn_day is not null then earn_day - (
             -- The hours around the day are for the index. Where clocks go back at 1:00, as on the Azores, its midnight comes twice.
             select coalesce(sum(r.earned), 0) from score r where r.player_id = j.player_id and r.board_id = j.board_id
               and r.reached_at between (j.day::timestamp at time zone j.zone) - interval '3 hours' and ((j.day + 1)::timestamp at time zone j.zone) + interval '3 hours'
               and (r.reached_at at time zone j.zone)::date = j.day) end,
           9007199254740991 - w_earned))::bigint else 0 end as earned
    from judged j
), ledger as (
  insert into score (player_id, id, board_id, points, earned, improved, idless, played_at, reached_at, recorded_at)
  select player_id, id, board_id, points, earned, coalesce(s1 * sign > s0 * sign, true), idless, played_at, reached_at, $15 from reckoned where outcome = 'recorded'
), words as (
  insert into score_note (player_id, id, name, detail) select player_id, id, name, detail from reckoned where outcome = 'recorded' and (name is not null or detail is not null)
), purse as (
  update wallet w set earned = w.earned + r.earned from reckoned r where w.player_id = r.player_id and r.earned > 0
), daily as (
  insert into tally (board_id, day, player_id, points, reached_at)
  select board_id, day, player_id, t1, t1_at from reckoned where (t1, t1_at) is distinct from (t0, t0_at)
  on conflict (board_id, day, player_id) do update set points = excluded.points, reached_at = excluded.reached_at
), total as (
  insert into standing (board_id, player_id, points, reached_at, lowest_first)
  select board_id, player_id, s1, s1_at, lowest_first from reckoned where (s1, s1_at) is distinct from (s0, s0_at)
  on conflict (board_id, player_id) do update set points = excluded.points, reached_at = excluded.reached_at
)
-- What was recorded in a season that has ended is told of that season.
select r.n, case when r.outcome = 'committed' then 'recorded' else r.outcome end as outcome, r.player_id, coalesce(r.known_id, r.id) as id,
       case when r.outcome in ('retry', 'committed') then r.known_board_id else r.board_id end as board_id,
       case when r.outcome in ('retry', 'committed') then (select b.ties from board b where b.id = r.known_board_id) else r.ties end as ties,
       coalesce(r.known_points, r.points) as points, coalesce(r.known_earned, r.earned) as earned,
       case when r.outcome in ('retry', 'committed') then (select x.points from standing x where x.board_id = r.known_board_id and x.player_id = r.player_id)
            else r.s1 end as best,
       case when r.outcome = 'recorded' then coalesce(r.s1 * r.sign > r.s0 * r.sign, true) else coalesce(r.known_improved, false) end as improved,
       case when r.w_earned is not null then greatest(0, r.w_earned + r.earned - r.w_gone) end as remaining
  from reckoned r
 order by r.n
