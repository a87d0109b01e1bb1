-- gift_batch: records gifts and says what became of each; callers_lock has run earlier in this transaction.
-- An overspent row harms nobody. The charity is found by its slug, else by its folded name. Who calls, `later`, and what an earlier try committed: as in `score_batch`.
-- A row without the client's own id (idless) repeats the equal one of the 60 s around it. An anonymous gift stands in the row of the negative player id.
-- $1 bytea[] token hash, or null   $2 bytea[] key hash, or null   $3 bytea[] device hash, or null   $4 bigint[] player, or null
-- $5 text[] game slug, of a classic call, or null   $6 uuid[] id   $7 text[] charity   $8 text[] charity, folded, or null   $9 bigint[] points, 1...
-- $10 bool[] anonymous   $11 bool[] idless   $12 timestamptz[] arrival, unique in the batch   $13 timestamptz now   $14 bool as of `score_batch`
with named as materialized (
  select v.*, p.id as player_id, p.game_id as player_game_id, g.classic as game_classic, k.game_id as key_game_id, d.token_hash as device_token,
         row_number() over (partition by p.id order by v.n) as turn
    from unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bigint[], $5::text[], $6::uuid[], $7::text[], $8::text[], $9::bigint[], $10::bool[], $11::bool[],
                $12::timestamptz[]) with ordinality
         v(token, key, device, said_player, game, id, charity, folded, points, anonymous, idless, reached_at, n)
    left join device t on t.token_hash = v.token
    left join device d on d.hash = v.device
    left join game_key k on k.hash = v.key and k.revoked_at is null
    left join player p on p.id = case when v.token is not null then t.player_id when v.device is not null then d.player_id else v.said_player end
    left join game g on g.slug = v.game
), asked as materialized (
  select v.*, c.id as charity_id, c.slug, c.board_id, c.opens_at, c.closes_at
    from named v
    left join lateral (
      select * from charity x where x.slug = v.charity or x.name_folded = v.folded order by x.slug = v.charity desc limit 1
    ) c on true
), judged as materialized (
  select a.*, w.earned - w.voided - w.held - w.given as unspent, coalesce(k.id, e.id) as known_id, coalesce(k.points, e.points) as known_points,
         case when (a.token is not null and a.player_id is null) or (a.key is not null and a.key_game_id is null) then 'unauthorized'
              when a.token is not null and a.said_player <> a.player_id then 'forbidden'
              when a.key is null and a.device is not null and a.game_classic <> 'open' then 'protocol-closed'
              when a.key is null and a.device is not null and a.device_token is not null then 'token-needed'
              when w.player_id is null or a.player_game_id <> a.key_game_id then 'no-player'
              when a.turn > 1 or a.player_id <> all((select current_setting('causeboard.locked')::bigint[])::bigint[]) then 'later'
              when k.id is not null then
                case when (k.charity_id, k.points, k.anonymous) is not distinct from (a.charity_id, a.points, a.anonymous) then case when $14::bool and k.reached_at = a.reached_at then 'committed' else 'retry' end else 'conflict' end
              when e.id is not null then 'retry'
              when a.charity_id is null then 'no-charity'
              when a.reached_at < a.opens_at or a.reached_at >= a.closes_at then 'charity-closed'
              when a.points > w.earned - w.voided - w.held - w.given then 'overspent'
              else 'recorded' end as outcome
    from asked a
    left join wallet w on w.player_id = a.player_id
    left join donation k on k.player_id = a.player_id and k.id = a.id
    left join lateral (
      select r.id, r.points from donation r
       where a.idless and r.idless and r.player_id = a.player_id and r.charity_id = a.charity_id and r.points = a.points and r.anonymous = a.anonymous
         and r.reached_at between a.reached_at - interval '60 seconds' and a.reached_at + interval '60 seconds'
       order by r.reached_at desc limit 1
    ) e on true
), fresh as materialized (
  select * from judged where outcome = 'recorded'
), ledger as (
  insert into donation (player_id, id, charity_id, points, anonymous, idless, reached_at, recorded_at)
  select player_id, id, charity_id, points, anonymous, idless, reached_at, $13 from fresh
), purse as (
  update wallet w set given = w.given + f.points from fresh f where w.player_id = f.player_id
), lines as materialized (      -- each gift stands on its charity's board and on the board of all contributors
  select b.id as board_id, (f.reached_at at time zone b.zone)::date as day, case when f.anonymous then - f.player_id else f.player_id end as row_id,
         f.points, f.reached_at, b.lowest_first
    from fresh f join board b on b.id = f.board_id or (b.kind = 'giving' and b.slug = 'overall' and b.game_id is null and b.season_ended_at is null)
), daily as (
  insert into tally as c (board_id, day, player_id, points, reached_at)
  select board_id, day, row_id, points, reached_at from lines order by board_id, day, row_id
  on conflict (board_id, day, player_id) do update set points = c.points + excluded.points, reached_at = greatest(c.reached_at, excluded.reached_at)
), total as (
  insert into standing as c (board_id, player_id, points, reached_at, lowest_first)
  select board_id, row_id, points, reached_at, lowest_first from lines order by board_id, row_id
  on conflict (board_id, player_id) do update set points = c.points + excluded.points, reached_at = greatest(c.reached_at, excluded.reached_at)
)
select j.n, case when j.outcome = 'committed' then 'recorded' else j.outcome end as outcome, case when j.anonymous then - j.player_id else j.player_id end as row_id, coalesce(j.known_id, j.id) as id, j.slug,
       coalesce(j.known_points, j.points) as points, j.board_id, b.ties, case when j.unspent is not null then greatest(0, j.unspent - coalesce(f.points, 0)) end as remaining
  from judged j left join fresh f on f.n = j.n left join board b on b.id = j.board_id
 order by j.n
