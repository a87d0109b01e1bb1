-- audit_ledgers: every ledger row belongs to a player and to a board or charity that exist.
-- returns AuditedRows(compared, differing, example)
with ledger as (
  select s.player_id, s.id,
         exists (select from board b where b.id = s.board_id and b.kind = 'score')
         and exists (select from player p where p.id = s.player_id) as known
    from score s
   union all
  select d.player_id, d.id,
         exists (select from charity c where c.id = d.charity_id)
         and exists (select from player p where p.id = d.player_id)
    from donation d
)
select count(*),
       count(*) filter (where not known),
       min('player ' || player_id || ', id ' || id) filter (where not known)
  from ledger
