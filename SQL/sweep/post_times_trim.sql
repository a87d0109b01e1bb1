-- post_times_trim: looks at when some players posted to some boards, in order, and keeps the last time alone where that
-- was before a time: the others count for a minute, and the last one for ever. Who posts just now is left out.
-- It says which row was looked at last, nothing at the end, and how many were trimmed.
-- $1 int board   $2 bigint player, of the row before the first one   $3 timestamptz before when   $4 int rows
with page as materialized (
  select t.board_id, t.player_id, t.posted_at
    from post_times t
   where (t.board_id, t.player_id) > ($1::int, $2::bigint)
   order by t.board_id, t.player_id
   limit $4::int
), chosen as materialized (
  select t.board_id, t.player_id
    from post_times t
    join page p on p.board_id = t.board_id and p.player_id = t.player_id
   where cardinality(p.posted_at) > 1 and p.posted_at[cardinality(p.posted_at)] < $3::timestamptz
   order by t.board_id, t.player_id
     for update of t skip locked
), trimmed as (
  update post_times t
     set posted_at = t.posted_at[cardinality(t.posted_at):]
    from chosen c
   where t.board_id = c.board_id and t.player_id = c.player_id and t.posted_at[cardinality(t.posted_at)] < $3
  returning 1
)
select l.board_id, l.player_id, (select count(*) from trimmed)
  from (select 1) one
  left join (select p.board_id, p.player_id from page p order by p.board_id desc, p.player_id desc limit 1) l on true
