-- demo_charities: the charities' ids.
-- returns slug: String, id: Int32
select slug, id from charity order by id
