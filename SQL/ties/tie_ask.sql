-- tie_ask: sets a player's tie to another one to yes. They are friends if the other's tie is yes too; else this is a
-- friend request. The writes do not depend on the other's tie. callers_lock has run in this transaction for both.
-- Outcome: said, known (the tie was yes before), full (the player has reached the limit of friends and requests), off
-- (no friend requests in this game), no-player, unauthorized, changed (one of them was merged in the meantime).
-- $1 bytea token: TokenHash   $2 bigint player: Player.ID   $3 bigint other: Player.ID   $4 timestamptz now
-- $5 bigint = Limits.friendsMax, friends and sent requests of a player, at most
-- returns outcome: TieOutcome, areFriends: Bool
with judged as materialized (
  select case
           when d.hash is null then 'unauthorized'
           when d.player_id <> $2 or exists (select from merge m where m.player_id = $3) then 'changed'
           when g.friends <> 'requests' then 'off'
           when o.id is null or o.name = '' or o.hidden or o.id = p.id or o.game_id <> p.game_id then 'no-player'
           when (select t.says from tie_said(p.id, $3) t) = 'yes' then 'known'
           when (select count(*) from tie t where t.player_id = any(members($2)) and t.says = 'yes') >= $5 then 'full'
           else 'said'
         end as outcome
    from (select 1) one
    left join device d on d.token_hash = $1
    left join player p on p.id = d.player_id
    left join effective_game g on g.id = p.game_id
    left join player o on o.id = $3
), said as (
  insert into tie (player_id, other_id, says, at) select $2, $3, 'yes', $4 from judged j where j.outcome = 'said'
  on conflict (player_id, other_id) do update set says = excluded.says, at = excluded.at
), lifted as (
  -- A block by a player merged with this one must not override the new tie.
  update tie t
     set says = 'no', at = $4
    from judged j cross join unnest(members($2)) m (id) cross join unnest(members($3)) o (id)
   where j.outcome = 'said' and t.says = 'block' and t.player_id = m.id and t.other_id = o.id
     and (t.player_id, t.other_id) <> ($2, $3)
)
select j.outcome,
       j.outcome in ('said', 'known') and coalesce((select t.says from tie_said($3, $2) t) = 'yes', false)
         as are_friends
  from judged j
