-- history_exceeds: whether two players, with all who are one with them, have more scores than so many, or more
-- donations.
-- $1 bigint player: Player.ID   $2 bigint other: Player.ID   $3 int rows
-- returns Bool
with owners as materialized (
  select members($1) || members($2) as players
)
select exists (select from score s where s.player_id = any((select o.players from owners o)::bigint[]) offset $3::int)
       or exists (
            select from donation d where d.player_id = any((select o.players from owners o)::bigint[]) offset $3::int)
