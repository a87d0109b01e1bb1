-- device_use_note: notes the day on which a device was used; a day that is noted is not written again. It is about the
-- device alone, so no wallet is locked for it.
-- $1 bytea token hash of the device, or null   $2 bytea device hash, or null   $3 date day
update device d
   set seen_on = $3
 where d.hash = coalesce($2::bytea, (select o.hash from device o where o.token_hash = $1::bytea))
   and (d.seen_on is null or d.seen_on < $3)
