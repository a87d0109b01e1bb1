-- timed_posts_trim: looks at the wallets of some players, in order, for posts to boards whose rules go by times that
-- are from before a time. Of each board the last one alone stays, and none where the season had ended or the board had
-- closed by then: the others count for a minute, and the last one for ever. Who posts just now is left out.
-- It says which player was looked at last, nothing at the end, and how many wallets were trimmed.
-- $1 bigint after: Player.ID, player before the first one   $2 timestamptz before   $3 int = Limits.sweptRows, players
-- returns last: Player.ID?, trimmed: Int64
with page as materialized (
  select w.player_id, w.timed_boards, w.timed_at
    from wallet w
   where w.player_id > $1::bigint
   order by w.player_id
   limit $3::int
), kept as materialized (
  select p.player_id, p.timed_at as timed_before, array_agg(r.board_id order by r.n) filter (where r.stays) as boards,
         array_agg(r.at order by r.n) filter (where r.stays) as times
    from page p
   cross join lateral (
         select u.board_id, u.at, u.n,
                u.at >= $2
                or u.n = max(u.n) over (partition by u.board_id)
                   and not exists (
                         select from board b where b.id = u.board_id and least(b.season_ended_at, b.closes_at) < $2
                       ) as stays
           from unnest(p.timed_boards, p.timed_at) with ordinality u(board_id, at, n)
         ) r
   where $2::timestamptz > any(p.timed_at)
   group by p.player_id, p.timed_at
  having not bool_and(r.stays)
), locked as materialized (
  select w.player_id
    from kept k
    join wallet w on w.player_id = k.player_id
   order by w.player_id
     for update of w skip locked
), trimmed as (
  update wallet w
     set timed_boards = k.boards, timed_at = k.times
    from kept k
    join locked l on l.player_id = k.player_id
   where w.player_id = k.player_id and w.timed_at = k.timed_before
  returning 1
)
select max(p.player_id), (select count(*) from trimmed)
  from page p
