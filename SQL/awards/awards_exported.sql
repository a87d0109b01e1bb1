-- awards_exported: the awards of a player and of those who are one with it, in order, after one of them.
-- $1 bigint player: Player.ID   $2 bigint afterPlayer: Player.ID   $3 int afterAward: Award.ID   $4 text afterOccasion
-- $5 int limitRows
-- returns ExportedAward
select g.player_id, g.award_id, g.occasion, a.slug, a.name, g.given_at
  from award_given g join award a on a.id = g.award_id
 where g.player_id = any(members($1)) and (g.player_id, g.award_id, g.occasion) > ($2, $3, $4)
 order by g.player_id, g.award_id, g.occasion
 limit $5::int
