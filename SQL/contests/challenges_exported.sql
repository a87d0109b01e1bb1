-- challenges_exported: the challenges of a player and of those merged into it, after a row of the list.
-- $1 bigint player: Player.ID   $2 bigint afterPlayer: Player.ID   $3 uuid afterContest   $4 int limitRows
-- returns ExportedChallenge
select e.player_id, e.contest, g.slug, b.slug, b.season, c.made_by = any(members($1)) as is_own, c.first_day,
       c.last_day, c.stake, c.made_at, e.state, e.at, h.slug, e.won,
       (select sum(s.gave)::bigint from stake_share s where s.player_id = e.player_id and s.challenge = e.contest)
  from entry e
  join challenge c on c.id = e.contest
  join board b on b.id = c.board_id
  join game g on g.id = b.game_id
  left join charity h on h.id = e.charity_id
 where e.player_id = any(members($1)) and e.state <> 'withdrawn' and (e.player_id, e.contest) > ($2, $3)
 order by e.player_id, e.contest
 limit $4::int
