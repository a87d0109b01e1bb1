-- log_actions: how many actions there are, how many of them have no entry in the log under their number and id, or are
-- an entry's that has no action, and the first such number.
-- returns actions: Int64, differing: Int64, first: Int64?
select count(a.id), count(*) filter (where a.id is null or e.n is null) as differing,
       min(coalesce(a.n, e.n)) filter (where a.id is null or e.n is null) as first
  from moderation_action a
  full join (select x.n, x.action from log_entry x where x.action is not null) e on e.n = a.n and e.action = a.id
