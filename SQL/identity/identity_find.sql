-- identity_find: the player of an identity, if it is linked to one.
-- $1 bytea identity: IdentityHash
-- returns Player.ID
select i.player_id from identity i where i.hash = $1
