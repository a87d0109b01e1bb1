-- donations_before: the charity of each donation of a batch, and what is there before it: whether the player has
-- donated to it by name, and whether the ledger has a row under the id. It brings a row id, too, for an anonymous
-- donation. wallets_lock has run earlier in this transaction. The charity is found by its slug, else by its folded
-- name. The version of a row is another one after each change of it.
-- $1 bigint[] player   $2 text[] charity   $3 text[] charity, folded, or null   $4 uuid[] id
-- $5 timestamptz[] arrival
select c.id, c.slug, c.opens_at, c.closes_at, b.id as board_id, b.ties, (v.reached_at at time zone b.zone)::date as day,
       date_trunc('day', v.reached_at, b.zone) as day_began_at, anonymous_row_id(gen_random_uuid()) as row_id,
       c.cap_day, c.cap_all,
       (
         select o.id
           from board o
          where o.kind = 'donation' and o.slug = 'overall' and o.game_id is null and o.season_ended_at is null
       ) as overall_board_id,
       (
         select o.xmin::text::bigint
           from board o
          where o.kind = 'donation' and o.slug = 'overall' and o.game_id is null and o.season_ended_at is null
       ) as overall_version,
       day_end((v.reached_at at time zone b.zone)::date, b.zone) as day_ends_at,
       c.xmin::text::bigint as charity_version, b.xmin::text::bigint as board_version,
       exists (
         select 1 from standing s where s.board_id = b.id and s.player_id = v.player_id
       ) as has_donated,
       k.id is not null as is_known
  from unnest($1::bigint[], $2::text[], $3::text[], $4::uuid[], $5::timestamptz[])
       with ordinality v(player_id, charity, folded, id, reached_at, n)
  left join charity c on c.id = coalesce(
         (select x.id from charity x where x.slug = v.charity),
         (select x.id from charity x where x.name_folded = v.folded)
       )
  left join board b on b.id = c.board_id
  left join donation k on k.player_id = v.player_id and k.id = v.id
 order by v.n
