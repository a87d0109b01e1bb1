-- awards_reconcile: makes who has some awards what the ledgers say: gives, withdraws, or changes since when. Awards for
-- ranks, and awards that are granted, stay as they are. awards_lock has run before in this transaction, and
-- award_totals_add follows.
-- $1 int[] awards: [Award.ID], in pairs with the players   $2 bigint[] players: [Player.ID]
-- $3 bool onlyMissing, leaves pairs out that have the award, because playing takes none away
-- returns award: Award.ID, given: Int64, withdrawn: Int64, moved: Int64
with asked as materialized (
  select distinct a.id as award_id, s.survivor_id as player_id
    from unnest($1::int[], $2::bigint[]) x (award_id, player_id)
    join award a on a.id = x.award_id and a.rule not in ('rank', 'granted')
   cross join lateral (
           select coalesce((select m.survivor_id from merge m where m.player_id = x.player_id), x.player_id)
                    as survivor_id
           offset 0
         ) s
   cross join lateral (select from player p where p.id = s.survivor_id and p.game_id = a.game_id offset 0) p
), stored as materialized (
  select k.award_id, k.player_id, g.player_id as owner_id
    from asked k
   cross join lateral (
           select x.player_id
             from award_given x
            where x.player_id = any(members(k.player_id)) and x.award_id = k.award_id and x.occasion = ''
           offset 0
         ) g
), wanted as materialized (
  select k.award_id, k.player_id
    from asked k
   where not $3
      or not exists (
               select from stored s
                where s.award_id = k.award_id and s.player_id = k.player_id and s.owner_id = k.player_id)
), held as materialized (
  select h.award_id, h.player_id, h.given_at
    from (select array_agg(w.award_id) as awards, array_agg(w.player_id) as players from wanted w) w
   cross join lateral award_held(w.awards, w.players) h
), named as materialized (
  -- Nobody is erased between this and the end of the transaction.
  select p.id
    from player p
   where p.id = any(array(select h.player_id from held h)) and p.name <> ''
   order by p.id
     for share
), withdrawn as (
  delete from award_given g
   using stored s
    join wanted w on w.award_id = s.award_id and w.player_id = s.player_id
    left join held h on h.award_id = s.award_id and h.player_id = s.player_id
   where g.player_id = s.owner_id and g.award_id = s.award_id and g.occasion = ''
     and (h.player_id is null or s.owner_id <> s.player_id)
  returning g.award_id
), moved as (
  update award_given g
     set given_at = h.given_at
    from held h
   where g.player_id = h.player_id and g.award_id = h.award_id and g.occasion = '' and g.given_at <> h.given_at
  returning g.award_id
), given as (
  insert into award_given (player_id, award_id, given_at)
  select h.player_id, h.award_id, h.given_at
    from held h
    join named n on n.id = h.player_id
   where not exists (
           select from stored s
            where s.award_id = h.award_id and s.player_id = h.player_id and s.owner_id = h.player_id)
  on conflict do nothing
  returning award_id
)
select c.award_id, count(*) filter (where c.change = 'given'), count(*) filter (where c.change = 'withdrawn'),
       count(*) filter (where c.change = 'moved')
  from (select g.award_id, 'given' as change from given g
         union all
        select w.award_id, 'withdrawn' from withdrawn w
         union all
        select m.award_id, 'moved' from moved m) c
 group by c.award_id
 order by c.award_id
