-- secret_claim: the first server to come writes the fingerprint of its secret; nobody ever replaces it.
-- $1 bytea fingerprint   $2 timestamptz now
insert into installation (secret_fingerprint, installed_at) values ($1, $2) on conflict (one) do nothing
