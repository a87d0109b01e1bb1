-- code_find: the player of a code, the log entry if an operator asked for the code, and the player that the code has
-- already brought this device to. A code that two players have by chance belongs to nobody.
-- $1 bytea code: CodeHash   $2 bytea device: DeviceHash   $3 timestamptz now
-- returns owner: Player.ID?, logEntry: Int64?, joined: Player.ID?
with found as (
  select min(c.player_id) as player_id, min(c.log_entry) as log_entry
    from code c
   where c.hash = $1 and c.kind in ('join', 'recovery') and (c.expires_at is null or c.expires_at > $3)
  having count(*) = 1
)
select (select f.player_id from found f), (select f.log_entry from found f),
       (select d.player_id from device d where d.hash = $2 and d.joined_by = $1)
