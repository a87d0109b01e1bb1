-- player_hide: hides a player and stops its writes as far as actions say that are not undone, on it or on those who are
-- one with it. Who is one with another player is hidden, too. The wallet is locked, and the action is in the table.
-- $1 bigint player: Player.ID
-- returns nothing
with kept as (
  select count(*) filter (where a.kind = 'ban') > 0 as banned,
         count(*) > 0 or exists (select from merge m where m.player_id = $1) as hidden
    from ledger_owner o join moderation_action a on a.player_id = o.player_id
   where o.survivor_id = $1 and a.kind in ('hide', 'ban') and a.undone_by is null
), stopped as (
  update wallet w set banned = k.banned from kept k where w.player_id = $1 and w.banned <> k.banned
)
update player p set hidden = k.hidden from kept k where p.id = $1 and p.hidden <> k.hidden
