-- timed posts copy: wallets get the times of posts that have been noted in a table of their own, as far as a rule still
-- looks at them. Whoever has posted to a board that goes by times waits with a post until all are copied, or is told to
-- come again; everybody else goes on.
-- compatible since: 29
alter table wallet validate constraint wallet_timed_check;

-- Wallets are locked in the order in which everybody locks them. One may have got some of the times already, by a post
-- of just now.
with noted as materialized (
  select p.player_id, array_agg(p.board_id) as boards, array_agg(r.at) as times
    from post_times p
    join board b on b.id = p.board_id and b.season_ended_at is null
   cross join unnest(p.posted_at) with ordinality r(at, n)
   where r.n = cardinality(p.posted_at) or r.at > p.posted_at[cardinality(p.posted_at)] - interval '1 minute'
   group by p.player_id
), locked as materialized (
  select w.player_id
    from wallet w
   where w.player_id in (select n.player_id from noted n)
   order by w.player_id
     for update
)
update wallet w
   set (timed_boards, timed_at) = (
         select array_agg(r.board_id order by r.at, r.board_id), array_agg(r.at order by r.at, r.board_id)
           from (select * from unnest(n.boards, n.times)
                  union all
                 (select * from unnest(w.timed_boards, w.timed_at)
                  except all
                  select * from unnest(n.boards, n.times))) r(board_id, at))
  from noted n
  join locked l on l.player_id = n.player_id
 where w.player_id = n.player_id;
