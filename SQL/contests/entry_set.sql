-- entry_set: lets a player enter a challenge, or decline or leave it. callers_lock has run in this transaction for the
-- player, and challenge_share.
-- Outcome: entered, left, known (it was so before), no-challenge (the player is not invited), over, off (the game has
-- no challenges), no-stake (there is none, so no charity goes with it), charity-missing, no-charity, charity-closed,
-- full (the player has entered as many as it may), unauthorized, changed (the token is another player's by now).
-- $1 bytea token: TokenHash   $2 bigint player: Player.ID   $3 uuid id   $4 text game: Slug   $5 text board: Slug
-- $6 bool enters   $7 text charity: Slug?   $8 timestamptz now   $9 bigint = Limits.openEntriesMax
-- returns ChallengeOutcome
with judged as materialized (
  select e.player_id, case when c.stake > 0 then coalesce(h.id, e.charity_id) end as charity_id,
         case
           when d.hash is null then 'unauthorized'
           when d.player_id <> $2 then 'changed'
           when c.id is null or e.player_id is null or e.state = 'withdrawn' then 'no-challenge'
           when challenge_state(c, b, $8) <> 'open' then 'over'
           when not $6::bool then case e.state when 'entered' then 'left' when 'invited' then 'left' else 'known' end
           when g.challenges = 'off' then 'off'
           when c.stake = 0 and $7::text is not null then 'no-stake'
           when c.stake > 0 and $7 is null and e.charity_id is null then 'charity-missing'
           when $7 is not null and h.id is null then 'no-charity'
           when e.state = 'entered' and (h.id is null or h.id = e.charity_id) then 'known'
           when h.opens_at > $8 or h.closes_at <= $8 then 'charity-closed'
           when e.state in ('declined', 'left') and open_entries($2) >= $9 then 'full'
           else 'entered'
         end as outcome
    from (select 1) one
    left join device d on d.token_hash = $1
    left join player p on p.id = d.player_id
    left join effective_game g on g.id = p.game_id
    left join (challenge c join board b on b.id = c.board_id and b.slug = $5
                           join game y on y.id = b.game_id and y.slug = $4) on c.id = $3
    left join lateral entry_of($2, $3) e on true
    left join charity h on h.slug = $7
), answered as (
  update entry e
     set state = case j.outcome when 'entered' then 'entered' else case e.state when 'invited' then 'declined'
                                                                                else 'left' end end,
         charity_id = case j.outcome when 'entered' then j.charity_id else e.charity_id end, at = $8
    from judged j
   where j.outcome in ('entered', 'left') and e.player_id = j.player_id and e.contest = $3
)
select j.outcome from judged j
