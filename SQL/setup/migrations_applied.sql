-- migrations_applied: the migrations that have been applied, in order, and which one a server must know to stay after
-- each.
-- returns number: Int32, name: String, checksum: Bytes, compatibleSince: Int32
select m.number, m.name, m.checksum, m.compatible_since from migration m order by m.number
