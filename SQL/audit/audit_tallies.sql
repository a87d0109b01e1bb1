-- audit_tallies: points and reached_at of every day of a score board, by GROUP BY over the ledger. Rows compared, rows that differ, one of them.
with proof as (
  select s.board_id, (s.reached_at at time zone b.zone)::date as day, s.player_id,
         case b.policy when 'sum' then sum(s.points) when 'best' then max(s.points * b.sign) * b.sign
                       else (array_agg(s.points order by s.reached_at desc, s.points * b.sign desc))[1] end as points,
         case b.policy when 'best' then (array_agg(s.reached_at order by s.points * b.sign desc, s.reached_at))[1] else max(s.reached_at) end as reached_at
    from score s join board b on b.id = s.board_id
   group by s.board_id, (s.reached_at at time zone b.zone)::date, s.player_id, b.policy, b.sign
), kept as (
  select t.* from tally t left join board b on b.id = t.board_id where b.kind = 'score' or b.id is null   -- also of a board that there is not
), compared as (
  select coalesce(k.board_id, p.board_id) as board_id, coalesce(k.day, p.day) as day, coalesce(k.player_id, p.player_id) as player_id,
         (k.points::numeric, k.reached_at) is distinct from (p.points, p.reached_at) as differs
    from kept k full join proof p using (board_id, day, player_id)
)
select count(*), count(*) filter (where differs), min('board ' || board_id || ', ' || day || ', player ' || player_id) filter (where differs) from compared
