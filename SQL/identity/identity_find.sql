-- identity_find: the player to whom an identity is linked, if any.
-- $1 bytea identity: IdentityHash
-- returns Player.ID
select i.player_id from identity i where i.hash = $1
