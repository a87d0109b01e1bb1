-- log_words_add: adds the words of an entry of the log.
-- $1 bigint number   $2 bytea salt   $3 text reason   $4 text new name, or null   $5 text former name, or null
insert into log_words (n, salt, reason, name, former) values ($1, $2, $3, $4, $5)
