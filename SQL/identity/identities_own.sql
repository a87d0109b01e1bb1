-- identities_own: the identities of a player, in the order in which they were linked.
-- $1 bigint player: Player.ID
-- returns OwnIdentity
select i.provider, i.linked_at, i.used_on
  from identity i
 where i.player_id = $1
 order by i.linked_at, i.hash
