-- demo_giving_standings: new players' standings on giving boards, by GROUP BY over the donations as in `audit_giving_standings`.
-- $1 bigint[] players
insert into standing (board_id, player_id, points, reached_at, lowest_first)
select b.id, case when d.anonymous then - d.player_id else d.player_id end as row_id, sum(d.points), max(d.reached_at), b.lowest_first
  from unnest($1::bigint[]) p(player_id) join donation d on d.player_id = p.player_id join charity c on c.id = d.charity_id
  join board b on b.kind = 'giving' and (b.id = c.board_id or b.slug = 'overall')
 group by b.id, row_id, b.lowest_first
 order by b.id, row_id
