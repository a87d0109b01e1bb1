-- player_found: the game of a player, hidden or not, with what actions change of the player itself: the name that is
-- shown, which is empty once the player was erased, what it calls itself, the name that waits, since when, and whether
-- its next own name has to wait.
-- $1 bigint player
select g.slug, p.name, coalesce(p.asked_name, p.name) as own_name, p.avatar, p.hidden,
       p.asked_name, p.asked_at, p.name_waits
  from player p join game g on g.id = p.game_id
 where p.id = $1
