-- player_scores: a player's own scores on one side of an instant, with everything that is kept of them, the nearest
-- first: those after it, or those before.
-- $1 bigint player   $2 bool after   $3 timestamptz instant, or null for all
-- $4 uuid of the score at that instant   $5 int rows   $6 timestamptz now
select s.id, g.slug, b.slug, b.season, s.points, s.earned, s.played_at, n.detail, s.reached_at,
       coalesce(published_state(m, $6), 'counted') as state, n.name, s.improved, s.recorded_at
  from ledger_owner o
 cross join lateral (
         (select r.*
            from score r
           where $2 and r.player_id = o.player_id
             and (r.reached_at, r.id) > (coalesce($3::timestamptz, '-infinity'), $4)
           order by r.reached_at, r.id
           limit $5::int)
          union all
         (select r.*
            from score r
           where not $2 and r.player_id = o.player_id
             and (r.reached_at, r.id) < (coalesce($3::timestamptz, 'infinity'), $4)
           order by r.reached_at desc, r.id desc
           limit $5::int)
       ) s
  join board b on b.id = s.board_id
  join game g on g.id = b.game_id
  left join score_note n on n.player_id = s.player_id and n.id = s.id
  left join score_state m on m.player_id = s.player_id and m.id = s.id
 where o.survivor_id = $1
 order by case when $2 then s.reached_at end, case when $2 then s.id end, s.reached_at desc, s.id desc
 limit $5::int
