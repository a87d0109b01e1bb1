-- callers_by_token: as callers_resolve, for a batch of tokens and of players who were identified before: most are. What
-- it leaves out would cost each such batch a few microseconds.
-- $1 bytea[] token hash, or null   $2 bigint[] player, or null
-- $3 text commit marker, or null when nobody waits for it
with
resolved as materialized (
  select v.n,
         case
           when v.token is not null then (select d.player_id from device d where d.token_hash = v.token)
           else v.named_player
         end as player_id
    from unnest($1::bytea[], $2::bigint[]) with ordinality v(token, named_player, n)
),
locked as materialized (
  select w.player_id
    from wallet w
   where w.player_id = any(array(select r.player_id from resolved r))
   order by w.player_id
     for update skip locked
)
select set_config('causeboard.players', array(select r.player_id from resolved r order by r.n)::text, true),
       set_config('causeboard.locked', array(select l.player_id from locked l)::text, true),
       case when $3::text is not null and exists (select 1 from locked)
            then pg_logical_emit_message(true, 'causeboard', $3::text)
       end::text as position
