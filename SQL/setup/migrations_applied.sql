-- migrations_applied: the migrations that have been applied, in order, and which one a server must know to stay after
-- each.
select m.number, m.name, m.checksum, m.compatible_since from migration m order by m.number
