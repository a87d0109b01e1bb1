-- charity rules: each anonymous donation is a row of its own, donations may be taken back, and charities may have caps.
-- compatible since: 21
-- Servers of before write no such rows: stop them first.

alter table donation
  add column row_id       bigint,          -- the random row of the giving boards where an anonymous one counts
  add column day_began_at timestamptz,     -- of an anonymous one: 00:00 of its day in the charity board's zone
  add column anonymised   boolean not null default false;
comment on column donation.anonymised is 'whether it was given by name, and turned anonymous later';

-- The row id of an anonymous donation: the 62 random bits that a UUID of version 4 ends with. It tells nothing.
create function anonymous_row_id(random uuid) returns bigint language sql immutable parallel safe
return -1 - (('x' || right(replace(random::text, '-', ''), 16))::bit(64)::bigint & 4611686018427387903);

lock table donation in share row exclusive mode;
update donation d
   set row_id = anonymous_row_id(gen_random_uuid()), day = x.day, day_began_at = x.day::timestamp at time zone x.zone
  from (select o.player_id, o.id, b.zone, coalesce(o.day, (o.reached_at at time zone b.zone)::date) as day
          from donation o join charity c on c.id = o.charity_id join board b on b.id = c.board_id
         where o.anonymous) x
 where d.player_id = x.player_id and d.id = x.id;

alter table donation add constraint donation_anonymous_check check (
  case when anonymous then row_id < 0 and row_id is not null and day_began_at is not null
       else row_id is null and day_began_at is null and not anonymised end
);
create index donation_charity_id_day_began_at_idx on donation (charity_id, day_began_at, row_id) where anonymous;

-- Minutes in which whoever gave may take it back, and how much may be given on a day and in all; null is no cap.
alter table charity
  add column cooling_off integer not null default 0,
  add column cap_day     bigint,
  add column cap_all     bigint,
  add constraint charity_cooling_off_check check (cooling_off between 0 and 43200),
  add constraint charity_cap_day_check check (cap_day >= 1),
  add constraint charity_cap_all_check check (cap_all >= 1);

-- What was given to each charity that has a cap, less what was reversed. Its sum is compared with the cap behind the
-- lock of the charity's row.
create table charity_given (
  charity_id integer not null,
  day        date    not null,             -- in the zone of the charity's board
  points     numeric not null,
  constraint charity_given_pkey primary key (charity_id, day),
  constraint charity_given_points_check check (points >= 0)
);

create view charity_given_proof as
select d.charity_id, coalesce(d.day, (d.reached_at at time zone b.zone)::date) as day,
       sum(case when m.reversed then 0 else d.points end) as points
  from charity c
  join board b on b.id = c.board_id
  join donation d on d.charity_id = c.id
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where c.cap_day is not null or c.cap_all is not null
 group by d.charity_id, coalesce(d.day, (d.reached_at at time zone b.zone)::date);

comment on column correction.act is
  'null when a player took a donation back, and when that or later points funded another one again';

create or replace view funded_donation as
select d.player_id, d.id, d.charity_id, d.points - coalesce(m.unfunded, 0) as points, d.anonymous, d.reached_at, d.day,
       d.row_id, d.day_began_at
  from donation d
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where not coalesce(m.reversed, false) and d.points > coalesce(m.unfunded, 0);

-- What counts on the giving boards. An anonymous donation tells its day alone, on each board in that one's zone.
create or replace view giving_ledger as
select b.id as board_id,
       coalesce(case when b.id = c.board_id then d.day end, (d.reached_at at time zone b.zone)::date) as day,
       o.survivor_id as player_id, coalesce(d.row_id, o.survivor_id) as row_id, d.points,
       case when not d.anonymous then d.reached_at
            when b.id = c.board_id then d.day_began_at
            else date_trunc('day', d.reached_at, 'UTC') end as reached_at,
       b.lowest_first
  from ledger_owner o join funded_donation d on d.player_id = o.player_id
  join charity c on c.id = d.charity_id
  join board b on b.kind = 'giving' and (b.id = c.board_id or b.slug = 'overall');

-- What each charity received by its funded donations. Who gave anonymously is no contributor, and tells no time.
create view charity_total_proof as
select d.charity_id, sum(d.points) as points,
       count(distinct coalesce(o.survivor_id, d.player_id)) filter (where not d.anonymous) as contributors,
       max(d.reached_at) filter (where not d.anonymous) as reached_at
  from funded_donation d left join merge o on o.player_id = d.player_id
 group by d.charity_id;

-- Whoever is hidden is in no ranking. What was given anonymously stays: else it would tell who gave it.
create or replace view hidden_standing as
select s.board_id, s.order_key, s.reached_at, s.player_id
  from player p join standing s on s.player_id = p.id
 where p.hidden;

create or replace function window_standing(of_board int, first_day date, last_day date)
returns table (player_id bigint, points numeric, reached_at timestamptz, order_key numeric)
language sql stable parallel safe
begin atomic
  select w.player_id, w.points, w.reached_at, w.order_key
    from window_standing_with_hidden(of_board, first_day, last_day) w
   where not exists (select from player p where p.hidden and p.id = w.player_id);
end;

drop function giving_row_id(bigint, boolean);

-- The rows of before, in which all that a player gave anonymously was one row under its negative id.
delete from standing s using board b where b.id = s.board_id and b.kind = 'giving' and s.player_id < 0;
delete from tally t using board b where b.id = t.board_id and b.kind = 'giving' and t.player_id < 0;
insert into standing (board_id, player_id, points, reached_at, lowest_first)
select g.board_id, g.row_id, g.points, g.reached_at, g.lowest_first from giving_ledger g where g.row_id < 0;
insert into tally (board_id, day, player_id, points, reached_at)
select g.board_id, g.day, g.row_id, g.points, g.reached_at from giving_ledger g where g.row_id < 0;

alter table charity_total alter column reached_at drop not null;
delete from charity_total;
insert into charity_total (charity_id, part, points, contributors, reached_at)
select p.charity_id, 0, p.points, p.contributors, p.reached_at from charity_total_proof p;
