-- award_points_own: where a player stands in its own view, on the boards of its game's awards: in the season that
-- counts, or today. No row where it has no points.
-- $1 bigint player: Player.ID   $2 timestamptz now
-- returns board: Slug, season: Int32?, isOfDay: Bool, points: Int128
select a.board_slug, a.season, a.by_day, o.points
  from player p
 cross join lateral (
         select distinct x.board_slug, x.season, x.by_day
           from award x
          where x.game_id = p.game_id and x.rule = 'points'
       ) a
 cross join lateral (
         select b.id, ($2::timestamptz at time zone b.zone)::date as today
           from board b
          where b.kind = 'score' and b.game_id = p.game_id and b.slug = a.board_slug
            and b.season = coalesce(a.season, b.season)
          order by b.season desc
          limit 1
       ) b
 cross join lateral own_standing(
         $1, b.id, case when a.by_day then b.today end, case when a.by_day then b.today end, $2) o
 where p.id = $1 and o.points is not null
