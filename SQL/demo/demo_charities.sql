-- demo_charities: what ids the charities have.
select slug, id from charity order by id
