-- identity_unlink: unlinks the identities of one provider from the player of a token. callers_lock has run in this
-- transaction.
-- $1 bytea token: TokenHash   $2 text provider: Slug
-- returns nothing
delete from identity i
 using device d
 where d.token_hash = $1 and i.player_id = d.player_id and i.provider = $2
