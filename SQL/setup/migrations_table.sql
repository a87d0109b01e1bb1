-- migrations_table: the list of what has been applied; the first thing a new database gets.
-- returns nothing
create table if not exists migration (
  number           integer     not null,
  name             text        not null,
  checksum         bytea       not null,
  applied_at       timestamptz not null,
  compatible_since integer     not null,   -- servers whose newest migration is this one or a later one may stay
  constraint migration_pkey primary key (number)
)
