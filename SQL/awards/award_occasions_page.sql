-- award_occasions_page: all awards for ranks, each with each season that is over, or for a campaign that is: in order,
-- after one of them. A campaign has no board here, and 0 in the order.
-- $1 int award: Award.ID   $2 int board: Board.ID   $3 timestamptz now   $4 int limitRows
-- returns award: Award.ID, board: Board.ID?
select o.award_id, o.board_id
  from (select a.id as award_id, b.id as board_id
          from award a
          join board b on b.kind = 'score' and b.game_id = a.game_id and b.slug = a.board_slug
                      and b.season = coalesce(a.season, b.season) and b.season_ended_at is not null
         where a.rule = 'rank'
         union all
        select a.id, null
          from award a
          join campaign c on c.slug = a.contest
          join board b on b.id = c.board_id
         where a.rule = 'rank' and campaign_until(c, b) <= $3::timestamptz) o
 where (o.award_id, coalesce(o.board_id, 0)) > ($1::int, $2::int)
 order by o.award_id, coalesce(o.board_id, 0)
 limit $4::int
