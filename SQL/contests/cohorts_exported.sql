-- cohorts_exported: a page of the campaigns that a player, or a player merged into it, has entered.
-- $1 bigint player: Player.ID   $2 bigint afterPlayer: Player.ID   $3 text afterCampaign: String   $4 int limitRows
-- returns ExportedCohort
select m.player_id, c.slug, m.cohort, m.room, m.entered_at
  from cohort_member m join campaign c on c.id = m.campaign_id
 where m.player_id = any(members($1)) and (m.player_id, c.slug) > ($2, $3)
 order by m.player_id, c.slug
 limit $4::int
