-- secret_fingerprint: of the secret under which this database's hashes were made.
select secret_fingerprint from installation
