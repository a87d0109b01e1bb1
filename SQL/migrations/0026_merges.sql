-- merges: players who are one with another player, while their ledgers stay where they are; and what counts of a ledger
-- as views, each rule once.
-- compatible since: 21
-- known as: 472e91220151af7b48f3df1b52d305c9271ff4d5f8bf004cc4e1848af5e56990
-- Databases know this migration by the checksum of its first text. That altered wallet while unspent() took its rows,
-- which PostgreSQL 17 refuses; the schema that it makes is the same.
create table merge (
  player_id   bigint      not null,        -- who is one with another player from now on
  into_id     bigint      not null,        -- the player whom it was merged into
  survivor_id bigint      not null,        -- whom that one is by now: itself, or whom it was merged into later
  act         uuid        not null,
  merged_at   timestamptz not null,
  constraint merge_pkey primary key (player_id),
  constraint merge_check check (player_id <> into_id and player_id <> survivor_id)
);
create index merge_survivor_id_idx on merge (survivor_id);

alter table act
  add column owner_id bigint,              -- whose row the score or the donation is
  add column into_id  bigint;              -- the player into whom another one was merged

-- What an act moved is found by the act: by then its rows may belong to several players.
create index correction_act_idx on correction (act) where act is not null;

-- A device that came with its player's merge goes back with that player when the merge is undone.
alter table device add column merged_from bigint;

-- The sums of a player who was merged are in the survivor's wallet. Who parts from another player may have given more
-- than it earned; what the points are not there for is unfunded then.
drop function unspent(wallet);
alter table wallet
  add column merged boolean not null default false,
  add column merges integer not null default 0,
  add column parted boolean not null default false,
  drop constraint wallet_books_check,
  add constraint wallet_books_check check (
    earned between 0 and 9007199254740991 and given >= 0 and (given <= earned or parted)
    and voided >= 0 and held >= 0 and voided + held <= earned
  );
create function unspent(w wallet) returns bigint
language sql immutable parallel safe
return w.earned - w.voided - w.held - w.given;
comment on column wallet.merges is 'how many players are one with this one';

-- To whom the ledger rows of each player belong: itself, or the player it is one with. It is for statements about one
-- survivor, given as a value, or about all; the others join the table.
create view ledger_owner (player_id, survivor_id) as
select p.id, p.id from player p where not exists (select from merge m where m.player_id = p.id)
 union all
select m.player_id, m.survivor_id from merge m;

-- Everybody who is one with a player, by either id: whose ledger rows are its own.
create function members(player_id bigint) returns bigint[] language sql stable parallel safe
return (
  select array_append(array(select m.player_id from merge m where m.survivor_id = s.id), s.id)
    from (select coalesce((select m.survivor_id from merge m where m.player_id = members.player_id),
                          members.player_id) as id) s
);

-- The scores that count.
create view counted_score as
select s.player_id, s.id, s.board_id, s.points, s.reached_at, s.day
  from score s
 where not exists (select from score_state m where m.player_id = s.player_id and m.id = s.id);

-- The funded part of the donations that count.
create view funded_donation as
select d.player_id, d.id, d.charity_id, d.points - coalesce(m.unfunded, 0) as points, d.anonymous, d.reached_at, d.day
  from donation d
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where not coalesce(m.reversed, false) and d.points > coalesce(m.unfunded, 0);

create or replace view ledger_standing as
select s.board_id, o.survivor_id as player_id,
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
  from ledger_owner o join counted_score s on s.player_id = o.player_id
  join board b on b.id = s.board_id
 group by s.board_id, o.survivor_id, b.policy, b.sign, b.lowest_first;

create or replace view ledger_tally as
select s.board_id, coalesce(s.day, (s.reached_at at time zone b.zone)::date) as day, o.survivor_id as player_id,
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
  from ledger_owner o join counted_score s on s.player_id = o.player_id
  join board b on b.id = s.board_id
 group by s.board_id, coalesce(s.day, (s.reached_at at time zone b.zone)::date), o.survivor_id, b.policy, b.sign;

create or replace view giving_ledger as
select b.id as board_id,
       coalesce(case when b.id = c.board_id then d.day end, (d.reached_at at time zone b.zone)::date) as day,
       o.survivor_id as player_id, giving_row_id(o.survivor_id, d.anonymous) as row_id, d.points, d.reached_at,
       b.lowest_first
  from ledger_owner o join funded_donation d on d.player_id = o.player_id
  join charity c on c.id = d.charity_id
  join board b on b.kind = 'giving' and (b.id = c.board_id or b.slug = 'overall');

-- What the corrections say of each ledger row: whether it is voided, held or reversed (1) or not (0), and how many of
-- its points are unfunded.
create view correction_proof as
select c.player_id, c.subject as id,
       coalesce(sum(case c.kind when 'void' then 1 when 'unvoid' then -1 end), 0) as voids,
       coalesce(sum(case c.kind when 'hold' then 1 when 'release' then -1 end), 0) as holds,
       coalesce(sum(case c.kind when 'reverse' then 1 when 'unreverse' then -1 end), 0) as reversals,
       coalesce(sum(case c.kind when 'unfund' then c.points when 'fund' then - c.points end), 0)::bigint as unfunded
  from correction c
 group by c.player_id, c.subject;

-- What the ledgers and the corrections say of each wallet. That of a player who was merged is empty.
create view wallet_proof as
select p.id as player_id, coalesce(e.points, 0) as earned, coalesce(c.voided, 0) as voided, coalesce(c.held, 0) as held,
       coalesce(g.points, 0) - coalesce(c.reversed, 0) as given, m.player_id is not null as merged,
       coalesce(n.merges, 0) as merges
  from player p
  left join merge m on m.player_id = p.id
  left join (select survivor_id, count(*) as merges from merge group by survivor_id) n on n.survivor_id = p.id
  left join (select o.survivor_id as player_id, sum(s.earned) as points
               from ledger_owner o join score s on s.player_id = o.player_id
              group by o.survivor_id) e on e.player_id = p.id
  left join (select o.survivor_id as player_id, sum(d.points) as points
               from ledger_owner o join donation d on d.player_id = o.player_id
              group by o.survivor_id) g on g.player_id = p.id
  left join (select o.survivor_id as player_id,
                    sum(case when k.kind in ('void', 'forfeit') then k.points
                             when k.kind in ('unvoid', 'unforfeit') then - k.points else 0 end) as voided,
                    sum(case k.kind when 'hold' then k.points when 'release' then - k.points else 0 end) as held,
                    sum(case k.kind when 'reverse' then k.points when 'unreverse' then - k.points else 0 end)
                      as reversed
               from ledger_owner o join correction k on k.player_id = o.player_id
              group by o.survivor_id) c on c.player_id = p.id;

-- The log with its words, as far as they were not erased, and whether an entry tells who gave a donation anonymously.
create view logged_entry as
select e.n, e.logged_at, e.act, e.actor, e.deed, e.subject, e.numbers, e.words_hash, e.hash, w.salt, w.reason, w.name,
       x.player_id,
       exists (
         select
           from donation d
           left join act u on u.id = x.subject
          where d.anonymous and d.player_id = coalesce(x.owner_id, u.owner_id) and d.id in (x.subject, u.subject)
       ) as is_about_anonymous
  from log_entry e
  left join log_words w on w.n = e.n
  left join act x on x.n = e.n;
