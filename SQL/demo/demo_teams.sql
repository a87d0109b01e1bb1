-- demo_teams: teams of the demo. Each is made some time after the player who is in it first has registered.
-- $1 bigint[] ids   $2 int[] games   $3 text[] externals: [String?], null for those that players make
-- $4 text[] names   $5 bigint[] makers   $6 bigint[] parts, millionths of the time from then to the end
-- $7 timestamptz end, of the data
-- returns nothing
insert into team (id, game_id, external, name, made_at)
select v.id, v.game_id, v.external, v.name, s.registered_at + ($7 - s.registered_at) * (v.part / 1000000.0)
  from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::bigint[], $6::bigint[])
         v (id, game_id, external, name, maker_id, part)
 cross join lateral (select p.registered_at from player p where p.id = v.maker_id offset 0) s
