-- boards_measure: measures anew what the scores are like of boards that hold by that. A season with fewer than 100
-- players goes by the measure of the season before, if there is one. One process at a time does it; it brings how many
-- it measured.
-- $1 text game: Slug?, null for all   $2 text board: Slug?, null for all
-- $3 timestamptz before, boards measured after this time are left out   $4 timestamptz now
-- returns Int64
with alone as materialized (
  select pg_try_advisory_xact_lock(1734964838) as is_mine
), measured as (
  insert into board_measure as m (board_id, posts, percentile, measured_at)
  select b.id, p.posts, q.points, $4
    from alone a
    join game g on $1::text is null or g.slug = $1
    join board b on b.game_id = g.id and ($2::text is null or b.slug = $2)
    left join board_measure o on o.board_id = b.id
   cross join lateral (
           select count(*)::int as posts
             from (select 1
                     from standing t join score s on s.player_id = t.player_id and s.board_id = t.board_id
                    where t.board_id = b.id and coalesce(o.posts, 0) < 1000
                    limit 1000) x
         ) c
   cross join lateral (select greatest(c.posts, coalesce(o.posts, 0)) as posts) p
   cross join lateral (select count(*) as players from standing n where n.board_id = b.id) f
    left join lateral (
           select t.points
             from standing t
            where t.board_id = b.id
            order by t.order_bucket, t.order_key
           offset f.players / 100
            limit 1
         ) q on true
   where a.is_mine and b.kind = 'score' and b.season_ended_at is null
     and coalesce(b.hold_above, b.hold_rate, b.hold_pace) is not null
     and (o.measured_at is null or o.measured_at <= $3)
     and (f.players >= 100 or o.inherited is not true)
  on conflict (board_id) do update
     set posts = excluded.posts, measured_at = excluded.measured_at,
         percentile = excluded.percentile, inherited = false
  returning 1
)
select count(*) from measured
