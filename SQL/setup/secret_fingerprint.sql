-- secret_fingerprint: the fingerprint of the secret under which this database's hashes were made.
-- returns Bytes
select secret_fingerprint from installation
