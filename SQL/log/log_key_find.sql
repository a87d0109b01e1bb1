-- log_key_find: the key with which the log hashes texts.
-- returns LogKey
select k.key from log_key k
