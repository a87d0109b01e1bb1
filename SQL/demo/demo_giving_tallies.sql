-- demo_giving_tallies: new players' days on giving boards, by GROUP BY over the donations as in `audit_giving_tallies`.
-- $1 bigint[] players
insert into tally (board_id, day, player_id, points, reached_at)
select b.id, (d.reached_at at time zone b.zone)::date as day, case when d.anonymous then - d.player_id else d.player_id end as row_id,
       sum(d.points), max(d.reached_at)
  from unnest($1::bigint[]) p(player_id) join donation d on d.player_id = p.player_id join charity c on c.id = d.charity_id
  join board b on b.kind = 'giving' and (b.id = c.board_id or b.slug = 'overall')
 group by b.id, day, row_id
 order by b.id, day, row_id
