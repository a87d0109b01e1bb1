-- log_add: adds an entry to the log.
-- $1 bigint number   $2 timestamptz now   $3 uuid action, or null   $4 text actor   $5 text kind   $6 text subject
-- $7 text numbers   $8 bytea hash of the words, or null   $9 bytea hash
insert into log_entry (n, logged_at, action, actor, kind, subject, numbers, words_hash, hash)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
