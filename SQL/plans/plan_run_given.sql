-- plan_run_given: a run with what the ledger has of its donations; null for one that it does not have. No row when
-- there is no such run, or it is done. Nobody else notes it until this transaction ends.
-- $1 bigint player: Player.ID   $2 int version   $3 date day: Day
-- returns GivenRun
select o.shares, r.points, r.skipped, r.owed,
       array(select d.points
               from unnest(r.ids, o.charity_ids) with ordinality v(id, charity_id, n)
               left join donation d on d.player_id = any(members($1)) and d.id = v.id and d.charity_id = v.charity_id
              order by v.n) as given
  from plan_run r
  join plan o on o.player_id = r.player_id and o.version = r.version
 where r.player_id = $1 and r.version = $2 and r.day = $3 and r.done_at is null
   for update of r
