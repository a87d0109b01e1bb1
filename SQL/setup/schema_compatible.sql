-- schema_compatible: the newest migration that has been applied, and the one that a server must know to stay here.
-- returns newest: Int32, compatibleSince: Int32
select max(m.number), max(m.compatible_since) from migration m
