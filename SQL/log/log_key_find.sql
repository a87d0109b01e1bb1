-- log_key_find: the key with which the log hashes texts.
select k.key from log_key k
