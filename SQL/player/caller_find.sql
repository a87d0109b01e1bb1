-- caller_find: finds the player whom a caller speaks for; who may is judged as in `score_batch`.
-- Outcome: known, unauthorized, forbidden, no-player.
-- $1 bytea token hash, or null   $2 bytea key hash, or null   $3 bytea device hash, or null   $4 bigint player, or null
-- $5 text game slug, or null for any   $6 timestamptz now
select case
         when $1::bytea is not null and p.id is null then 'unauthorized'
         when $2::bytea is not null and k.game_id is null then 'unauthorized'
         when $5::text is not null and g.id is null then 'no-player'
         when k.game_id <> g.id then 'forbidden'
         when $1 is not null and p.game_id <> g.id then 'unauthorized'
         when $1 is not null and coalesce(c.survivor_id, $4::bigint) <> p.id then 'forbidden'
         when p.id is null or p.name = '' or p.game_id <> k.game_id then 'no-player'
         else 'known'
       end as outcome,
       case when $1 is null and $3::bytea is null then coalesce(c.survivor_id, p.id) else p.id end,
       -- The player before a merge, under whose rows ids are looked for first.
       coalesce(case when $1 is not null then t.merged_from when $3::bytea is not null then d.merged_from end, p.id)
  from (select 1) one
  left join device t on t.token_hash = $1
  left join device d on d.hash = $3
  left join game_key k on k.hash = $2 and k.kind = 'game' and k.revoked_at is null
                      and ($6::timestamptz < k.expires_at) is not false
  left join player p on p.id = case
         when $1 is not null then t.player_id
         when $3::bytea is not null then d.player_id
         else $4
       end
  left join merge c on c.player_id = $4
  left join game g on g.slug = $5
