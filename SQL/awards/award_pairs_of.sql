-- award_pairs_of: the awards that some players may have, as far as they follow from what a player did: those of its
-- game. Merged players are their survivors.
-- $1 bigint[] players: [Player.ID]
-- returns award: Award.ID, player: Player.ID
select a.id, p.id
  from (select distinct coalesce((select m.survivor_id from merge m where m.player_id = x.id), x.id) as id
          from unnest($1::bigint[]) x (id)) s
 cross join lateral (select y.id, y.game_id from player y where y.id = s.id and y.name <> '' offset 0) p
  join award a on a.game_id = p.game_id and a.rule not in ('rank', 'granted')
 order by p.id, a.id
