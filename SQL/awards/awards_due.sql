-- awards_due: which of the next players of a board may have reached awards that they do not have. The points of a row
-- leave those out who surely have not; the ledger decides about the others. The last row is the last player that was
-- looked at, without an award.
-- $1 int board: Board.ID   $2 bigint after: Player.ID   $3 int limitRows
-- returns player: Player.ID?, award: Award.ID?
with page as materialized (
  select s.player_id, s.points
    from standing s
   where s.board_id = $1 and s.player_id > $2
   order by s.player_id
   limit $3::int
), asked as materialized (
  select a.id, a.game_id, a.rule, a.at_least, b.sign,
         b.policy = 'best' or b.policy = 'sum' and b.sign > 0 and b.points_min >= 0 as is_certain
    from board b
    join award a on case
                      when b.kind = 'score'
                        then a.game_id = b.game_id and a.rule in ('points', 'days', 'streak')
                             and b.slug = coalesce(a.board_slug, b.slug) and b.season = coalesce(a.season, b.season)
                      else a.rule in ('given', 'charities')
                    end
   where b.id = $1
)
select d.player_id, d.award_id
  from (select p.player_id, a.id as award_id
          from page p
         -- An anonymous donation has no player.
         cross join lateral (
                 select y.game_id from player y where y.id = p.player_id and p.player_id > 0 and y.name <> '' offset 0
               ) y
          join asked a on a.game_id = y.game_id
         where case
                 when a.rule = 'given' then p.points >= a.at_least
                 when a.rule = 'points' and a.is_certain and a.sign > 0 then p.points >= a.at_least
                 when a.rule = 'points' and a.is_certain then p.points <= a.at_least
                 else true
               end
           and not exists (
                 select from award_given g
                  where g.player_id = p.player_id and g.award_id = a.id and g.occasion = '' offset 0)
         union all
        select max(p.player_id), null from page p) d
 order by d.award_id is null, d.player_id, d.award_id
