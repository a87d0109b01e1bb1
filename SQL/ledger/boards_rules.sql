-- boards_rules: the boards of a batch's scores, by the season that is played, with the rules by which they take scores,
-- the day, and the version of the row, which each change of it changes.
-- $1 text[] game slugs   $2 text[] board slugs   $3 timestamptz now
select d.n::int, b.id, b.ties, b.policy, b.lowest_first, b.points_min, b.points_max, b.opens_at, b.closes_at, b.earns,
       b.earns_fixed, b.earn_max, b.earn_day, b.trust,
       (extract(epoch from settle_time(b)) / 60)::int as settle, (b.hold_above * 1000)::bigint as hold_above,
       b.hold_rate, b.hold_pace, b.judge, coalesce(m.posts, 0) as posts, m.percentile,
       t.day, t.day::timestamp at time zone b.zone as day_began_at,
       day_end(t.day, b.zone) as day_ends_at, b.xmin::text::bigint as version
  from unnest($1::text[], $2::text[]) with ordinality d(game, board, n)
  join game g on g.slug = d.game
  join board b on b.kind = 'score' and b.game_id = g.id and b.slug = d.board and b.season_ended_at is null
  left join board_measure m on m.board_id = b.id
 cross join lateral (select ($3::timestamptz at time zone b.zone)::date as day) t
