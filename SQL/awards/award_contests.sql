-- award_contests: the awards for ranks in campaigns: the board and the days of each, and when the campaign ends.
-- returns AwardContest(award, board, firstDay, lastDay, endsAt)
select a.id, b.id, c.first_day, c.last_day, campaign_until(c, b)
  from award a
  join campaign c on c.slug = a.contest
  join board b on b.id = c.board_id
 where a.rule = 'rank'
 order by a.id
