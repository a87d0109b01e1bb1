-- charity totals: what each charity received, so that the ranking of charities reads a few rows of each and not the row
-- of everybody who ever gave.
-- compatible since: 14
-- Servers of before do not keep the totals: stop them first.

-- A charity has up to 65 rows, which are added up. A transaction writes rows of a part that no other one writes, so
-- donations to one charity do not wait for each other.
create table charity_total (
  charity_id   integer     not null,
  part         smallint    not null constraint charity_total_part_check check (part between 0 and 64),
  points       numeric     not null,       -- may pass 64 bits
  contributors bigint      not null,       -- those whose first donation to the charity is counted in this part
  reached_at   timestamptz not null,       -- of the newest donation
  constraint charity_total_pkey primary key (charity_id, part)
) with (fillfactor = 50);                  -- room for the next version beside the row, because no index changes

-- No donation comes in between. The giving boards have fewer rows than the ledger, which the audit compares.
lock table donation in share row exclusive mode;
insert into charity_total (charity_id, part, points, contributors, reached_at)
select c.id, 0, sum(s.points), count(distinct abs(s.player_id)), max(s.reached_at)
  from charity c join standing s on s.board_id = c.board_id
 group by c.id;

-- Donations of servers of before, which know neither their day nor these totals, fail from now on, in case one of those
-- servers was forgotten. The rows that are there stay as they are.
alter table donation add constraint donation_day_check check (day is not null) not valid;
