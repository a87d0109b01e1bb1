-- timed posts copy: wallets get the times of posts that have been noted in a table of their own. Whoever has posted to
-- a board that goes by times waits with a post until all are copied; everybody else goes on.
-- compatible since: 29

-- A wallet may have got some of them already, by a post of just now.
update wallet w
   set (timed_boards, timed_at) = (
         select array_agg(r.board_id order by r.at), array_agg(r.at order by r.at)
           from (select * from unnest(t.boards, t.times)
                  union all
                 (select * from unnest(w.timed_boards, w.timed_at)
                  except all
                  select * from unnest(t.boards, t.times))) r(board_id, at))
  from (select p.player_id, array_agg(p.board_id) as boards, array_agg(r.at) as times
          from post_times p cross join unnest(p.posted_at) r(at)
         group by p.player_id) t
 where w.player_id = t.player_id;

alter table wallet validate constraint wallet_timed_check;
