-- roles: the server's login can append to the ledgers but neither change nor delete them; the stream's can replicate and nothing else.
-- Roles belong to the whole cluster, so they may be there already, also from another process at this very moment.
do $$
begin
  create role causeboard_server login;
exception when duplicate_object or unique_violation then null;
end $$;

do $$
begin
  create role causeboard_stream login replication;
exception
  when duplicate_object or unique_violation then null;
  when insufficient_privilege then
    raise notice 'causeboard_stream was not made: only a superuser may give REPLICATION; ranks will come from SQL';
end $$;

-- The owner works as the server: whoever may migrate may also serve.
do $$
begin
  execute format('grant causeboard_server to %I', current_user);
exception when insufficient_privilege or invalid_grant_operation then
  raise notice 'causeboard_server was not granted to the owner: serve must log in as causeboard_server itself';
end $$;
