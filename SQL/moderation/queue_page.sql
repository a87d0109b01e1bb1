-- queue_page: what waits for a decision, the oldest first. What reporters wrote is there for those who may read it, as
-- report_words chooses; it is read for the items of this page alone.
-- $1 text kind, or null for all   $2 timestamptz the instant before the first   $3 uuid the item at that instant
-- $4 int rows, at least 1   $5 bool whether words are shown
select p.item, p.kind, p.player_id, p.team_id, p.score_id, p.why, p.at, p.times, p.sources,
       case when $5::bool and p.kind = 'report' then report_words(p.player_id) end
  from (select q.item, q.kind, q.player_id, q.team_id, q.score_id, q.why, q.at, q.times, q.sources
          from queue_item q
         where ($1::text is null or q.kind = $1) and (q.at, q.item) > ($2, $3)
         order by q.at, q.item
         limit $4::int) p
 order by p.at, p.item
