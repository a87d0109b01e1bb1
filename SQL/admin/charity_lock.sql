-- charity_lock: lets no other change of a charity's settings begin until the transaction ends.
-- $1 text slug: Slug
-- returns Int32
select c.id from charity c join board b on b.id = c.board_id where c.slug = $1 for update
