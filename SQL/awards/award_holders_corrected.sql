-- award_holders_corrected: of the next players who have awards, those who may have them because of rows that count no
-- longer, or count for somebody else: rows were corrected, or players were merged. The last row is the last player that
-- was looked at.
-- $1 bigint after: Player.ID   $2 int limitRows
-- returns player: Player.ID?, isCorrected: Bool
with page as materialized (
  select distinct g.player_id from award_given g where g.player_id > $1 order by g.player_id limit $2::int
)
select p.player_id, true
  from page p
 cross join lateral (select w.merged, w.merges, w.parted from wallet w where w.player_id = p.player_id offset 0) w
 where w.merged or w.merges > 0 or w.parted
    or exists (select from correction c where c.player_id = any(members(p.player_id)) offset 0)
 union all
select max(p.player_id), false from page p
