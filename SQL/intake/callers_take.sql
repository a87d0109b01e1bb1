-- callers_take: of the players whom a batch writes about, takes the locks that are free, in key order, before the snapshot that the batch reads with.
-- A player whom somebody else has locked is left out and so judged later: whoever holds a lock for long keeps nobody but that player waiting.
-- It leaves the players it took to the batch, and a token in the stream: who follows it and has come to the token's commit has seen the batch.
-- $1 bytea[] token hashes   $2 bytea[] device hashes   $3 bigint[] players   $4 text token of the stream, or null
with locked as (
  select w.player_id
    from wallet w
   where w.player_id = any(array(select d.player_id from device d where d.token_hash = any($1::bytea[])
                           union select d.player_id from device d where d.hash = any($2::bytea[])
                           union select unnest($3::bigint[])))
   order by w.player_id
     for update skip locked
)
select set_config('causeboard.locked', coalesce(array_agg(player_id), '{}')::text, true),
       case when $4::text is not null then pg_logical_emit_message(true, 'causeboard', $4::text) end::text as position
  from locked
