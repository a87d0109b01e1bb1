-- award_rank_reconcile: makes who has an award for the rank in a season that is over, or in the award's campaign, what
-- the final order says, up to some rows. awards_lock has run before in this transaction, and award_totals_add follows.
-- $1 int award: Award.ID   $2 int board: Board.ID?, null for the campaign   $3 int limitRows   $4 timestamptz now
-- returns given: Int64, withdrawn: Int64, moved: Int64
with occasion as materialized (
  select b.season::text as name from board b where b.id = $2::int
   union all
  select a.contest from award a where a.id = $1::int and $2 is null and a.contest is not null
), held as materialized (
  select h.player_id, h.given_at from award_rank_held($1, $2) h where $2 is not null
   union all
  select h.player_id, h.given_at from award_contest_held($1, $4::timestamptz) h where $2 is null
), stored as materialized (
  select g.player_id, g.given_at from award_given g where g.award_id = $1 and g.occasion = (select name from occasion)
), new as materialized (
  select h.player_id, h.given_at
    from held h
   where not exists (select from stored s where s.player_id = h.player_id)
   order by h.player_id
   limit $3::int
), named as materialized (
  select p.id
    from player p
   where p.id = any(array(select n.player_id from new n)) and p.name <> ''
   order by p.id
     for share
), withdrawn as (
  delete from award_given g
   using (select s.player_id
            from stored s
           where not exists (select from held h where h.player_id = s.player_id)
           order by s.player_id
           limit $3) s
   where g.player_id = s.player_id and g.award_id = $1 and g.occasion = (select name from occasion)
  returning g.award_id
), moved as (
  update award_given g
     set given_at = h.given_at
    from held h
    join stored s on s.player_id = h.player_id and s.given_at <> h.given_at
   where g.player_id = h.player_id and g.award_id = $1 and g.occasion = (select name from occasion)
  returning g.award_id
), given as (
  insert into award_given (player_id, award_id, occasion, given_at)
  select n.player_id, $1, o.name, n.given_at from new n join named p on p.id = n.player_id cross join occasion o
  on conflict do nothing
  returning award_id
)
select (select count(*) from given), (select count(*) from withdrawn), (select count(*) from moved)
