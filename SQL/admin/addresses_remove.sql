-- addresses_remove: takes away the e-mail addresses and wishes for updates of some of a game's players, in the order of
-- their ids. Says the last of them, and how many there were.
-- $1 text game: Slug   $2 bigint after: Player.ID, player before the first one   $3 int limitRows, players, at most
-- returns last: Player.ID?, count: Int64
with chosen as materialized (
  select p.id
    from player p
   where p.game_id = (select g.id from game g where g.slug = $1) and p.id > $2
     and (p.email is not null or p.wants_updates)
   order by p.id
   limit $3::int
     for update
), blank as (
  update player p
     set email = null, wants_updates = false, updates_since = null, updates_source = null
    from chosen c
   where p.id = c.id
  returning p.id
)
select max(b.id), count(*) from blank b
