-- challenge_notices: the challenges that a player's own profile lists, newest first: those that it has entered or not
-- answered, until some time after they are settled.
-- $1 bigint player: Player.ID   $2 timestamptz since, those that were settled before are left out   $3 timestamptz now
-- $4 int = Limits.challengeNotices, rows
-- returns ChallengeNotice
select k.id, k.state, k.answer
  from (select c.id, challenge_state(c, b, $3) as state, e.state as answer, c.made_at
          from (select distinct on (x.contest) x.contest, x.state
                  from (select y.player_id, y.contest, y.state
                          from entry y
                         where y.player_id = any(members($1)) and y.settled_at is null
                         union all
                        select y.player_id, y.contest, y.state
                          from entry y
                         where y.player_id = any(members($1)) and y.settled_at >= $2) x
                 order by x.contest, x.player_id = $1 desc, x.player_id) e
         cross join lateral (select y.* from challenge y where y.id = e.contest offset 0) c
          join board b on b.id = c.board_id
         where e.state in ('invited', 'entered')) k
 order by k.made_at desc, k.id
 limit $4::int
