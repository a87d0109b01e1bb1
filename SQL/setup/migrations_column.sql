-- migrations_column: adds to the list of an older server since when servers are compatible.
alter table migration add column if not exists compatible_since integer
