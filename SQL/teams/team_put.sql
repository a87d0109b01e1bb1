-- team_put: makes or renames a team for the game's server, which has called it by this before or does so now. One that
-- was closed is open again.
-- Outcome: made, known (nothing changes), renamed, name-refused, no-room (the game has as many open teams as it may
-- have), off (the game has no teams), no-game, taken (another team has the id, or another call has made it just now).
-- $1 text game: Slug   $2 text external   $3 bigint id: Team.ID, of a new one   $4 text name   $5 text skeleton
-- $6 text leetSkeleton   $7 timestamptz now   $8 bigint = Limits.teamsOfGameMax, open teams of a game, at most
-- returns TeamOutcome, team: Team.ID?
with judged as materialized (
  select g.id as game_id, t.id, g.names = 'approved' or coalesce(t.name_waits, false) as is_approving,
         case
           when g.id is null then 'no-game'
           when g.teams = 'off' then 'off'
           when coalesce(t.asked_name, t.name) = $4 then case when t.closed_at is null then 'known' else 'renamed' end
           when is_refused_name(g.names, g.refused_skeletons, $5, $6) then 'name-refused'
           when t.id is not null then 'renamed'
           when (select count(*) from team x where x.game_id = g.id and x.closed_at is null) >= $8 then 'no-room'
           else 'made'
         end as outcome
    from (select 1) one
    left join effective_game g on g.slug = $1
    left join team t on t.game_id = g.id and t.external = $2
), made as (
  insert into team (id, game_id, external, name, asked_name, asked_at, made_at)
  select $3, j.game_id, $2, case when j.is_approving then waiting_team_name($3) else $4 end,
         case when j.is_approving then $4 end, case when j.is_approving then $7::timestamptz end, $7
    from judged j
   where j.outcome = 'made'
  on conflict do nothing
  returning id
), renamed as (
  update team t
     -- The row is that of now, so that an operator's new name is not replaced.
     set name = case when j.is_approving or t.name_waits then t.name else $4 end,
         asked_name = case when j.is_approving or t.name_waits then nullif($4, t.name) end,
         asked_at = case when (j.is_approving or t.name_waits) and $4 <> t.name then $7 end,
         closed_at = null
    from judged j
   where j.outcome = 'renamed' and t.id = j.id
)
select case when j.outcome = 'made' and not exists (select from made) then 'taken' else j.outcome end,
       coalesce(j.id, (select m.id from made m))
  from judged j
