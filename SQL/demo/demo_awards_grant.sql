-- demo_awards_grant: awards that operators granted to demo players some time after they registered.
-- $1 text game: Slug   $2 text[] awards, their slugs   $3 bigint[] players
-- $4 bigint[] parts, millionths of the time from then to the end   $5 timestamptz end, of the data
-- returns nothing
with given as (
  insert into award_given (player_id, award_id, given_at)
  select v.player_id, a.id, s.registered_at + ($5 - s.registered_at) * (v.part / 1000000.0)
    from unnest($2::text[], $3::bigint[], $4::bigint[]) v (slug, player_id, part)
    join game g on g.slug = $1
    join award a on a.game_id = g.id and a.slug = v.slug
   cross join lateral (select p.registered_at from player p where p.id = v.player_id offset 0) s
  on conflict do nothing
  returning award_id
)
insert into award_total as t (award_id, given)
select g.award_id, count(*) from given g group by g.award_id order by g.award_id
on conflict (award_id) do update set given = t.given + excluded.given
