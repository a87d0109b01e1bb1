-- callers_resolve: finds the players who call in a batch, and locks those that nobody else has locked.
-- It runs before the statements that write the batch, so their snapshot sees what the last holder of a lock committed.
-- Locks are taken in key order. A player whom somebody else has locked is left out and judged later, so whoever holds
-- a lock for long delays that player alone.
-- The result stays in two settings that last as long as the transaction, where the statements of the batch read it:
-- causeboard.players, the player of each row, and causeboard.locked, the players that were locked.
-- A commit marker goes into the replication stream: whoever follows the stream past it has seen the batch.
-- $1 bytea[] token hash, or null   $2 bytea[] device hash, or null   $3 bigint[] player, or null
-- $4 text commit marker, or null when nobody waits for it
with
-- A token says more than a device, and a device more than the player that the caller names.
resolved as materialized (
  select v.n,
         case
           when v.token is not null then (select d.player_id from device d where d.token_hash = v.token)
           when v.device is not null then (select d.player_id from device d where d.hash = v.device)
           else v.named_player
         end as player_id
    from unnest($1::bytea[], $2::bytea[], $3::bigint[]) with ordinality v(token, device, named_player, n)
),
-- The wallet's row is the lock for all that is the player's.
locked as (
  select w.player_id
    from wallet w
   where w.player_id = any(array(select r.player_id from resolved r))
   order by w.player_id
     for update skip locked
)
select set_config('causeboard.players', array(select r.player_id from resolved r order by r.n)::text, true),
       set_config('causeboard.locked', array(select l.player_id from locked l)::text, true),
       case when $4::text is not null then pg_logical_emit_message(true, 'causeboard', $4::text) end::text as position
