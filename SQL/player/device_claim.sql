-- device_claim: ties a device to a player id that is free, unless it is tied already; waits for whoever claims it at this moment.
-- It runs before the statement that registers, so that this one's snapshot sees who won. A token speaks for one device alone.
-- $1 bytea device hash   $2 bigint[] ids to choose from   $3 timestamptz now   $4 bool may a new player be made   $5 bytea token hash or null
insert into device (hash, player_id, token_hash, registered_at)
select $1, c.id, $5, $3 from unnest($2::bigint[]) with ordinality c(id, place)
 where $4 and not exists (select from player p where p.id = c.id) and not exists (select from device d where d.token_hash = $5)
 order by c.place limit 1
on conflict (hash) do nothing
