-- demo_standings: new players' standings on score boards, by GROUP BY over the ledger as in `audit_standings`.
-- $1 bigint[] players
insert into standing (board_id, player_id, points, reached_at, lowest_first)
select s.board_id, s.player_id,
       case b.policy when 'sum' then sum(s.points) when 'best' then max(s.points * b.sign) * b.sign
                     else (array_agg(s.points order by s.reached_at desc, s.points * b.sign desc) filter (where b.policy = 'latest'))[1] end,
       case b.policy when 'best' then (array_agg(s.reached_at order by s.points * b.sign desc, s.reached_at) filter (where b.policy = 'best'))[1]
                     else max(s.reached_at) end,
       b.lowest_first
  from unnest($1::bigint[]) p(player_id) join score s on s.player_id = p.player_id join board b on b.id = s.board_id
 group by s.board_id, s.player_id, b.policy, b.sign, b.lowest_first
 order by s.board_id, s.player_id
