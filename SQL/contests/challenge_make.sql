-- challenge_make: makes a challenge of a player to others, from today on. callers_lock has run in this transaction for
-- all of them.
-- Outcome: made, known (the player has made it before), taken (the id is another challenge's), off (the game has no
-- challenges), no-board, board-closed, stake (more than the game allows), no-charity, charity-closed, not-friends (one
-- of the others may not be invited), full (the player has as many as it may have), unauthorized, changed (the token is
-- another player's by now).
-- $1 bytea token: TokenHash   $2 bigint player: Player.ID   $3 uuid id   $4 text game: Slug   $5 text board: Slug
-- $6 int days   $7 bigint[] others: [Player.ID]   $8 bigint stake   $9 text charity: Slug?   $10 timestamptz now
-- $11 bigint = Limits.openChallengesMax   $12 bigint = Limits.openEntriesMax
-- returns ChallengeOutcome
with judged as materialized (
  select b.id as board_id, c.id as charity_id, ($10::timestamptz at time zone b.zone)::date as today,
         case
           when d.hash is null then 'unauthorized'
           when d.player_id <> $2 then 'changed'
           when k.id is not null then
             case when k.made_by = any(members($2)) and k.last_day - k.first_day = $6::int and k.stake = $8
                    and exists (select
                                  from board x join game y on y.id = x.game_id
                                 where x.id = k.board_id and x.slug = $5 and y.slug = $4)
                    -- An answer may be gone with its player.
                    and not exists (select from entrants_of($3) e where e.player_id <> $2 and e.player_id <> all($7))
               then 'known' else 'taken' end
           when g.challenges = 'off' then 'off'
           when b.id is null then 'no-board'
           when b.closes_at <= $10 then 'board-closed'
           when $8 > g.stake_max then 'stake'
           when $8 > 0 and c.id is null then 'no-charity'
           when $8 > 0 and (c.opens_at > $10 or c.closes_at <= $10) then 'charity-closed'
           when (select count(*) from challenge x where x.made_by = any(members($2)) and x.settled_at is null) >= $11
             or open_entries($2) >= $12 then 'full'
           when p.hidden
             or exists (
                  select
                    from unnest($7::bigint[]) i (id)
                    left join player o on o.id = i.id and o.game_id = p.game_id and o.name <> '' and not o.hidden
                    left join wallet w on w.player_id = o.id
                   cross join lateral (
                           select (select t.says from tie_said($2, i.id) t) as mine,
                                  (select t.says from tie_said(i.id, $2) t) as theirs
                         ) s
                   where o.id is null or o.id = $2 or w.banned or s.mine = 'block' or s.theirs = 'block'
                      or not (g.friends <> 'off' and coalesce(s.mine = 'yes' and s.theirs = 'yes', false)
                              or g.challenges = 'team' and g.teams <> 'off'
                                 and exists (select from team_of($2) m join team_of(i.id) n on n.team_id = m.team_id))
                      or open_entries(i.id) >= $12
                )
             then 'not-friends'
           else 'made'
         end as outcome
    from (select 1) one
    left join device d on d.token_hash = $1
    left join player p on p.id = d.player_id
    left join effective_game g on g.id = p.game_id and g.slug = $4
    left join board b on b.game_id = g.id and b.kind = 'score' and b.slug = $5 and b.season_ended_at is null
    left join charity c on c.slug = $9
    left join challenge k on k.id = $3
), made as (
  insert into challenge (id, made_by, board_id, first_day, last_day, stake, made_at)
  select $3, $2, j.board_id, j.today, j.today + $6, $8, $10 from judged j where j.outcome = 'made'
  on conflict do nothing
  returning id
), invited as (
  insert into entry (player_id, contest, state, charity_id, at)
  select i.id, m.id, case when i.id = $2 then 'entered' else 'invited' end,
         case when i.id = $2 and $8 > 0 then j.charity_id end, $10
    from made m cross join judged j cross join unnest($2::bigint || $7) i (id)
)
select case when j.outcome = 'made' and not exists (select from made) then 'taken' else j.outcome end from judged j
