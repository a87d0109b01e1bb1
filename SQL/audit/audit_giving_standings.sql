-- audit_giving_standings: every row of every giving board, by GROUP BY over the donations. Rows compared, rows that differ, one of them.
with line as (
  select b.id as board_id, case when d.anonymous then - d.player_id else d.player_id end as player_id, d.points, d.reached_at
    from donation d join charity c on c.id = d.charity_id
    join board b on b.kind = 'giving' and (b.id = c.board_id or b.slug = 'overall')
), proof as (
  select board_id, player_id, sum(points) as points, max(reached_at) as reached_at from line group by board_id, player_id
), kept as (
  select s.* from standing s join board b on b.id = s.board_id where b.kind <> 'score'
), compared as (
  select coalesce(k.board_id, p.board_id) as board_id, coalesce(k.player_id, p.player_id) as player_id,
         (k.points::numeric, k.reached_at, k.lowest_first) is distinct from (p.points, p.reached_at, false) as differs
    from kept k full join proof p using (board_id, player_id)
)
select count(*), count(*) filter (where differs), min('board ' || board_id || ', player ' || player_id) filter (where differs) from compared
