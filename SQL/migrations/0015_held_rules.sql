-- held rules: the schema holds what every statement relies on.
-- compatible since: 12

-- Points are given only as far as they can be spent, and what was earned never falls: points that are taken back are
-- counted as voided. The rows that are there are checked by the next migration, without a lock that others wait for.
alter table wallet drop constraint wallet_given_check;
alter table wallet add constraint wallet_given_check check (given >= 0 and given <= earned) not valid;

-- Whoever gave most is first.
alter table board add constraint board_giving_check check (kind = 'score' or (policy = 'sum' and not lowest_first));

-- No statement finds devices by their player.
drop index device_player_id_idx;
