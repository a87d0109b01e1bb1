-- device_of_token: the device of a token, with its player and game, the game's friend rules, and whether the player may
-- not write. If the player has an older device, also since when this one counts as the player's own; else null.
-- $1 bytea token: TokenHash
-- returns CallingDevice
select d.hash, p.id, g.slug, g.friends, w.banned,
       case
         when exists (
                select from device o
                 where o.player_id = d.player_id and o.token_hash is not null and o.registered_at < d.registered_at
              )
           then coalesce(d.owned_since, d.registered_at)
       end as owned_since
  from device d
  join player p on p.id = d.player_id
  join effective_game g on g.id = p.game_id
  join wallet w on w.player_id = p.id
 where d.token_hash = $1
