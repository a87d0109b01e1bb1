-- changes_published: which changes the publication reports, besides those of rollups: when a device, a key or a game
-- has changed; ties; when scores are held or voided; teams and their members; flags; campaigns and corrected donations.
-- Most need to know of merges too. A publication that lacks a table of them does not report them.
-- returns callers: Bool, ties: Bool, holds: Bool, teams: Bool, flags: Bool, campaigns: Bool
select t.names @> '{device,game_key,game,merge}', t.names @> '{tie,merge}', t.names @> '{held_score,score_state,merge}',
       t.names @> '{member,team,merge}', t.shows_flags,
       t.names @> '{campaign,milestone,donation_state}'
  from (select coalesce(array_agg(p.tablename::text), '{}') as names,
               coalesce(bool_or(p.tablename = 'player' and 'flag' = any(p.attnames)), false) as shows_flags
          from pg_publication_tables p
         where p.pubname = 'causeboard' and p.schemaname = 'public') t
