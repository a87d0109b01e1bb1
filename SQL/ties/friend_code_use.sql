-- friend_code_use: makes a player and the maker of a friend code friends. callers_lock has run in this transaction for
-- both. The code is not used up if they are friends already.
-- Outcome: said, known (they are friends), refused (the code is no longer valid or the player's own, or its maker has
-- blocked the player, is hidden or banned, or has reached the limit of friends and requests), full (the player has
-- reached that limit), off (friends are off in this game), unauthorized, changed (the player was merged in the
-- meantime). Also returns the maker's name.
-- $1 bytea token: TokenHash   $2 bigint player: Player.ID   $3 bigint maker: Player.ID   $4 bytea code: CodeHash
-- $5 timestamptz now   $6 bigint = Limits.friendsMax, friends and sent requests of a player, at most
-- returns outcome: TieOutcome, name: String?
with judged as materialized (
  select o.name, s.mine, s.theirs,
         case
           when d.hash is null then 'unauthorized'
           when d.player_id <> $2 then 'changed'
           when g.friends = 'off' then 'off'
           when c.player_id is null or o.name = '' or o.hidden or w.banned or o.id = p.id or o.game_id <> p.game_id
             or s.theirs = 'block'
             -- A code is its maker's yes of the time when it was made. A later no stands against it.
             or s.theirs = 'no' and s.theirs_at >= c.made_at
             then 'refused'
           when s.mine = 'yes' and s.theirs = 'yes' then 'known'
           when s.mine is distinct from 'yes'
            and (select count(*) from tie t where t.player_id = any(members($2)) and t.says = 'yes') >= $6
             then 'full'
           when s.theirs is distinct from 'yes'
            and (select count(*) from tie t where t.player_id = any(members($3)) and t.says = 'yes') >= $6
             then 'refused'
           else 'said'
         end as outcome
    from (select 1) one
    left join device d on d.token_hash = $1
    left join player p on p.id = d.player_id
    left join effective_game g on g.id = p.game_id
    left join player o on o.id = $3
    left join wallet w on w.player_id = $3
    left join code c on c.player_id = $3 and c.kind = 'friend' and c.hash = $4 and c.expires_at > $5
   cross join lateral (
           select (select t.says from tie_said($2, $3) t) as mine, r.says as theirs, r.at as theirs_at
             from (select 1) one left join tie_said($3, $2) r on true
         ) s
), said as (
  insert into tie (player_id, other_id, says, at)
  select r.player_id, r.other_id, 'yes', $5
    from judged j cross join lateral (values ($2, $3, j.mine), ($3, $2, j.theirs)) r (player_id, other_id, says)
   where j.outcome = 'said' and r.says is distinct from 'yes'
  on conflict (player_id, other_id) do update set says = excluded.says, at = excluded.at
), lifted as (
  -- A block by a player merged with this one must not override the new tie.
  update tie t
     set says = 'no', at = $5
    from judged j cross join unnest(members($2)) m (id) cross join unnest(members($3)) o (id)
   where j.outcome = 'said' and t.says = 'block' and t.player_id = m.id and t.other_id = o.id
     and (t.player_id, t.other_id) <> ($2, $3)
), counted as (
  update code c
     set uses = c.uses - 1
    from judged j
   where j.outcome = 'said' and c.player_id = $3 and c.kind = 'friend' and c.uses > 1
), used_up as (
  delete from code c using judged j where j.outcome = 'said' and c.player_id = $3 and c.kind = 'friend' and c.uses = 1
)
select j.outcome, case when j.outcome in ('said', 'known') then j.name end from judged j
