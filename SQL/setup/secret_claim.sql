-- secret_claim: writes the fingerprint of the first server's secret; nobody ever replaces it.
-- $1 bytea fingerprint   $2 timestamptz now
insert into installation (secret_fingerprint, installed_at) values ($1, $2) on conflict (one) do nothing
