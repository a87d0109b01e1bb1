-- log_words_add: adds the words of an entry of the log.
-- $1 bigint number   $2 bytea salt   $3 text reason   $4 text new name, or null   $5 text former name, or null
-- $6 text name that waited then, or null   $7 timestamptz since when, or null
-- $8 bool whether the player's next own name had to wait, or null
insert into log_words (n, salt, reason, name, former, former_asked, former_asked_at, former_waits)
values ($1, $2, $3, $4, $5, $6, $7, $8)
