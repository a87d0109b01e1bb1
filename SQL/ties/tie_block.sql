-- tie_block: blocks a player for another one. This ends a friendship, stops the other's requests and codes, declines
-- its invitations to challenges, and withdraws those to the other.
-- callers_lock has run in this transaction for both.
-- Outcome: said, known, full (the player has reached the limit of blocks), no-player (also a hidden player to whom the
-- player has no tie, and who does not say yes), unauthorized, changed (one of them was merged in the meantime).
-- $1 bytea token: TokenHash   $2 bigint player: Player.ID   $3 bigint other: Player.ID   $4 timestamptz now
-- $5 bigint = Limits.blockedMax, blocked players of a player, at most
-- returns TieOutcome
with judged as materialized (
  select case
           when d.hash is null then 'unauthorized'
           when d.player_id <> $2 or exists (select from merge m where m.player_id = $3) then 'changed'
           when o.id is null or o.name = '' or o.id = p.id or o.game_id <> p.game_id then 'no-player'
           when o.hidden and s.mine is null and s.theirs is distinct from 'yes' then 'no-player'
           when s.mine = 'block' then 'known'
           when (select count(*) from tie t where t.player_id = any(members($2)) and t.says = 'block') >= $5 then 'full'
           else 'said'
         end as outcome
    from (select 1) one
    left join device d on d.token_hash = $1
    left join player p on p.id = d.player_id
    left join player o on o.id = $3
   cross join lateral (
           select (select t.says from tie_said(p.id, $3) t) as mine, (select t.says from tie_said($3, p.id) t) as theirs
         ) s
), said as (
  -- Players merged with the other are blocked too, and stay so if the merge is undone.
  insert into tie (player_id, other_id, says, at)
  select $2, o.id, 'block', $4
    from judged j cross join unnest(members($3)) o (id)
   where j.outcome = 'said' and o.id <> $2
  on conflict (player_id, other_id) do update set says = excluded.says, at = excluded.at
), followed as (
  update tie t
     set says = 'block', at = $4
    from judged j cross join unnest(members($2)) m (id) cross join unnest(members($3)) o (id)
   where j.outcome = 'said' and t.says = 'yes' and t.player_id = m.id and t.player_id <> $2 and t.other_id = o.id
), uninvited as (
  update entry e
     set state = case when e.player_id = any(members($2)) then 'declined' else 'withdrawn' end, at = $4
    from (select i.player_id, i.contest
            from judged j
           cross join unnest(members($2) || members($3)) p (id)
           cross join lateral (
                   select x.player_id, x.contest
                     from entry x
                    where x.player_id = p.id and x.settled_at is null and x.state = 'invited'
                   offset 0
                 ) i
           cross join lateral (select y.made_by from challenge y where y.id = i.contest offset 0) c
           where j.outcome = 'said' and c.made_by = any(members($2) || members($3))) i
   where e.player_id = i.player_id and e.contest = i.contest
)
select j.outcome from judged j
