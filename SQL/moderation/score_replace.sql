-- score_replace: adds a score in place of another one: on its board, at its time, with other points, which can be
-- donated when those of a post of that time can. The wallet is locked.
-- $1 bigint player whose wallet it is   $2 bigint whose row the score is   $3 uuid score that is replaced
-- $4 uuid new score   $5 bigint points   $6 bigint earned   $7 timestamptz now
with earning as (
  update wallet w
     set earned = w.earned + $6,
         settles_at = case
           when settle_time(b) > interval '0' then greatest(w.settles_at, s.reached_at + settle_time(b))
           else w.settles_at
         end
    from score s join board b on b.id = s.board_id
   where w.player_id = $1 and s.player_id = $2 and s.id = $3
)
insert into score (
  player_id, id, board_id, points, earned, improved, no_client_id, played_at, reached_at, day, recorded_at)
select s.player_id, $4, s.board_id, $5, $6, s.improved, false, s.played_at, s.reached_at, s.day, $7
  from score s
 where s.player_id = $2 and s.id = $3
