-- roles_make: makes the roles of the server and of its stream, and lets the owner work as the server, as far as they
-- are missing. It runs at every `migrate`, and warns of what an administrator has to do.
-- Roles belong to the whole cluster, so another process may be making the same ones at this very moment.
-- returns nothing
do $$
declare
  -- From PostgreSQL 16 on a member may lack the right to take the role, as one does who has made it.
  needed constant text := case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end;
begin
  begin
    if not exists (select from pg_roles where rolname = 'causeboard_server') then
      create role causeboard_server login;
    end if;
  exception
    when duplicate_object or unique_violation then null;
    when insufficient_privilege then
      raise warning '% may not make the role causeboard_server. As an administrator: create role causeboard_server '
                    'login; grant causeboard_server to %;', current_user, quote_ident(current_user);
  end;

  begin
    if not exists (select from pg_roles where rolname = 'causeboard_stream' and rolreplication) then
      if exists (select from pg_roles where rolname = 'causeboard_stream') then
        alter role causeboard_stream replication;
      else
        create role causeboard_stream login replication;
      end if;
    end if;
  exception
    when duplicate_object or unique_violation then null;
    when insufficient_privilege then
      raise warning '% may not give REPLICATION to the role causeboard_stream. Ranks come from SQL without it. As an '
                    'administrator: create role causeboard_stream login replication; or alter role causeboard_stream '
                    'replication;', current_user;
  end;

  begin
    if exists (select from pg_roles where rolname = 'causeboard_server')
       and not pg_has_role(current_user, 'causeboard_server', needed) then
      execute format('grant causeboard_server to %I', current_user);
    end if;
  exception
    when unique_violation then null;
    when insufficient_privilege or invalid_grant_operation then
      raise warning 'The role causeboard_server was not granted to %. Log in as causeboard_server itself to serve, or '
                    'as an administrator: grant causeboard_server to %;', current_user, quote_ident(current_user);
  end;
end $$
