-- correction_newest: the action by which a score or a donation is as it is: the last one that stands, else the last
-- undo. No action when a rule, the game or the player itself did it; no row when nothing has ever moved it.
-- $1 bigint player: Player.ID, whose row it is; for any score a player, who may be one with others
-- $2 uuid subject: UUID?, score or donation, or null for any score
-- returns action: UUID?, kind: String
select k.action, k.kind
  from correction k left join moderation_action a on a.id = k.action
 where k.player_id = any(case when $2::uuid is null then members($1) else array[$1] end)
   and case when $2 is null then k.kind in ('hold', 'release', 'void', 'unvoid')
            else k.subject = $2 and k.kind not in ('fund', 'unfund') end
 order by (a.id is null or a.kind <> 'undo' and a.undone_by is null) desc, k.corrected_at desc, k.n desc
 limit 1
