-- season_winners: the first players of seasons of a score board that have ended, the newest season first; with one row
-- more than is shown of each, which tells whether the last one shown is tied. A season that nobody played has one row
-- without a player. Hidden players are nowhere.
-- $1 text game: Slug   $2 text board: Slug   $3 int newest: Int32?, season, or null for the last that has ended
-- $4 int seasons: Int32   $5 int rows: Int32, of a season
with ended as materialized (
  select b.id, b.season, b.season_ended_at, b.ties, b.display, b.unit
    from board b join game g on g.id = b.game_id
   where b.kind = 'score' and g.slug = $1 and b.slug = $2 and b.season_ended_at is not null
     and ($3::int is null or b.season <= $3)
   order by b.season desc
   limit $4::int
)
select e.season, e.season_ended_at, e.ties, e.display, e.unit, w.player_id, p.name, p.avatar, p.flag,
       w.points::numeric as points, w.reached_at, w.order_key::numeric as order_key
  from ended e
  left join lateral (
         select s.player_id, s.points, s.reached_at, s.order_key
           from standing s
          where s.board_id = e.id
            and not exists (select from player h where h.id = s.player_id and h.hidden offset 0)
          order by s.order_bucket, s.order_key, s.reached_at, s.player_id
          limit $5::int
       ) w on true
  left join lateral (select p.name, p.avatar, p.flag from shown_player p where p.id = w.player_id limit 1) p on true
 order by e.season desc, w.order_key, w.reached_at, w.player_id
