-- one wallet rule: a statement reads every rule of a table from the catalogue anew whenever it runs, so what five rules
-- said is one, and what the others said is judged before anything is written and compared by every audit.
-- compatible since: 16

-- Sums of 64 bits that overflow fail as well. The rows that are there are checked by the next migration, without a lock
-- that others wait for.
alter table wallet
  drop constraint wallet_earned_check,
  drop constraint wallet_given_check,
  drop constraint wallet_held_check,
  drop constraint wallet_spendable_check,
  drop constraint wallet_voided_check,
  add constraint wallet_books_check check (
    earned between 0 and 9007199254740991 and given between 0 and earned
    and voided >= 0 and held >= 0 and voided + held <= earned
  ) not valid;

-- Points that cannot be negated fail in order_key where high is good, and are out of every board's bounds.
alter table standing drop constraint standing_points_check;
alter table score drop constraint score_earned_check;
