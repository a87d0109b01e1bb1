-- plan_put: gives the player of a token a plan in place of the one it has. callers_lock has run in this transaction. No
-- row when there is no such token.
-- Outcome: stored, known (the player has this plan already), stale (it has another plan than the caller has seen),
-- no-charity (with its slug), closed (a charity takes no donations any more; with its slug), off (the game has no
-- plans), or banned.
-- A plan that has not run yet after the last day whose books are closed runs for it in its new version.
-- $1 bytea token hash   $2 text[] slugs, in their order   $3 int[] shares   $4 text every   $5 bigint keep
-- $6 bool anonymous   $7 text etag of the plan that the caller has seen; null: none   $8 timestamptz now
-- $9 date today in UTC
with
wanted as materialized (
  select array_agg(c.id order by v.n) as charity_ids, array_agg(v.share order by v.n) as shares,
         min(v.slug) filter (where c.id is null) as unknown, min(v.slug) filter (where c.closes_at <= $8) as closed
    from unnest($2::text[], $3::int[]) with ordinality v(slug, share, n)
    left join charity c on c.slug = v.slug
),
judged as materialized (
  select d.player_id, o.version, plan_etag(o) as etag, o.since, o.next_day, x.charity_ids, x.shares,
         coalesce(x.unknown, x.closed) as charity,
         coalesce((select max(n.version) from plan n where n.player_id = d.player_id), 0) + 1 as next_version,
         case
           when w.banned then 'banned'
           when not g.plans then 'off'
           when x.unknown is not null then 'no-charity'
           when (o.charity_ids, o.shares, o.every, o.keep, o.anonymous)
              = (x.charity_ids, x.shares, $4::text, $5::bigint, $6::bool) then 'known'
           when plan_etag(o) is distinct from $7::text then 'stale'
           when x.closed is not null then 'closed'
           else 'stored'
         end as outcome
    from device d
    join wallet w on w.player_id = d.player_id
    join player p on p.id = d.player_id
    join effective_game g on g.id = p.game_id
   cross join wanted x
    left join plan o on o.player_id = d.player_id and o.until is null
   where d.token_hash = $1
),
-- A version that never ran says nothing that anybody needs.
dropped as (
  delete from plan o
   using judged j
   where j.outcome = 'stored' and o.player_id = j.player_id
     and not exists (select from plan_run r where r.player_id = o.player_id and r.version = o.version)
  returning 1
),
ended as (
  update plan o
     set until = $8
    from judged j
   where j.outcome = 'stored' and o.player_id = j.player_id and o.until is null
     and exists (select from plan_run r where r.player_id = o.player_id and r.version = o.version)
  returning 1
),
stored as (
  insert into plan (player_id, version, charity_ids, shares, every, keep, anonymous, since, next_day)
  select j.player_id, j.next_version, j.charity_ids, j.shares, $4, $5, $6, $8, plan_day($4, least($9::date, j.next_day))
    from judged j
   -- One plan holds at a time, so the former one has to be out of the index.
   where j.outcome = 'stored' and (select count(*) from dropped) + (select count(*) from ended) >= 0
  returning plan_etag(plan) as etag, since, next_day
)
select j.outcome, coalesce(n.etag, j.etag) as etag, coalesce(n.since, j.since) as since,
       coalesce(n.next_day, j.next_day) as next_day, j.version is null as is_new, j.charity
  from judged j
  left join stored n on true
