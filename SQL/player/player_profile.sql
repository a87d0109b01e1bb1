-- player_profile: what anybody may see of a player; a hidden player is not there, and an unlisted one only where that
-- is asked for, as on a board.
-- $1 bigint player: Player.ID   $2 text game: Slug?, the game's slug, or null for any
-- $3 bool withUnlisted, unlisted ones too
-- returns PublicProfile
select p.id, p.name, p.avatar, case when g.flags then p.flag end as flag
  from player p join effective_game g on g.id = p.game_id
 where p.id = $1 and g.slug = coalesce($2, g.slug) and not p.hidden and ($3 or not p.unlisted) and p.name <> ''
