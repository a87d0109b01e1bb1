-- saves: what games keep for a player beside its scores, in slots, each with its newest versions.
-- compatible since: 29
create table save (
  player_id   bigint      not null,
  slot        text        not null,
  revision    integer     not null,          -- counts up in a slot; the highest is what the slot has
  etag        bytea       not null,          -- the first 16 bytes of the body's SHA-256
  body        bytea       not null,
  saved_at    timestamptz not null,
  merged_from bigint,                        -- whose it was, when it came with a player who was merged
  constraint save_pkey primary key (player_id, slot, revision),
  constraint save_player_id_fkey foreign key (player_id) references player,
  constraint save_slot_check check (slot ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
  constraint save_revision_check check (revision >= 1),
  constraint save_etag_check check (octet_length(etag) = 16),
  constraint save_body_check check (octet_length(body) <= 65536)
);

-- Whoever erases a player erases its saves, servers of before this table too.
create function save_erase() returns trigger language plpgsql as $$
begin
  delete from save s where s.player_id = new.player_id;
  return null;
end $$;
create trigger erasure_saves_trg after insert on erasure for each row execute function save_erase();
