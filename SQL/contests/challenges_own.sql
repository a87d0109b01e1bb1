-- challenges_own: the challenges that a player is or was invited to, newest first: those after a row of the list.
-- $1 bigint player: Player.ID   $2 text state: String?, those in this state, or null for all
-- $3 timestamptz before: Instant?, when the last one on the page before was made, or null   $4 uuid beforeID: UUID?
-- $5 timestamptz now   $6 int limitRows
-- returns Challenge
select k.id, k.game, k.slug, k.season, k.ties, k.made_by, k.first_day, k.last_day, day_start(k.first_day, k.zone),
       k.ends_at, k.state, k.stake, k.made_at, k.settled_at, k.answer
  from (select c.id, g.slug as game, b.slug, b.season, b.ties, b.zone,
               case when c.made_by <> 0
                 then coalesce((select m.survivor_id from merge m where m.player_id = c.made_by), c.made_by)
               end as made_by,
               c.first_day, c.last_day, challenge_until(c, b) as ends_at, challenge_state(c, b, $5) as state, c.stake,
               c.made_at, c.settled_at, e.state as answer
          from (select distinct on (x.contest) x.contest, x.state
                  from entry x
                 where x.player_id = any(members($1))
                 order by x.contest, x.player_id = $1 desc, x.player_id) e
         cross join lateral (select y.* from challenge y where y.id = e.contest offset 0) c
          join board b on b.id = c.board_id
          join game g on g.id = b.game_id
         where e.state <> 'withdrawn') k
 where ($2::text is null or k.state = $2) and ($3::timestamptz is null or (k.made_at, k.id) < ($3, $4::uuid))
 order by k.made_at desc, k.id desc
 limit $6::int
