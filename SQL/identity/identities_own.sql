-- identities_own: a player's identities, in the order of linking.
-- $1 bigint player: Player.ID
-- returns OwnIdentity
select i.provider, i.linked_at, i.used_on
  from identity i
 where i.player_id = $1
 order by i.linked_at, i.hash
