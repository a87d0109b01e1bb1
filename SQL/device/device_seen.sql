-- device_seen: notes the day on which a device was seen, and its name, where they are others than before. It is about
-- the device alone, so no wallet is locked for it.
-- $1 bytea device hash   $2 bytea token hash   $3 text name or null   $4 date today
update device d
   set name = coalesce($3, d.name), seen_on = $4
 where d.hash = $1 and d.token_hash = $2
   and (d.seen_on is distinct from $4 or $3::text is not null and d.name is distinct from $3)
