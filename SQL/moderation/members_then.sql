-- members_then: who was one with a player after an entry of the log, and the player.
-- $1 bigint player: Player.ID   $2 bigint entry, the last entry of the log that counts
-- returns Player.ID
with recursive
united as materialized (
  select m.player_id, m.into_id
    from moderation_action m left join moderation_action u on u.id = m.undone_by
   where m.kind = 'merge' and m.n <= $2::bigint and (u.n is null or u.n > $2)
),
one (id) as (
  select $1::bigint
   union
  select case when u.player_id = o.id then u.into_id else u.player_id end
    from one o join united u on o.id in (u.player_id, u.into_id)
)
select o.id from one o
