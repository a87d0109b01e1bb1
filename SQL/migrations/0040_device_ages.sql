-- device ages: how a device joined its player and since when it counts as the player's own, which codes an operator
-- asked for, and the key with which the log hashes texts.
-- compatible since: 29
alter table device
  add column came_by     text,
  add column owned_since timestamptz,
  add constraint device_came_by_check check (came_by in ('code', 'recovery', 'operator'));
comment on column device.came_by is 'the kind of code that brought it; null for a device that registered by itself';
comment on column device.owned_since is 'when the recovery code that brought it was made; null is registered_at';

alter table code add column log_entry bigint;
comment on column code.log_entry is 'number of the log entry of the operator who asked for it; null when a device did';

-- Random, so that a reader of the log cannot find a text by guessing. It is not derived from the secret, because the
-- command line changes settings without the secret.
create table log_key (
  one boolean not null default true,
  key bytea   not null,
  constraint log_key_pkey primary key (one),
  constraint log_key_one_check check (one),
  constraint log_key_key_check check (octet_length(key) = 32)
);
insert into log_key (key) values (sha256(convert_to(concat(gen_random_uuid(), gen_random_uuid()), 'UTF8')));
