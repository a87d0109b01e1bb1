-- audit_spent: nobody has given more than there was to spend. Rows compared, rows that differ, one of them.
select count(*), count(*) filter (where given > earned - voided - held), 'player ' || min(player_id) filter (where given > earned - voided - held) from wallet
