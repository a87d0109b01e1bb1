-- log_key_find: the key by which the log hashes texts that are set.
select k.key from log_key k
