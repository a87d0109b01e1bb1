-- award_conditions: what changes of boards that are being played, and of donation boards, may bring awards.
-- returns AwardCondition(award, board, rule, atLeast, isOfDay)
select a.id, b.id, a.rule, coalesce(a.at_least, 1), a.by_day
  from award a
  join board b on b.season_ended_at is null
              and case a.rule
                    when 'points' then b.kind = 'score' and b.game_id = a.game_id and b.slug = a.board_slug
                                       and b.season = coalesce(a.season, b.season)
                    when 'given' then b.kind = 'donation' and b.slug = 'overall'
                    when 'charities' then b.kind = 'donation' and b.slug <> 'overall'
                    else a.rule in ('days', 'streak') and b.kind = 'score' and b.game_id = a.game_id
                         and b.slug = coalesce(a.board_slug, b.slug)
                  end
 order by b.id, a.id
