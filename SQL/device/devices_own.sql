-- devices_own: the devices with a token that speak for the player of a token, in the order in which they came.
-- $1 bytea token: TokenHash
-- returns OwnDevice
select d.hash, d.name, d.registered_at, d.seen_on, d.token_hash = $1 as is_this,
       case
         when d.merged_from is not null and d.came_by is distinct from 'operator' then 'merge'
         else d.came_by
       end as came_by
  from device t
  join device d on d.player_id = t.player_id and d.token_hash is not null
 where t.token_hash = $1
 order by d.registered_at, d.hash
