-- held rules proved: the rows of before follow the rules, too. Posts go on meanwhile.
-- compatible since: 12
alter table wallet validate constraint wallet_given_check;
