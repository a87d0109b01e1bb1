-- award_boards: the boards, of all seasons, on which players may have reached awards that follow from what they did.
-- $1 int after: Board.ID   $2 int limitRows
-- returns Board.ID
select b.id
  from board b
 where b.id > $1
   and case
         when b.kind = 'score'
           then exists (
                  select from award a
                   where a.game_id = b.game_id and a.rule in ('points', 'days', 'streak')
                     and b.slug = coalesce(a.board_slug, b.slug) and b.season = coalesce(a.season, b.season))
         else b.kind = 'donation' and b.slug = 'overall'
              and exists (select from award a where a.rule in ('given', 'charities'))
       end
 order by b.id
 limit $2::int
