-- donation_batch: records gifts and says what became of each; callers_take has run earlier in this transaction, with the callers of these rows last.
-- An overspent row harms nobody. The charity is found by its slug, else by its folded name. Who calls, `later`, and what an earlier try committed: as in `score_batch`.
-- A row without the client's own id (idless) repeats the equal one of the 60 s around it. An anonymous gift stands in the row of the negative player id.
-- $1 bytea[] token hash, or null   $2 bytea[] key hash, or null   $3 bytea[] device hash, or null   $4 bigint[] player, or null
-- $5 text[] game slug, of a classic call, or null   $6 uuid[] id   $7 text[] charity   $8 text[] charity, folded, or null   $9 bigint[] points, 1...
-- $10 bool[] anonymous   $11 bool[] idless   $12 timestamptz[] arrival, unique in the batch   $13 timestamptz now   $14 bool as of `score_batch`
-- $15 int rows that callers_take had before these
with called as materialized (
  select v.n, p.id as player_id, v.id, v.points, v.anonymous, v.idless, v.reached_at, c.id as charity_id, c.slug, c.board_id, c.opens_at, c.closes_at,
         case when (v.token is not null and p.id is null) or (v.key is not null and k.game_id is null) then 'unauthorized'
              when v.token is not null and v.said_player <> p.id then 'forbidden'
              when v.key is null and v.device is not null and (select g.classic from game g where g.slug = v.game) <> 'open' then 'protocol-closed'
              when v.key is null and v.device is not null and exists (select from device d where d.hash = v.device and d.token_hash is not null) then 'token-needed'
              when p.id is null or p.game_id <> k.game_id then 'no-player'
              when p.id <> all((select current_setting('causeboard.locked')::bigint[])::bigint[])
                or array_position((select current_setting('causeboard.players')::bigint[]), p.id) < v.n + $15::int then 'later' end as refused
    from unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bigint[], $5::text[], $6::uuid[], $7::text[], $8::text[], $9::bigint[], $10::bool[], $11::bool[],
                $12::timestamptz[], (current_setting('causeboard.players')::bigint[])[$15::int + 1:]) with ordinality
         v(token, key, device, said_player, game, id, charity, folded, points, anonymous, idless, reached_at, player_id, n)
    left join game_key k on k.hash = v.key and k.revoked_at is null
    left join player p on p.id = v.player_id
    left join lateral (
      select * from charity x where x.slug = v.charity or x.name_folded = v.folded order by x.slug = v.charity desc limit 1
    ) c on true
), judged as materialized (
  select a.*, w.earned - w.voided - w.held - w.given as unspent, k.id as known_id, k.points as known_points,
         case when a.refused = 'later' and w.player_id is null then 'no-player'
              when a.refused is not null then a.refused
              when k.id is not null then
                case when $14::bool and k.reached_at = a.reached_at then 'committed'
                     when a.idless or (k.charity_id, k.points, k.anonymous) is not distinct from (a.charity_id, a.points, a.anonymous) then 'retry' else 'conflict' end
              when a.charity_id is null then 'no-charity'
              when a.reached_at < a.opens_at or a.reached_at >= a.closes_at then 'charity-closed'
              when a.points > w.earned - w.voided - w.held - w.given then 'overspent'
              else 'recorded' end as outcome
    from called a
    left join wallet w on w.player_id = a.player_id
    left join donation k on k.player_id = a.player_id and k.id = case when not a.idless then a.id else (
      select r.id from donation r
       where r.idless and r.player_id = a.player_id and r.charity_id = a.charity_id and r.points = a.points and r.anonymous = a.anonymous
         and r.reached_at between a.reached_at - interval '60 seconds' and a.reached_at + interval '60 seconds'
       order by r.reached_at desc limit 1) end
), fresh as materialized (
  select player_id, case when anonymous then - player_id else player_id end as row_id, id, charity_id, board_id, points, anonymous, idless, reached_at
    from judged where outcome = 'recorded'
), ledger as (
  insert into donation (player_id, id, charity_id, points, anonymous, idless, reached_at, recorded_at)
  select player_id, id, charity_id, points, anonymous, idless, reached_at, $13 from fresh
), purse as (
  update wallet w set given = w.given + f.points from fresh f where w.player_id = f.player_id
), lines as materialized (      -- each gift stands on its charity's board and on the board of all contributors
  select b.id as board_id, (f.reached_at at time zone b.zone)::date as day, f.row_id, f.points, f.reached_at, b.lowest_first
    from fresh f join board b on b.id = any(array[f.board_id, (
      select o.id from board o where o.kind = 'giving' and o.slug = 'overall' and o.game_id is null and o.season_ended_at is null)])
), daily as (
  insert into tally as c (board_id, day, player_id, points, reached_at)
  select board_id, day, row_id, points, reached_at from lines
  on conflict (board_id, day, player_id) do update set points = c.points + excluded.points, reached_at = greatest(c.reached_at, excluded.reached_at)
), total as (
  insert into standing as c (board_id, player_id, points, reached_at, lowest_first)
  select board_id, row_id, points, reached_at, lowest_first from lines
  on conflict (board_id, player_id) do update set points = c.points + excluded.points, reached_at = greatest(c.reached_at, excluded.reached_at)
)
select j.n, case when j.outcome = 'committed' then 'recorded' else j.outcome end as outcome, case when j.anonymous then - j.player_id else j.player_id end as row_id, coalesce(j.known_id, j.id) as id, j.slug,
       coalesce(j.known_points, j.points) as points, j.board_id, (select b.ties from board b where b.id = j.board_id) as ties,
       case when j.unspent is not null then greatest(0, j.unspent - case when j.outcome = 'recorded' then j.points else 0 end) end as remaining
  from judged j
 order by j.n
