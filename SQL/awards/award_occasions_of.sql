-- award_occasions_of: the awards for ranks, each with a season that is over, or for a campaign that is, on whose board
-- some players have a row.
-- $1 bigint[] players: [Player.ID]   $2 timestamptz now
-- returns award: Award.ID, board: Board.ID?
select distinct a.id, b.id
  from unnest($1::bigint[]) x (id)
 cross join lateral (select y.game_id from player y where y.id = x.id offset 0) p
  join award a on a.game_id = p.game_id and a.rule = 'rank'
  join board b on b.kind = 'score' and b.game_id = a.game_id and b.slug = a.board_slug
              and b.season = coalesce(a.season, b.season) and b.season_ended_at is not null
 where exists (select from standing s where s.board_id = b.id and s.player_id = x.id)
 union all
-- Hiding a player of another game moves the ranks of donors, too.
select distinct a.id, null::int
  from award a
  join campaign c on c.slug = a.contest
  join board b on b.id = c.board_id
 where a.rule = 'rank' and campaign_until(c, b) <= $2::timestamptz
   and exists (select from standing s where s.board_id = c.board_id and s.player_id = any($1))
