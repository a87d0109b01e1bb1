-- tie_yes: sets a player's tie to another one to yes, by a friend request or by the other's friend code. They are
-- friends if the other's tie is yes too. A code makes it so: it is its maker's yes of the time when it was made. It is
-- not used up if they are friends already. The writes of a request do not depend on the other's tie. Of the ties to the
-- other that are yes, the newest are kept, and those of friends. callers_lock has run in this transaction for both.
-- Outcome: said, known (a request: the tie was yes before; a code: they are friends), full (the player has reached the
-- limit of friends and requests), off (the game does not allow it), unauthorized, changed (one of them was merged in
-- the meantime); for a request no-player; for a code refused (it is no longer valid or the player's own, or its maker
-- has blocked the player, is hidden or banned, or has reached the limit). Also whether they are friends, and the
-- other's name if they are.
-- $1 bytea token: TokenHash   $2 bigint player: Player.ID   $3 bigint other: Player.ID   $4 bytea code: CodeHash?
-- $5 timestamptz now   $6 bigint = Limits.friendsMax, friends and sent requests of a player, at most
-- $7 bigint = Limits.asksKept
-- returns outcome: TieOutcome, areFriends: Bool, name: String?
with judged as materialized (
  select o.name, s.mine, s.theirs,
         case
           when d.hash is null then 'unauthorized'
           when d.player_id <> $2 or exists (select from merge m where m.player_id = $3) then 'changed'
           when g.friends = 'off' or $4::bytea is null and g.friends <> 'requests' then 'off'
           when o.id is null or o.name = '' or o.hidden or o.id = p.id or o.game_id <> p.game_id
             then case when $4 is null then 'no-player' else 'refused' end
           when $4 is not null
            and (c.player_id is null or w.banned or s.theirs = 'block'
                 -- A later no stands against the code.
                 or s.theirs = 'no' and s.theirs_at >= c.made_at)
             then 'refused'
           when s.mine = 'yes' and ($4 is null or s.theirs = 'yes') then 'known'
           when s.mine is distinct from 'yes' and yes_count($2) >= $6 then 'full'
           when $4 is not null and s.theirs is distinct from 'yes' and yes_count($3) >= $6 then 'refused'
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
    from judged j
   cross join lateral (values ($2, $3, j.mine, true), ($3, $2, j.theirs, $4 is not null))
                r (player_id, other_id, says, is_wanted)
   where j.outcome = 'said' and r.is_wanted and r.says is distinct from 'yes'
  on conflict (player_id, other_id) do update set says = excluded.says, at = excluded.at
), lifted as (
  -- A block by a player merged with this one must not override the new tie.
  update tie t
     set says = 'no', at = $5
    from judged j cross join unnest(members($2)) m (id) cross join unnest(members($3)) o (id)
   where j.outcome = 'said' and t.says = 'block' and t.player_id = m.id and t.other_id = o.id
     and (t.player_id, t.other_id) <> ($2, $3)
), forgotten as (
  -- Whether one is forgotten does not depend on what the other says, unless that is yes.
  delete from tie t
   using judged j,
         (select x.player_id
            from tie x
           where x.other_id = $3 and x.says = 'yes' and x.player_id <> $2
           order by x.at desc, x.player_id
          offset $7::bigint - 1) f
   where j.outcome = 'said' and t.player_id = f.player_id and t.other_id = $3
     and (select r.says from tie_said($3, f.player_id) r) is distinct from 'yes'
), counted as (
  update code c
     set uses = c.uses - 1
    from judged j
   where j.outcome = 'said' and c.player_id = $3 and c.kind = 'friend' and c.hash = $4 and c.uses > 1
), used_up as (
  delete from code c
   using judged j
   where j.outcome = 'said' and c.player_id = $3 and c.kind = 'friend' and c.hash = $4 and c.uses = 1
)
select j.outcome, f.are_friends, case when f.are_friends then j.name end
  from judged j
 cross join lateral (
         select j.outcome in ('said', 'known') and ($4 is not null or coalesce(j.theirs = 'yes', false)) as are_friends
       ) f
