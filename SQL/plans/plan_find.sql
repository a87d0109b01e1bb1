-- plan_find: the plan that a player has.
-- $1 bigint player: Player.ID
-- returns Plan
select plan_slugs(o) as slugs, o.shares, o.every, o.keep, o.anonymous, plan_etag(o) as etag, o.since, o.next_day
  from plan o
 where o.player_id = $1 and o.until is null
