-- publication_make: makes or updates the publication that each server process follows. It has no ledger and no e-mail
-- address. Of devices, keys, games, awards, campaigns, and corrected scores and donations it has only the keys of
-- changed rows. It runs at every `migrate`, and warns if an administrator must do something.
-- returns nothing
do $$
declare
  wanted constant text := 'standing, tally, player (id, name, avatar, hidden, flag), board, charity, device (hash), '
                          'award (id), campaign (id), milestone (campaign_id, points), game_key (id), game (id), '
                          'merge (player_id, survivor_id), donation_state (player_id, id), '
                          'tie (player_id, other_id), held_score (player_id, id), score_state (player_id, id), '
                          'member (player_id, first_day, last_day, team_id), team (id, name, closed_at, hidden)';
  published text;
begin
  if current_setting('wal_level') <> 'logical' then
    raise warning 'wal_level is %. Ranks come from SQL until it is logical. As an administrator: alter system set '
                  'wal_level = logical; and restart PostgreSQL.', current_setting('wal_level');
  end if;

  -- Column lists are shown where a table has one: a publication of all columns names all of them.
  select string_agg(p.tablename || case when p.tablename in ('standing', 'tally', 'board', 'charity') then ''
                                        else p.attnames::text end, ' '
                    order by p.tablename)
    into published
    from pg_publication_tables p
   where p.pubname = 'causeboard';
  if published = 'award{id} board campaign{id} charity device{hash} donation_state{player_id,id} '
                 'game{id} game_key{id} held_score{player_id,id} member{player_id,first_day,last_day,team_id} '
                 'merge{player_id,survivor_id} milestone{campaign_id,points} '
                 'player{id,name,avatar,hidden,flag} score_state{player_id,id} standing tally '
                 'team{id,name,closed_at,hidden} tie{player_id,other_id}' then
    return;
  end if;
  if exists (select from pg_publication where pubname = 'causeboard') then
    execute 'alter publication causeboard set table ' || wanted;
  else
    execute 'create publication causeboard for table ' || wanted;
  end if;
exception
  when insufficient_privilege then
    raise warning '% may not make or change the publication causeboard, which takes CREATE on the database. Ranks come '
                  'from SQL without it. As an administrator: grant create on database % to %; and migrate again.',
                  current_user, quote_ident(current_database()), quote_ident(current_user);
end $$
