-- migration_record: records that one more migration was applied.
-- $1 int number   $2 text name   $3 bytea SHA-256 of its text   $4 timestamptz now
insert into migration (number, name, checksum, applied_at) values ($1, $2, $3, $4)
