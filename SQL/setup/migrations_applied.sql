-- migrations_applied: the migrations that have been applied, in order.
select number, name, checksum from migration order by number
