-- publication: what each server process follows to keep its standings; no ledger, no e-mail.
do $$
begin
  create publication causeboard for table standing, tally, player (id, name, avatar, hidden), board, charity;
exception
  when insufficient_privilege then
    raise warning 'The publication causeboard was not made: it takes CREATE on the database. Ranks come from SQL without it.';
end $$;
