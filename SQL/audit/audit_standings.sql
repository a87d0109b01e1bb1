-- audit_standings: points and reached_at of every row of a score board, by GROUP BY over the ledger. Rows compared, rows that differ, one of them.
with proof as (
  select s.board_id, s.player_id,
         case b.policy when 'sum' then sum(s.points) when 'best' then max(s.points * b.sign) * b.sign
                       else (array_agg(s.points order by s.reached_at desc, s.points * b.sign desc))[1] end as points,
         case b.policy when 'best' then (array_agg(s.reached_at order by s.points * b.sign desc, s.reached_at))[1] else max(s.reached_at) end as reached_at,
         b.lowest_first
    from score s join board b on b.id = s.board_id
   group by s.board_id, s.player_id, b.policy, b.sign, b.lowest_first
), kept as (
  select s.* from standing s left join board b on b.id = s.board_id where b.kind = 'score' or b.id is null   -- also of a board that there is not
), compared as (
  select coalesce(k.board_id, p.board_id) as board_id, coalesce(k.player_id, p.player_id) as player_id,
         (k.points::numeric, k.reached_at, k.lowest_first) is distinct from (p.points, p.reached_at, p.lowest_first) as differs
    from kept k full join proof p using (board_id, player_id)
)
select count(*), count(*) filter (where differs), min('board ' || board_id || ', player ' || player_id) filter (where differs) from compared
