-- board_page: neighbouring rows of a board, all time of its season: some before a key of its order, some from it on, or
-- those from a position on. The key is given, or it is a player's own; a player without a row has no page. Hidden
-- players are nowhere.
-- Each row brings the position of the page's first row, and the position at which that row's equals begin.
-- Ask for one row more than is shown: it tells whether there are more, and whether the last one shown is tied.
-- Only the buckets where the page lies are sorted, however far down they are. `audit` proves the rollup that is read
-- here.
-- $1 int board   $2 bigint player whose row is the key, or null   $3 bigint order key   $4 timestamptz reached
-- $5 bigint row id   $6 int rows before the key, 0...101   $7 bigint rows of the board to skip; 0 with a key
-- $8 int rows from there on, 1...101
with hidden as materialized (
  select h.order_bucket, h.order_key, h.reached_at, h.player_id from hidden_standing h where h.board_id = $1
), anchor as materialized (
  select $3::bigint as order_key, $4::timestamptz as reached_at, $5::bigint as player_id where $2::bigint is null
   union all
  select s.order_key, s.reached_at, s.player_id
    from standing s
   where s.board_id = $1 and s.player_id = $2 and s.player_id not in (select player_id from hidden)
   limit 1
), bucket as (
  select c.order_bucket, c.rows, sum(c.rows) over (order by c.order_bucket) - c.rows as earlier
    from (select s.order_bucket,
                 count(*) - (select count(*) from hidden h where h.order_bucket = s.order_bucket) as rows
            from standing s
           where s.board_id = $1 and $7::bigint > 0
           group by s.order_bucket) c
), start as materialized (
  select a.*, order_bucket(a.order_key) as order_bucket, 0 as skipped from anchor a where $7 = 0
   union all
  select a.*, b.order_bucket, $7 - b.earlier
    from anchor a join bucket b on b.earlier <= $7 and $7 < b.earlier + b.rows
   where $7 > 0
), page as materialized (
  select b.order_bucket, b.order_key, b.reached_at, b.player_id
    from start a
   cross join lateral (
           select s.order_bucket, s.order_key, s.reached_at, s.player_id
             from standing s
            where s.board_id = $1
              and s.order_bucket <= a.order_bucket
              and (s.order_key, s.reached_at, s.player_id) < (a.order_key, a.reached_at, a.player_id)
              and s.player_id not in (select player_id from hidden)
            order by s.order_bucket desc, s.order_key desc, s.reached_at desc, s.player_id desc
            limit $6::int
         ) b
   union all
  select f.order_bucket, f.order_key, f.reached_at, f.player_id
    from start a
   cross join lateral (
           select s.order_bucket, s.order_key, s.reached_at, s.player_id
             from standing s
            where s.board_id = $1
              and s.order_bucket >= a.order_bucket
              and (s.order_key, s.reached_at, s.player_id) >= (a.order_key, a.reached_at, a.player_id)
              and s.player_id not in (select player_id from hidden)
            order by s.order_bucket, s.order_key, s.reached_at, s.player_id
            limit $8::int offset a.skipped
         ) f
), first as (
  select * from page order by order_key, reached_at, player_id limit 1
), counted as materialized (
  select e.rows + w.better as better, w.equals_before, (select b.sign from board b where b.id = $1) as sign
    from first f
   cross join lateral (
           select (select count(*) from standing s where s.board_id = $1 and s.order_bucket < f.order_bucket)
                - (select count(*) from hidden h where h.order_bucket < f.order_bucket) as rows
         ) e
   cross join lateral (
           select count(*) filter (where s.order_key < f.order_key) as better,
                  count(*) filter (where s.order_key = f.order_key
                                     and (s.reached_at, s.player_id) < (f.reached_at, f.player_id)) as equals_before
             from standing s
            where s.board_id = $1
              and s.order_bucket = f.order_bucket
              and s.player_id not in (select player_id from hidden)
         ) w
)
select g.player_id, p.name, p.avatar, p.flag, (g.order_key * - c.sign)::numeric as points, g.reached_at,
       g.order_key::numeric, c.better + c.equals_before + 1 as position, c.better + 1 as shared
  from page g
 cross join counted c
 -- The limit makes the planner look up each player: not knowing how long the page is, it would read them all.
 left join lateral (select p.name, p.avatar, p.flag from shown_player p where p.id = g.player_id limit 1) p on true
 order by g.order_key, g.reached_at, g.player_id
