-- board_positions: where some players stand on a board, all time of its season, best first.
-- Who has no row, or is hidden, is left out.
-- Each row brings its position, the position at which its equals begin, how many equals there are (itself too),
-- the points of the row above, and the next better points.
-- $1 int board: Board.ID   $2 bigint[] rowIDs, row ids: players, or negative those of anonymous donations
-- returns PositionedStanding
with hidden as materialized (
  select h.order_bucket, h.player_id from hidden_standing h where h.board_id = $1
), asked as materialized (
  select s.player_id, p.name, p.avatar, p.flag, s.points, s.reached_at, s.order_bucket, s.order_key
    from standing s left join shown_player p on p.id = s.player_id
   where s.board_id = $1 and s.player_id = any($2::bigint[]) and p.hidden is not true
),
-- The rows between a bucket and the one before it that is asked for are counted once.
bucket as (
  select k.order_bucket, sum(k.rows) over (order by k.order_bucket)::bigint as rows_earlier,
         (select max(s.order_key)
            from standing s
           where s.board_id = $1
             and s.order_bucket = (select l.order_bucket
                                     from standing l
                                    where l.board_id = $1
                                      and l.order_bucket < k.order_bucket
                                      and l.player_id not in (select player_id from hidden)
                                    order by l.order_bucket desc
                                    limit 1)
             and s.player_id not in (select player_id from hidden)) as last_key
    from (select b.order_bucket,
                 (select count(*)
                    from standing s
                   where s.board_id = $1 and s.order_bucket >= b.last_bucket and s.order_bucket < b.order_bucket)
               - (select count(*)
                    from hidden h
                   where h.order_bucket >= b.last_bucket and h.order_bucket < b.order_bucket) as rows
            from (select d.order_bucket, lag(d.order_bucket, 1, (-32768)::smallint) over (order by d.order_bucket)
                           as last_bucket
                    from (select distinct a.order_bucket from asked a) d) b) k
)
select a.player_id, a.name, a.avatar, a.flag, a.points::numeric, a.reached_at, a.order_key::numeric,
       e.rows_earlier + w.better + w.equals_before + 1 as position, e.rows_earlier + w.better + 1 as shared, w.equals,
       (coalesce(w.key_above, e.last_key) * - c.sign)::numeric as above,
       (coalesce(w.better_key, e.last_key) * - c.sign)::numeric as better
  from asked a
  join bucket e on e.order_bucket = a.order_bucket
  join board c on c.id = $1
 cross join lateral (
         select count(*) filter (where s.order_key < a.order_key) as better,
                count(*) filter (where s.order_key = a.order_key
                                   and (s.reached_at, s.player_id) < (a.reached_at, a.player_id)) as equals_before,
                count(*) filter (where s.order_key = a.order_key) as equals,
                max(s.order_key) filter (
                  where (s.order_key, s.reached_at, s.player_id) < (a.order_key, a.reached_at, a.player_id))
                  as key_above,
                max(s.order_key) filter (where s.order_key < a.order_key) as better_key
           from standing s
          where s.board_id = $1
            and s.order_bucket = a.order_bucket
            and s.player_id not in (select player_id from hidden)
       ) w
 order by position
