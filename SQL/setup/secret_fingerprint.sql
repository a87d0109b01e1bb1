-- secret_fingerprint: the fingerprint of the secret under which this database's hashes were made.
select secret_fingerprint from installation
