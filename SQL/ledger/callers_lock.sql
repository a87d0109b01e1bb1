-- callers_lock: takes the one lock for everything about a player, in key order, before the next statement's snapshot.
-- $1 bytea[] token hashes   $2 bytea[] device hashes   $3 bigint[] players
with locked as (
  select w.player_id
    from wallet w
   where w.player_id = any(array(
           select d.player_id from device d where d.token_hash = any($1::bytea[])
            union
           select d.player_id from device d where d.hash = any($2::bytea[])
            union
           select unnest($3::bigint[])
         ))
   order by w.player_id
     for update
)
select count(*) from locked
