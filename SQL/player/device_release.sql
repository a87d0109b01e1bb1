-- device_release: takes back a claim that led to no player, as when the name was refused.
-- $1 bytea device: DeviceHash
-- returns nothing
delete from device d where d.hash = $1 and not exists (select from player p where p.id = d.player_id)
