-- demo_charities: the charities' ids.
select slug, id from charity order by id
