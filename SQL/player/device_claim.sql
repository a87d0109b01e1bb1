-- device_claim: ties a device to a free player id, unless it or its token is tied already; waits for whoever claims one
-- of them just now. It runs before the statement that registers, so that that one's snapshot sees who won.
-- $1 bytea device hash   $2 bigint[] ids to choose from   $3 timestamptz now   $4 bool whether a new player may be made
-- $5 bytea token hash or null   $6 text name of the device or null
insert into device (hash, player_id, token_hash, registered_at, name, seen_on)
select $1, c.id, $5, $3, $6, ($3::timestamptz at time zone 'UTC')::date
  from unnest($2::bigint[]) with ordinality c(id, n)
 where $4
   and not exists (select from player p where p.id = c.id)
   and not exists (select from device d where d.token_hash = $5)
 order by c.n
 limit 1
on conflict do nothing
