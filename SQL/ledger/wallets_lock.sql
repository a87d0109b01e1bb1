-- wallets_lock: takes the one lock for everything about a player, before the statements that read what is there.
-- Locks are taken in key order. A player whom somebody else has locked is left out and judged later, so whoever holds
-- a lock for long delays that player alone.
-- Rows come in the order of the players' ids, without those that somebody else has locked.
-- $1 bigint[] players: [Player.ID]
-- returns LockedWallet
select w.player_id, w.earned, w.voided + w.held + w.donated as spent, w.banned, w.merged, w.merges > 0 as has_merged,
       w.holds, w.secret_until, w.settles_at, w.timed_boards, w.timed_at, w.callers_left
  from wallet w
 where w.player_id = any($1::bigint[])
 order by w.player_id
   for update skip locked
