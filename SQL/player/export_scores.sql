-- export_scores: a player's scores after an instant with everything that is kept of them, the oldest first.
-- $1 bigint player   $2 timestamptz after   $3 uuid of the score at that instant   $4 int rows   $5 timestamptz now
select s.id, g.slug, b.slug, b.season, s.points, s.earned, s.played_at, n.detail, s.reached_at,
       coalesce(published_state(m, $5), 'counted') as state, n.name, s.improved, s.recorded_at
  from ledger_owner o
 cross join lateral (
         select r.*
           from score r
          where r.player_id = o.player_id and (r.reached_at, r.id) > ($2, $3)
          order by r.reached_at, r.id
          limit $4::int
       ) s
  join board b on b.id = s.board_id
  join game g on g.id = b.game_id
  left join score_note n on n.player_id = s.player_id and n.id = s.id
  left join score_state m on m.player_id = s.player_id and m.id = s.id
 where o.survivor_id = $1
 order by s.reached_at, s.id
 limit $4::int
