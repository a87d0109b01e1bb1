-- corrections: what operators put right, without changing a row of a ledger, and the log of what they did.
-- compatible since: 21
-- known as: 6793cf08ef6162394ddfc9ab9ca7ec8562a10781920feedf0155830e0effeae2
-- Databases know this migration by the checksum of its first text. That altered wallet while unspent() took its rows,
-- which PostgreSQL 17 refuses; the schema that it makes is the same.
-- Servers of before do not fund donations again: stop them first.

-- One movement of points that an act caused, or the server as a consequence. Rows are added and never changed.
create table correction (
  player_id    bigint      not null,
  n            integer     not null,       -- counts the player's corrections, from 1
  kind         text        not null,
  subject      uuid        not null,       -- the score or the donation
  points       bigint      not null,
  act          uuid,                       -- null when later points funded a donation again
  corrected_at timestamptz not null,
  constraint correction_pkey primary key (player_id, n),
  constraint correction_kind_check check (
    kind in ('hold', 'release', 'void', 'unvoid', 'unfund', 'fund', 'reverse', 'unreverse', 'forfeit', 'unforfeit')
  ),
  constraint correction_points_check check (points >= 0)
);

-- Scores that do not count; all others do. It is derived from the corrections.
create table score_state (
  player_id bigint not null,
  id        uuid   not null,
  state     text   not null,
  constraint score_state_pkey primary key (player_id, id),
  constraint score_state_state_check check (state in ('held', 'voided'))
);

-- Donations that are not funded in whole; all others are. It is derived from the corrections.
create table donation_state (
  player_id bigint  not null,
  id        uuid    not null,
  unfunded  bigint  not null,
  reversed  boolean not null,
  constraint donation_state_pkey primary key (player_id, id),
  constraint donation_state_check check (unfunded > 0 and not reversed or unfunded = 0 and reversed)
);

create table act (
  id        uuid        not null,
  kind      text        not null,
  player_id bigint,
  subject   uuid,                          -- the score, the donation, or the act that is undone
  until     timestamptz,                   -- when a ban ends by itself
  asked     text        not null,          -- what was asked for but its words, to recognize a repeat
  before    bigint[]    not null,          -- the wallet: earned, voided, held, given
  after     bigint[]    not null,
  n         bigint      not null,          -- the entry of the log
  undone_by uuid,
  acted_at  timestamptz not null,
  constraint act_pkey primary key (id),
  constraint act_n_key unique (n)
);
create index act_player_id_n_idx on act (player_id, n);
create index act_until_idx on act (until) where until is not null and undone_by is null;

-- The hash of each entry covers the one before it, so no entry can be changed, moved or left out unseen.
create table log_entry (
  n          bigint      not null,
  logged_at  timestamptz not null,
  act        uuid,
  actor      text        not null,
  deed       text        not null,
  subject    text        not null,
  numbers    text        not null,
  words_hash bytea,
  hash       bytea       not null,
  constraint log_entry_pkey primary key (n),
  constraint log_entry_n_check check (n >= 1),
  constraint log_entry_words_hash_check check (octet_length(words_hash) = 32),
  constraint log_entry_hash_check check (octet_length(hash) = 32)
);

-- The words of an entry, which may be erased: the entry keeps their salted hash.
create table log_words (
  n      bigint not null,
  salt   bytea  not null,
  reason text   not null,
  name   text,                             -- the new one of a player who was renamed
  former text,                             -- and the one before
  constraint log_words_pkey primary key (n),
  constraint log_words_salt_check check (octet_length(salt) = 32)
);

-- Whoever is banned may not write. It is beside the lock of everything about a player.
drop function unspent(wallet);
alter table wallet add column banned boolean not null default false;
create function unspent(w wallet) returns bigint
language sql immutable parallel safe
return w.earned - w.voided - w.held - w.given;

-- A picture that was taken down, which nobody may have again.
create table refused_avatar (
  sha256     bytea       not null,
  refused_at timestamptz not null,
  constraint refused_avatar_pkey primary key (sha256),
  constraint refused_avatar_sha256_check check (octet_length(sha256) = 32)
);

create or replace view ledger_standing as
select s.board_id, s.player_id,
       case b.policy
         when 'sum' then sum(s.points)
         when 'best' then (max(s.points * b.sign) * b.sign)::numeric
         else ((array_agg(s.points order by s.reached_at desc, s.points * b.sign desc)
                 filter (where b.policy = 'latest'))[1])::numeric
       end as points,
       case b.policy
         when 'best' then (array_agg(s.reached_at order by s.points * b.sign desc, s.reached_at)
                            filter (where b.policy = 'best'))[1]
         else max(s.reached_at)
       end as reached_at,
       b.lowest_first
  from score s join board b on b.id = s.board_id
 where not exists (select from score_state m where m.player_id = s.player_id and m.id = s.id)
 group by s.board_id, s.player_id, b.policy, b.sign, b.lowest_first;

create or replace view ledger_tally as
select s.board_id, coalesce(s.day, (s.reached_at at time zone b.zone)::date) as day, s.player_id,
       case b.policy
         when 'sum' then sum(s.points)
         when 'best' then (max(s.points * b.sign) * b.sign)::numeric
         else ((array_agg(s.points order by s.reached_at desc, s.points * b.sign desc)
                 filter (where b.policy = 'latest'))[1])::numeric
       end as points,
       case b.policy
         when 'best' then (array_agg(s.reached_at order by s.points * b.sign desc, s.reached_at)
                            filter (where b.policy = 'best'))[1]
         else max(s.reached_at)
       end as reached_at
  from score s join board b on b.id = s.board_id
 where not exists (select from score_state m where m.player_id = s.player_id and m.id = s.id)
 group by s.board_id, coalesce(s.day, (s.reached_at at time zone b.zone)::date), s.player_id, b.policy, b.sign;

-- Only the funded points of a donation count.
create or replace view giving_ledger as
select b.id as board_id,
       coalesce(case when b.id = c.board_id then d.day end, (d.reached_at at time zone b.zone)::date) as day,
       d.player_id, giving_row_id(d.player_id, d.anonymous) as row_id, d.points - coalesce(m.unfunded, 0) as points,
       d.reached_at, b.lowest_first
  from donation d
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
  join charity c on c.id = d.charity_id
  join board b on b.kind = 'giving' and (b.id = c.board_id or b.slug = 'overall')
 where not coalesce(m.reversed, false) and d.points > coalesce(m.unfunded, 0);
