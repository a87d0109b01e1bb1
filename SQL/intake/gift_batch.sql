-- gift_batch: records gifts and says what became of each; one row a player at most; players_lock has run earlier in this transaction.
-- An overspent row harms nobody. The charity is found by its slug, else by its folded name.
-- A row without the client's own id (idless) repeats the equal one of the 60 s around it.
-- $1 bigint[] player   $2 uuid[] id   $3 text[] charity   $4 text[] charity, folded   $5 bigint[] points, 1...   $6 bool[] anonymous   $7 bool[] idless
-- $8 timestamptz[] arrival, unique in the batch   $9 timestamptz now
with asked as materialized (
  select v.*, c.id as charity_id, c.slug, c.board_id, c.opens_at, c.closes_at
    from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::bigint[], $6::bool[], $7::bool[], $8::timestamptz[])
         v(player_id, id, charity, folded, points, anonymous, idless, reached_at)
    left join lateral (
      select * from charity x where x.slug = v.charity or x.name_folded = v.folded order by x.slug = v.charity desc limit 1
    ) c on true
), judged as materialized (
  select a.*, case when w.player_id is not null then greatest(0, w.earned - w.voided - w.held - w.given) end as remaining, coalesce(k.id, e.id) as known_id, coalesce(k.points, e.points) as known_points,
         case when k.id is not null then
                case when (k.charity_id, k.points, k.anonymous) is not distinct from (a.charity_id, a.points, a.anonymous) then 'retry' else 'conflict' end
              when e.id is not null then 'retry'
              when w.player_id is null then 'no-player'
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
  select player_id, id, charity_id, points, anonymous, idless, reached_at, $9 from fresh
), purse as (
  update wallet w set given = w.given + f.points from fresh f where w.player_id = f.player_id
), lines as materialized (      -- each gift stands on its charity's board and on the board of all contributors
  select b.id as board_id, (f.reached_at at time zone b.zone)::date as day, f.player_id, f.points, f.reached_at, b.lowest_first
    from fresh f join board b on b.id = f.board_id or (b.kind = 'giving' and b.slug = 'overall' and b.game_id is null and b.season_ended_at is null)
), daily as (
  insert into tally as c (board_id, day, player_id, points, reached_at)
  select board_id, day, player_id, points, reached_at from lines order by board_id, day, player_id
  on conflict (board_id, day, player_id) do update set points = c.points + excluded.points, reached_at = greatest(c.reached_at, excluded.reached_at)
), total as (
  insert into standing as c (board_id, player_id, points, reached_at, lowest_first)
  select board_id, player_id, points, reached_at, lowest_first from lines order by board_id, player_id
  on conflict (board_id, player_id) do update set points = c.points + excluded.points, reached_at = greatest(c.reached_at, excluded.reached_at)
)
select j.player_id, j.outcome, coalesce(j.known_id, j.id) as id, j.slug, coalesce(j.known_points, j.points) as points, j.board_id,
       j.remaining - coalesce(f.points, 0) as remaining
  from judged j left join fresh f on f.player_id = j.player_id
