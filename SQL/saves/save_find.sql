-- save_find: what a player has in a slot, or an earlier version of it.
-- $1 bigint player   $2 text slot   $3 bytea etag of the version, or null for the newest
select s.etag, s.body, s.saved_at
  from save s
 where s.player_id = $1 and s.slot = $2 and ($3::bytea is null or s.etag = $3)
 order by s.revision desc
 limit 1
