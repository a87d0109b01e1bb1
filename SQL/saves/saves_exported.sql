-- saves_exported: what is kept of the saves of a player and of those who became one with it, earlier versions too, by
-- player, slot and revision, for its export.
-- $1 bigint player   $2 bigint player after whom the page begins, or null   $3 text slot after which it does
-- $4 int revision after which it does
-- $5 int rows
select s.player_id, s.slot, s.revision, s.etag, s.body, s.saved_at
  from save s
 where s.player_id = any(members($1))
   and ($2::bigint is null or (s.player_id, s.slot, s.revision) > ($2, $3::text, $4::int))
 order by s.player_id, s.slot, s.revision
 limit $5::int
