-- addresses_count: how many e-mail addresses and wishes for updates of a game's players are stored.
-- $1 text game: Slug
-- returns StoredAddresses(addresses, wishes)
select count(p.email), count(*) filter (where p.wants_updates)
  from player p
 where p.game_id = (select g.id from game g where g.slug = $1) and (p.email is not null or p.wants_updates)
