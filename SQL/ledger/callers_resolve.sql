-- callers_resolve: who the callers of a batch are, and of their players the locks that are free, taken in key order before the snapshot that the batch
-- reads with. A player whom somebody else has locked is left out and so judged later: whoever holds a lock for long keeps nobody but that player waiting.
-- It leaves to the batch, for the length of the transaction, the player of each row (causeboard.players) and those it has locked (causeboard.locked);
-- and a token in the stream: who follows it and has come to the token's commit has seen the batch.
-- $1 bytea[] token hash, or null   $2 bytea[] device hash, or null   $3 bigint[] player, or null   $4 text token of the stream, or null
with called as materialized (
  select v.n, case when v.token is not null then (select d.player_id from device d where d.token_hash = v.token)
                   when v.device is not null then (select d.player_id from device d where d.hash = v.device)
                   else v.said_player end as player_id
    from unnest($1::bytea[], $2::bytea[], $3::bigint[]) with ordinality v(token, device, said_player, n)
), locked as (
  select w.player_id from wallet w where w.player_id = any(array(select c.player_id from called c)) order by w.player_id for update skip locked
)
select set_config('causeboard.players', array(select c.player_id from called c order by c.n)::text, true),
       set_config('causeboard.locked', array(select l.player_id from locked l)::text, true),
       case when $4::text is not null then pg_logical_emit_message(true, 'causeboard', $4::text) end::text as position
