-- code_find: the player whose code this is, the log entry of the operator who asked for it if one did, and the player
-- to whom it has brought this device before. A code that two players happen to have is nobody's.
-- $1 bytea code hash   $2 bytea device hash   $3 timestamptz now
with found as (
  select min(c.player_id) as player_id, min(c.log_entry) as log_entry
    from code c
   where c.hash = $1 and (c.expires_at is null or c.expires_at > $3)
  having count(*) = 1
)
select (select f.player_id from found f), (select f.log_entry from found f),
       (select d.player_id from device d where d.hash = $2 and d.joined_by = $1)
