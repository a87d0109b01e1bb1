-- one wallet rule proved: the rows of before follow the rule, too. Posts go on meanwhile.
-- compatible since: 16
alter table wallet validate constraint wallet_books_check;
