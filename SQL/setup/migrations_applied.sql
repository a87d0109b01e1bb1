-- migrations_applied: what has been applied, in order.
select number, name, checksum from migration order by number
