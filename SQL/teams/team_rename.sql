-- team_rename: gives a team the name that its captain chooses, or lets it wait for approval. The team is locked.
-- Outcome: renamed, known, name-refused, no-team, off (players of the game name no teams).
-- $1 bigint team: Team.ID   $2 text name   $3 text skeleton   $4 text leetSkeleton   $5 timestamptz now
-- returns TeamOutcome
with judged as materialized (
  select t.id, g.names = 'approved' or t.name_waits as is_approving,
         case
           when t.id is null then 'no-team'
           when g.teams <> 'codes' then 'off'
           when coalesce(t.asked_name, t.name) = $2 then 'known'
           when is_refused_name(g.names, g.refused_skeletons, $3, $4) then 'name-refused'
           else 'renamed'
         end as outcome
    from (select 1) one left join team t on t.id = $1 left join effective_game g on g.id = t.game_id
), renamed as (
  update team t
     set name = case when j.is_approving then t.name else $2 end,
         asked_name = case when j.is_approving then nullif($2, t.name) end,
         asked_at = case when j.is_approving and $2 <> t.name then $5::timestamptz end
    from judged j
   where j.outcome = 'renamed' and t.id = j.id
)
select j.outcome from judged j
