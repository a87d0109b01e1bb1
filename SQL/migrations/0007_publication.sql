-- publication: what each server process follows to keep its standings; no ledger, no e-mail.
do $$
begin
  if current_setting('wal_level') <> 'logical' then
    raise warning 'wal_level is %. Ranks come from SQL until it is logical: alter system set wal_level = logical, and restart PostgreSQL.', current_setting('wal_level');
  end if;
  create publication causeboard for table standing, tally, player (id, name, avatar, hidden), board, charity;
exception
  when insufficient_privilege then
    raise warning 'The publication causeboard was not made: it takes CREATE on the database. Ranks come from SQL without it.';
end $$;
