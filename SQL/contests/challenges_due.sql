-- challenges_due: challenges that are to be settled: their days are over, or the season of their board is, and points
-- have had their time to settle.
-- $1 timestamptz now   $2 int = Limits.challengesSettledAtOnce, rows
-- returns UUID
select c.id
  from board b
 cross join lateral (
         select x.id, x.last_day
           from challenge x
          where x.board_id = b.id and x.settled_at is null
            and (b.season_ended_at + challenge_wait(b) <= $1
                 or x.last_day < ($1 at time zone b.zone)::date
                    and day_start(x.last_day + 1, b.zone) + challenge_wait(b) <= $1)
          order by x.last_day
          limit $2::int
       ) c
 where b.kind = 'score'
 limit $2::int
