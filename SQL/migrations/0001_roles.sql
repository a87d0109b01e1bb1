-- roles: the server's login can append to the ledgers but neither change nor delete them; the stream's can replicate and nothing else.
-- Roles belong to the whole cluster, so they may be there already, also from another process at this very moment.
do $$
begin
  if not exists (select from pg_roles where rolname = 'causeboard_server') then
    create role causeboard_server login;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;

do $$
begin
  if not exists (select from pg_roles where rolname = 'causeboard_stream') then
    create role causeboard_stream login replication;
  end if;
exception
  when duplicate_object or unique_violation then null;
  when insufficient_privilege then
    raise warning 'The role causeboard_stream was not made: only a superuser may give REPLICATION. Ranks come from SQL without it.';
end $$;

-- The owner works as the server: whoever may migrate may also serve.
do $$
begin
  execute format('grant causeboard_server to %I', current_user);
exception when insufficient_privilege or invalid_grant_operation then
  raise warning 'The role causeboard_server was not granted to the owner. Log in as causeboard_server itself to serve.';
end $$;
