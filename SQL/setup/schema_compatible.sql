-- schema_compatible: the newest migration that has been applied, and the one that a server must know to go on here.
select max(m.number), max(coalesce(m.compatible_since, m.number)) from migration m
