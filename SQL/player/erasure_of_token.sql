-- erasure_of_token: the receipt of the player who was erased and whose token this was, for as long as it is told.
-- $1 bytea token: TokenHash   $2 timestamptz now
-- returns UUID
select t.receipt from erased_token t where t.token_hash = $1 and t.until > $2
