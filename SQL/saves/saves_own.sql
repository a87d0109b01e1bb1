-- saves_own: what a player has in its slots, in the order of their names.
-- $1 bigint player: Player.ID
-- returns SaveVersion
select distinct on (s.slot) s.slot, s.etag, octet_length(s.body) as bytes, s.saved_at
  from save s
 where s.player_id = $1
 order by s.slot, s.revision desc
