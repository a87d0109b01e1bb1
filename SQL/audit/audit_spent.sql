-- audit_spent: nobody has given more than there was to spend. Rows compared, rows that differ, one of them.
select count(*),
       count(*) filter (where unspent(w) < 0),
       'player ' || min(w.player_id) filter (where unspent(w) < 0)
  from wallet w
