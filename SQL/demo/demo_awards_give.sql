-- demo_awards_give: gives demo players the awards that their scores and donations earned. A running server may have
-- given some of them.
-- $1 int game   $2 bigint[] players
-- returns nothing
with given as (
  insert into award_given (player_id, award_id, given_at)
  select h.player_id, h.award_id, h.given_at
    from (select array_agg(a.id) as awards, array_agg(v.id) as players
            from award a cross join unnest($2::bigint[]) v (id)
           where a.game_id = $1 and a.rule not in ('rank', 'granted')) k
   cross join lateral award_held(k.awards, k.players) h
  on conflict do nothing
  returning award_id
)
insert into award_total as t (award_id, given)
select g.award_id, count(*) from given g group by g.award_id order by g.award_id
on conflict (award_id) do update set given = t.given + excluded.given
