-- log_last: the number and the hash of the log's last entry, which nobody else can follow until this transaction ends.
select e.n, e.hash from log_entry e order by e.n desc limit 1
