-- save_versions: the versions that are kept of a slot, the newest first.
-- $1 bigint player: Player.ID   $2 text slot: Slug
-- returns SaveVersion
select s.slot, s.etag, octet_length(s.body) as bytes, s.saved_at
  from save s
 where s.player_id = $1 and s.slot = $2
 order by s.revision desc
