-- callers_identify: finds the player for whom each row of a batch speaks, or why its caller may not speak for anybody,
-- and what the answer depends on: the device, the key's end, and how many callers the player's wallet has seen leave.
-- It runs before the transaction that locks these players, so a row that is refused locks nobody and takes no turn.
-- A token says more than a key with a player, and a key more than a device alone. A player who comes without any of
-- them was identified before.
-- $1 bytea[] token hash, or null   $2 bytea[] key hash, or null   $3 bytea[] device hash, or null
-- $4 bigint[] player that the row names, or null   $5 text[] game slug; a donation has one only of a device alone
-- $6 bool[] whether the row is a score, which belongs to its game's players   $7 timestamptz now
select w.player_id,
       case
         when v.token is not null and p.id is null then 'unauthorized'
         when v.key is not null and k.id is null then 'unauthorized'
         when v.is_score and g.id is null then 'no-board'
         when v.is_score and k.game_id <> g.id then 'forbidden'
         when v.key is not null and not case when v.is_score then 'post' else 'donate' end = any(k.scopes)
           then 'scope'
         when v.is_score and v.token is not null and p.game_id <> g.id then 'unauthorized'
         when v.token is not null and coalesce(c.survivor_id, v.named_player) <> p.id then 'forbidden'
         -- A device that speaks for itself, by its id alone.
         when v.key is null and v.device is not null and g.classic <> 'open' then 'protocol-closed'
         when v.key is null and v.device is not null and d.token_hash is not null then 'token-needed'
         when p.id is null or p.name = '' or p.game_id <> k.game_id or v.is_score and p.game_id <> g.id then 'no-player'
         when v.key is null and v.device is not null and g.id is null then 'no-player'
       end as refusal,
       case when v.token is not null then t.hash else d.hash end as device,
       k.expires_at,
       -- The player before a merge, under whose rows ids are looked for first.
       case
         when v.token is not null then coalesce(t.merged_from, p.id)
         when v.device is not null then coalesce(d.merged_from, p.id)
         else p.id
       end as own_id,
       w.callers_left
  from unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bigint[], $5::text[], $6::bool[])
       with ordinality v(token, key, device, named_player, game, is_score, n)
  left join game g on g.slug = v.game
  left join game_key k on k.hash = v.key and k.kind = 'game' and k.revoked_at is null
                       and ($7::timestamptz < k.expires_at) is not false
  left join device t on t.token_hash = v.token
  left join device d on d.hash = v.device
  left join player p on p.id = case
                                 when v.token is not null then t.player_id
                                 when v.device is not null then d.player_id
                                 else v.named_player
                               end
  left join merge c on c.player_id = v.named_player
  left join wallet w on w.player_id = case
                                        when v.token is null and v.device is null then coalesce(c.survivor_id, p.id)
                                        else p.id
                                      end
 order by v.n
