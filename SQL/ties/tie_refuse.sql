-- tie_refuse: sets a player's tie to another one to no. In place of yes, this ends a friendship, withdraws a request,
-- or declines the other's request. In place of block, it ends the block, and earlier requests of the other stay hidden.
-- It writes nothing if there is nothing to end. Beyond the limit, the oldest no ties are deleted. callers_lock has run
-- in this transaction for both.
-- Outcome: said, known, no-player (also a hidden player to whom the player has no tie, and who does not say yes),
-- unauthorized, changed (one of them was merged in the meantime).
-- $1 bytea token: TokenHash   $2 bigint player: Player.ID   $3 bigint other: Player.ID   $4 timestamptz now
-- $5 text ends: EndedTie   $6 bigint = Limits.refusedAsksMax, no ties of a player, at most
-- returns TieOutcome
with judged as materialized (
  select case
           when d.hash is null then 'unauthorized'
           when d.player_id <> $2 or exists (select from merge m where m.player_id = $3) then 'changed'
           when o.id is null or o.name = '' or o.id = p.id or o.game_id <> p.game_id then 'no-player'
           when o.hidden and s.mine is null and s.theirs is distinct from 'yes' then 'no-player'
           when s.mine = $5 or s.mine is null and s.theirs = 'yes' and $5 = 'yes' then 'said'
           else 'known'
         end as outcome
    from (select 1) one
    left join device d on d.token_hash = $1
    left join player p on p.id = d.player_id
    left join player o on o.id = $3
   cross join lateral (
           select (select t.says from tie_said(p.id, $3) t) as mine, (select t.says from tie_said($3, p.id) t) as theirs
         ) s
), said as (
  insert into tie (player_id, other_id, says, at) select $2, $3, 'no', $4 from judged j where j.outcome = 'said'
  on conflict (player_id, other_id) do update set says = excluded.says, at = excluded.at
), followed as (
  -- Players merged with these may have the same tie, which must not return when the merge is undone.
  update tie t
     set says = 'no', at = $4
    from judged j cross join unnest(members($2)) m (id) cross join unnest(members($3)) o (id)
   where j.outcome = 'said' and t.says = $5 and t.player_id = m.id and t.other_id = o.id
     and (t.player_id, t.other_id) <> ($2, $3)
), forgotten as (
  delete from tie t
   using judged j,
         (select x.other_id
            from tie x
           where x.player_id = $2 and x.says = 'no' and x.other_id <> $3
           order by x.at desc, x.other_id
          offset $6::bigint - 1) f
   where j.outcome = 'said' and t.player_id = $2 and t.other_id = f.other_id
)
select j.outcome from judged j
