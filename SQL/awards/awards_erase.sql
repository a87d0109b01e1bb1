-- awards_erase: takes all awards of players who are erased. Their rows are locked, and award_totals_add follows.
-- $1 bigint[] players: [Player.ID]
-- returns award: Award.ID, rows: Int64
with gone as (
  delete from award_given g where g.player_id = any($1::bigint[]) returning g.award_id
)
select g.award_id, count(*) from gone g group by g.award_id
