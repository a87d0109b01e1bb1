\echo @answer select
select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off';
\echo @answer select
select set_config('TimeZone', 'UTC', false);
\echo @answer select
select set_config('application_name', 'causeboard', false);
\echo @answer select
select set_config('idle_in_transaction_session_timeout', '60s', false);
\echo @answer select
select set_config('jit', 'off', false);
\echo @answer select
select set_config('random_page_cost', '1.1', false);
\echo @answer select
select set_config('role', 'causeboard_server', false);
\echo @answer select
select set_config('statement_timeout', '30s', false);
\echo @answer secret_fingerprint
execute secret_fingerprint;
\echo @answer secret_claim
execute secret_claim('\xc50bc0be38fff258172ddea6017b3d866989ab38d822c4f96f39b26d06761944', '2026-11-20 12:00:00+00');
\echo @answer secret_fingerprint
execute secret_fingerprint;
\echo @answer secret_fingerprint
execute secret_fingerprint;
\echo @answer secret_claim
execute secret_claim('\xe81d3d25b3b31ec13479cb7e171c732007d007ea58ddb03db900eecbe7d80c0e', '2026-11-20 12:00:00+00');
\echo @answer secret_fingerprint
execute secret_fingerprint;
\echo @answer secret_fingerprint
execute secret_fingerprint;
\echo @answer server_role_check
execute server_role_check;
\echo @answer durability
execute durability;
\echo @answer server_version
execute server_version;
\echo @answer begin
begin isolation level read committed;
\echo @answer game_add
execute game_add('maze', 'The Maze', 'off', 's', '2026-11-20 12:00:00+00', 'open', '{}', '{}', 't');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('1', '2026-11-20 12:00:00+00', NULL, 'cli', 'PUT', 'game=maze', '-', NULL, '\x1ee315800c149a86f10a0ad560501f5c71e77a944a57202694e5c952a0802d73');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer game_add
execute game_add('maze', 'Twin', 'off', NULL, '2026-11-20 12:00:00+00', 'open', '{}', '{}', 't');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer game_lock
execute game_lock('maze');
\echo @answer game_set
execute game_set('maze', 'Maze', 'token', '', NULL, NULL, NULL, NULL, NULL);
\echo @answer game_list
execute game_list('maze');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('2', '2026-11-20 12:00:00+00', NULL, 'cli', 'PATCH', 'game=maze', '-', NULL, '\x445e0d0859f4f0f5ee170704ca384ca10b00fc1e29421e97dcd284e2a254b38a');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer game_lock
execute game_lock('none');
\echo @answer game_set
execute game_set('none', 'None', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
\echo @answer game_list
execute game_list('none');
\echo @answer commit
commit;
\echo @answer game_list
execute game_list(NULL);
\echo @answer games_open
execute games_open;
\echo @answer begin
begin isolation level read committed;
\echo @answer board_add
execute board_add('default', 'race', 'race', 'best', 't', '-9007199254740991', '9007199254740991', 'UTC', 'first', 'fixed', '5', '7', NULL, '2026-01-01 00:00:00+00', NULL, 'number', NULL, 'open', NULL, NULL, NULL, NULL, NULL, '2026-11-20 12:00:00+00');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('3', '2026-11-20 12:00:00+00', NULL, 'cli', 'PUT', 'board=race;game=default', 'earn_max=7;points_max=9007199254740991;points_min=-9007199254740991', NULL, '\xeec2d597e772d3efc17ad86a23cd54e704e31b346df53f0af633f19c18f0bfdb');
\echo @answer commit
commit;
\echo @answer board_find
execute board_find('default', 'race', NULL, '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_lock
-- tallies_lock: waits for posts that are under way and lets none begin until the transaction ends.
-- So "no post yet" is still true when it has been judged.
lock table tally in share row exclusive mode;
\echo @answer board_set
execute board_set('default', 'race', NULL, NULL, NULL, NULL, NULL, NULL, 'shared', NULL, NULL, 't', NULL, 't', '9', 'f', NULL, 't', '2027-01-01 00:00:00+00', NULL, 'f', NULL, NULL, NULL, 'f', NULL, 'f', NULL, 'f', NULL, 'f', NULL, 'f', NULL);
\echo @answer board_list
execute board_list('default', 'race');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('4', '2026-11-20 12:00:00+00', NULL, 'cli', 'PATCH', 'board=race;game=default', 'earn_day=9;earn_max=-', NULL, '\x09044cab67fa2e71d931d137da6675dbce99fafd73254017d252d77f38af8b9a');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_lock
-- tallies_lock: waits for posts that are under way and lets none begin until the transaction ends.
-- So "no post yet" is still true when it has been judged.
lock table tally in share row exclusive mode;
\echo @answer board_set
execute board_set('default', 'none', NULL, NULL, NULL, NULL, NULL, NULL, 'shared', NULL, NULL, 't', NULL, 't', '9', 'f', NULL, 't', '2027-01-01 00:00:00+00', NULL, 'f', NULL, NULL, NULL, 'f', NULL, 'f', NULL, 'f', NULL, 'f', NULL, 'f', NULL);
\echo @answer board_list
execute board_list('default', 'none');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_lock
-- tallies_lock: waits for posts that are under way and lets none begin until the transaction ends.
-- So "no post yet" is still true when it has been judged.
lock table tally in share row exclusive mode;
\echo @answer board_set
execute board_set('default', 'race', NULL, NULL, NULL, NULL, NULL, 'Mars/Olympus', 'shared', NULL, NULL, 't', NULL, 't', '9', 'f', NULL, 't', '2027-01-01 00:00:00+00', NULL, 'f', NULL, NULL, NULL, 'f', NULL, 'f', NULL, 'f', NULL, 'f', NULL, 'f', NULL);
\echo @answer board_list
execute board_list('default', 'race');
\echo @answer commit
commit;
\echo @answer board_list
execute board_list('maze', NULL);
\echo @answer board_list
execute board_list(NULL, NULL);
\echo @answer begin
begin isolation level read committed;
\echo @answer charity_add
execute charity_add('trees', 'Trees for All', 'trees for all', 'treesforall', 'https://trees.example', NULL, '1000', NULL, NULL, 'Europe/Berlin', '2026-11-20 12:00:00+00', '0', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('5', '2026-11-20 12:00:00+00', NULL, 'cli', 'PUT', 'charity=trees', 'goal=1000', NULL, '\x92afdcd45c05c2739f9d5d9ec3f15662655e4a2c3d54ad732dac573b54aa9e1f');
\echo @answer commit
commit;
\echo @answer giving_board_find
execute giving_board_find('trees', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer charity_lock
execute charity_lock('trees');
\echo @answer charity_set
execute charity_set('trees', NULL, NULL, NULL, NULL, 'They plant.', 'f', NULL, 'f', NULL, 'f', NULL, NULL, NULL, 'f', NULL, 'f', NULL);
\echo @answer charity_list
execute charity_list('trees');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('6', '2026-11-20 12:00:00+00', NULL, 'cli', 'PATCH', 'charity=trees', '-', NULL, '\x768c1b8fb969ce67e4ba49839a27d6af6f577b391a8c1450be7c443cdebb1995');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer charity_lock
execute charity_lock('none');
\echo @answer charity_set
execute charity_set('none', NULL, NULL, NULL, NULL, 'They plant.', 'f', NULL, 'f', NULL, 'f', NULL, NULL, NULL, 'f', NULL, 'f', NULL);
\echo @answer charity_list
execute charity_list('none');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer charity_add
execute charity_add('twin', 'trees  FOR all', 'trees for all', 'treesforall', NULL, 'They plant.', NULL, NULL, NULL, 'UTC', '2026-11-20 12:00:00+00', '0', NULL, NULL);
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer charity_add
execute charity_add('shut', 'SHUT', 'shut', 'shut', NULL, NULL, NULL, NULL, NULL, 'UTC', '2026-11-20 12:00:00+00', '0', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('7', '2026-11-20 12:00:00+00', NULL, 'cli', 'PUT', 'charity=shut', '-', NULL, '\x44dac762bb2e266cc45f255629bfaa946f925b7bd40facdb27f0896c0af89d80');
\echo @answer commit
commit;
\echo @answer giving_board_find
execute giving_board_find('shut', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer charity_close
execute charity_close('shut', '2026-11-20 12:00:00+00');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('8', '2026-11-20 12:00:00+00', NULL, 'cli', 'PATCH', 'charity=shut', '-', NULL, '\x48915f60f1cf99922976e2058aacbad5683de35c4e872161002b22557330f929');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer charity_close
execute charity_close('none', '2026-11-20 12:00:00+00');
\echo @answer commit
commit;
\echo @answer charity_list
execute charity_list(NULL);
\echo @answer charity_list
execute charity_list(NULL);
\echo @answer player_register
execute player_register('\x4b05eff3a112c50a878383e59bb5680af6d91382c8fdb5522643ca800e567d35', 'default', 'Ada', 'ada', 'ada@example.org', '77', 't', 'PUT /customers', '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', '\x010203', NULL, '2026-11-20 12:00:00+00', 't', NULL, 'classic', NULL, 'free', 'f', NULL);
\echo @answer begin
begin isolation level read committed;
\echo @answer device_claim
execute device_claim('\x4b05eff3a112c50a878383e59bb5680af6d91382c8fdb5522643ca800e567d35', '{2037756397,371894925,99280745,379035212,869761616,1885114090,655129468,1343690420}', '2026-11-20 12:00:00+00', 't', NULL, NULL);
\echo @answer callers_lock
execute callers_lock('{}', '{"\\x4b05eff3a112c50a878383e59bb5680af6d91382c8fdb5522643ca800e567d35"}', '{}');
\echo @answer player_register
execute player_register('\x4b05eff3a112c50a878383e59bb5680af6d91382c8fdb5522643ca800e567d35', 'default', 'Ada', 'ada', 'ada@example.org', '77', 't', 'PUT /customers', '\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', '\x010203', NULL, '2026-11-20 12:00:00+00', 't', NULL, 'classic', NULL, 'free', 't', NULL);
\echo @answer device_release
execute device_release('\x4b05eff3a112c50a878383e59bb5680af6d91382c8fdb5522643ca800e567d35');
\echo @answer commit
commit;
\echo @answer avatars_png
execute avatars_png('{"\\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"}');
\echo @answer avatar_png
execute avatar_png('\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f');
\echo @answer classic_caller
execute classic_caller('default', '\x4b05eff3a112c50a878383e59bb5680af6d91382c8fdb5522643ca800e567d35', 'trees for all', 'treesforall');
\echo @answer player_profile
execute player_profile('2037756397', 'default', 'f');
\echo @answer subscribers
execute subscribers;
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{2037756397}', '{default}', '{t}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer boards_rules
execute boards_rules('{default}', '{high-scores}');
\echo @answer scores_before
execute scores_before('{default}', '{high-scores}', '{2037756397}', '{1}', '{b29556dd-1c8f-42ed-bd6f-1abd29187cd5}', '{"2026-11-20 12:00:00+00"}');
\echo @answer scores_add
execute scores_add('{2037756397}', '{b29556dd-1c8f-42ed-bd6f-1abd29187cd5}', '{1}', '{30}', '{30}', '{t}', '{f}', '{NULL}', '{"2026-11-20 12:00:00+00"}', '{2026-11-20}', '2026-11-20 12:00:00+00');
\echo @answer score_notes_add
execute score_notes_add('{2037756397}', '{b29556dd-1c8f-42ed-bd6f-1abd29187cd5}', '{"A. L."}', '{NULL}');
\echo @answer wallets_earn
execute wallets_earn('{2037756397}', '{30}', '{NULL}');
\echo @answer standings_add
execute standings_add('{1}', '{2037756397}', '{30}', '{"2026-11-20 12:00:00+00"}', '{f}');
\echo @answer tallies_add
execute tallies_add('{1}', '{2026-11-20}', '{2037756397}', '{30}', '{"2026-11-20 12:00:00+00"}');
\echo @answer commit
commit;
\echo @answer board_find
execute board_find('default', 'high-scores', NULL, '2026-11-20 12:00:00+00');
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{2037756397}', '{default}', '{t}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer boards_rules
execute boards_rules('{default}', '{high-scores}');
\echo @answer scores_before
execute scores_before('{default}', '{high-scores}', '{2037756397}', '{1}', '{b29556dd-1c8f-42ed-bd6f-1abd29187cd5}', '{"2026-11-20 12:00:00+00"}');
\echo @answer scores_recall
execute scores_recall('{2037756397}', '{1}', '{b29556dd-1c8f-42ed-bd6f-1abd29187cd5}', '{30}', '{"2026-11-20 12:00:00+00"}', '{"A. L."}', '{2026-11-20}', '{2037756397}', '2026-11-20 12:00:00+00');
\echo @answer commit
commit;
\echo @answer giving_board_find
execute giving_board_find('trees', '2026-11-20 12:00:00+00');
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{2037756397}', '{NULL}', '{f}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer donations_before
execute donations_before('{2037756397}', '{"trees for ALL"}', '{"trees for all"}', '{33810313-df50-47ad-8d38-6b5b10297305}', '{"2026-11-20 12:00:00+00"}');
\echo @answer donations_add
execute donations_add('{2037756397}', '{33810313-df50-47ad-8d38-6b5b10297305}', '{1}', '{10}', '{f}', '{"2026-11-20 12:00:00+00"}', '{2026-11-20}', '{NULL}', '{NULL}', '2026-11-20 12:00:00+00');
\echo @answer wallets_give
execute wallets_give('{2037756397}', '{10}');
\echo @answer tallies_give
execute tallies_give('{5,2}', '{2026-11-20,2026-11-20}', '{2037756397,2037756397}', '{10,10}', '{"2026-11-20 12:00:00+00","2026-11-20 12:00:00+00"}');
\echo @answer standings_give
execute standings_give('{5,2}', '{2037756397,2037756397}', '{10,10}', '{"2026-11-20 12:00:00+00","2026-11-20 12:00:00+00"}');
\echo @answer charity_totals_add
execute charity_totals_add('{1}', '{10}', '{1}', '{"2026-11-20 12:00:00+00"}');
\echo @answer commit
commit;
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{2037756397}', '{NULL}', '{f}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer donations_before
execute donations_before('{2037756397}', '{trees}', '{trees}', '{33810313-df50-47ad-8d38-6b5b10297305}', '{"2026-11-20 12:00:00+00"}');
\echo @answer donations_recall
execute donations_recall('{2037756397}', '{33810313-df50-47ad-8d38-6b5b10297305}', '{1}', '{10}', '{f}', '{"2026-11-20 12:00:00+00"}', '{2037756397}');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer board_add
execute board_add('default', 'board-best', 'board-best', 'best', 'f', '-9007199254740991', '9007199254740991', 'UTC', 'first', 'points', NULL, NULL, NULL, NULL, NULL, 'number', NULL, 'open', NULL, NULL, NULL, NULL, NULL, '2026-11-20 12:00:00+00');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('9', '2026-11-20 12:00:00+00', NULL, 'cli', 'PUT', 'board=board-best;game=default', 'points_max=9007199254740991;points_min=-9007199254740991', NULL, '\x6129fc3187c6fe802b4ea3f9036836e444bb5b731075184d8bdf19ab2de8af89');
\echo @answer commit
commit;
\echo @answer board_find
execute board_find('default', 'board-best', NULL, '2026-11-20 12:00:00+00');
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{2037756397}', '{default}', '{t}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer boards_rules
execute boards_rules('{default}', '{board-best}');
\echo @answer scores_before
execute scores_before('{default}', '{board-best}', '{2037756397}', '{1}', '{21fcc163-dbbd-46ef-a8f4-73738a3ab34d}', '{"2026-11-20 12:00:00+00"}');
\echo @answer scores_add
execute scores_add('{2037756397}', '{21fcc163-dbbd-46ef-a8f4-73738a3ab34d}', '{7}', '{40}', '{40}', '{t}', '{f}', '{NULL}', '{"2026-11-20 12:00:00+00"}', '{2026-11-20}', '2026-11-20 12:00:00+00');
\echo @answer wallets_earn
execute wallets_earn('{2037756397}', '{40}', '{NULL}');
\echo @answer standings_add
execute standings_add('{7}', '{2037756397}', '{40}', '{"2026-11-20 12:00:00+00"}', '{f}');
\echo @answer tallies_add
execute tallies_add('{7}', '{2026-11-20}', '{2037756397}', '{40}', '{"2026-11-20 12:00:00+00"}');
\echo @answer commit
commit;
\echo @answer board_positions
execute board_positions('7', '{2037756397}');
\echo @answer board_page
execute board_page('7', NULL, '-9223372036854775808', '1970-01-01 00:00:00+00', '0', '0', '0', '2');
\echo @answer board_page
execute board_page('7', NULL, '-41', '2026-11-20 12:00:00+00', '1', '0', '0', '2');
\echo @answer board_page
execute board_page('7', NULL, '-39', '2026-11-20 12:00:00+00', '0', '2', '0', '1');
\echo @answer player_summaries
execute player_summaries('{2037756397}');
\echo @answer player_summaries_page
execute player_summaries_page('2037756396', '1');
\echo @answer board_page
execute board_page('7', '2037756397', NULL, NULL, NULL, '2', '0', '3');
\echo @answer board_points_position
execute board_points_position('7', '-40');
\echo @answer board_page
execute board_page('7', NULL, '-9223372036854775808', '1970-01-01 00:00:00+00', '0', '0', '0', '10');
\echo @answer board_size
execute board_size('7');
\echo @answer window_rows
execute window_rows('7', '2026-11-20', '2026-11-20', 'players', NULL, NULL, NULL, NULL, '{2037756397}', '1');
\echo @answer window_rows
execute window_rows('7', '2026-11-20', '2026-11-20', 'from', '1', NULL, NULL, NULL, '{}', '2');
\echo @answer window_rows
execute window_rows('7', '2026-11-20', '2026-11-20', 'after', NULL, '-41', '2026-11-20 12:00:00+00', '0', '{}', '2');
\echo @answer window_rows
execute window_rows('7', '2026-11-20', '2026-11-20', 'before', NULL, '-39', '2026-11-20 12:00:00+00', '0', '{}', '2');
\echo @answer player_summaries
execute player_summaries('{2037756397}');
\echo @answer player_summaries_page
execute player_summaries_page('2037756396', '1');
\echo @answer window_rows
execute window_rows('7', '2026-11-20', '2026-11-20', 'around', NULL, NULL, NULL, '2037756397', '{}', '2');
\echo @answer window_points_position
execute window_points_position('7', '2026-11-20', '2026-11-20', '-40');
\echo @answer window_rows
execute window_rows('7', '2026-11-20', '2026-11-20', 'from', '1', NULL, NULL, NULL, '{}', '10');
\echo @answer window_size
execute window_size('7', '2026-11-20', '2026-11-20');
\echo @answer board_positions
execute board_positions('7', '{2037756397}');
\echo @answer begin
begin isolation level read committed;
\echo @answer board_add
execute board_add('default', 'board-latest', 'board-latest', 'latest', 'f', '-9007199254740991', '9007199254740991', 'UTC', 'first', 'points', NULL, NULL, NULL, NULL, NULL, 'number', NULL, 'open', NULL, NULL, NULL, NULL, NULL, '2026-11-20 12:00:00+00');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('10', '2026-11-20 12:00:00+00', NULL, 'cli', 'PUT', 'board=board-latest;game=default', 'points_max=9007199254740991;points_min=-9007199254740991', NULL, '\x92e22b84ee0719fc863f20b75b4354872b4077b4590ec43eba631e9d4ab9b3eb');
\echo @answer commit
commit;
\echo @answer board_find
execute board_find('default', 'board-latest', NULL, '2026-11-20 12:00:00+00');
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{2037756397}', '{default}', '{t}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer boards_rules
execute boards_rules('{default}', '{board-latest}');
\echo @answer scores_before
execute scores_before('{default}', '{board-latest}', '{2037756397}', '{1}', '{d47e4c71-b703-4146-92cc-6561e4254ab1}', '{"2026-11-20 12:00:00+00"}');
\echo @answer scores_add
execute scores_add('{2037756397}', '{d47e4c71-b703-4146-92cc-6561e4254ab1}', '{8}', '{40}', '{40}', '{t}', '{f}', '{NULL}', '{"2026-11-20 12:00:00+00"}', '{2026-11-20}', '2026-11-20 12:00:00+00');
\echo @answer wallets_earn
execute wallets_earn('{2037756397}', '{40}', '{NULL}');
\echo @answer standings_add
execute standings_add('{8}', '{2037756397}', '{40}', '{"2026-11-20 12:00:00+00"}', '{f}');
\echo @answer tallies_add
execute tallies_add('{8}', '{2026-11-20}', '{2037756397}', '{40}', '{"2026-11-20 12:00:00+00"}');
\echo @answer commit
commit;
\echo @answer board_positions
execute board_positions('8', '{2037756397}');
\echo @answer board_page
execute board_page('8', NULL, '-9223372036854775808', '1970-01-01 00:00:00+00', '0', '0', '0', '2');
\echo @answer board_page
execute board_page('8', NULL, '-41', '2026-11-20 12:00:00+00', '1', '0', '0', '2');
\echo @answer board_page
execute board_page('8', NULL, '-39', '2026-11-20 12:00:00+00', '0', '2', '0', '1');
\echo @answer player_summaries
execute player_summaries('{2037756397}');
\echo @answer player_summaries_page
execute player_summaries_page('2037756396', '1');
\echo @answer board_page
execute board_page('8', '2037756397', NULL, NULL, NULL, '2', '0', '3');
\echo @answer board_points_position
execute board_points_position('8', '-40');
\echo @answer board_page
execute board_page('8', NULL, '-9223372036854775808', '1970-01-01 00:00:00+00', '0', '0', '0', '10');
\echo @answer board_size
execute board_size('8');
\echo @answer window_rows
execute window_rows('8', '2026-11-20', '2026-11-20', 'players', NULL, NULL, NULL, NULL, '{2037756397}', '1');
\echo @answer window_rows
execute window_rows('8', '2026-11-20', '2026-11-20', 'from', '1', NULL, NULL, NULL, '{}', '2');
\echo @answer window_rows
execute window_rows('8', '2026-11-20', '2026-11-20', 'after', NULL, '-41', '2026-11-20 12:00:00+00', '0', '{}', '2');
\echo @answer window_rows
execute window_rows('8', '2026-11-20', '2026-11-20', 'before', NULL, '-39', '2026-11-20 12:00:00+00', '0', '{}', '2');
\echo @answer player_summaries
execute player_summaries('{2037756397}');
\echo @answer player_summaries_page
execute player_summaries_page('2037756396', '1');
\echo @answer window_rows
execute window_rows('8', '2026-11-20', '2026-11-20', 'around', NULL, NULL, NULL, '2037756397', '{}', '2');
\echo @answer window_points_position
execute window_points_position('8', '2026-11-20', '2026-11-20', '-40');
\echo @answer window_rows
execute window_rows('8', '2026-11-20', '2026-11-20', 'from', '1', NULL, NULL, NULL, '{}', '10');
\echo @answer window_size
execute window_size('8', '2026-11-20', '2026-11-20');
\echo @answer board_positions
execute board_positions('8', '{2037756397}');
\echo @answer begin
begin isolation level read committed;
\echo @answer board_add
execute board_add('default', 'board-sum', 'board-sum', 'sum', 'f', '-9007199254740991', '9007199254740991', 'UTC', 'first', 'points', NULL, NULL, NULL, NULL, NULL, 'number', NULL, 'open', NULL, NULL, NULL, NULL, NULL, '2026-11-20 12:00:00+00');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('11', '2026-11-20 12:00:00+00', NULL, 'cli', 'PUT', 'board=board-sum;game=default', 'points_max=9007199254740991;points_min=-9007199254740991', NULL, '\x8d1a513e522feeefcde6c86cc1b652ef671ce0c175a361564c8d60b6c21fe484');
\echo @answer commit
commit;
\echo @answer board_find
execute board_find('default', 'board-sum', NULL, '2026-11-20 12:00:00+00');
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{2037756397}', '{default}', '{t}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer boards_rules
execute boards_rules('{default}', '{board-sum}');
\echo @answer scores_before
execute scores_before('{default}', '{board-sum}', '{2037756397}', '{1}', '{c6df922c-6a8c-422e-be19-c15b3440842c}', '{"2026-11-20 12:00:00+00"}');
\echo @answer scores_add
execute scores_add('{2037756397}', '{c6df922c-6a8c-422e-be19-c15b3440842c}', '{9}', '{40}', '{40}', '{t}', '{f}', '{NULL}', '{"2026-11-20 12:00:00+00"}', '{2026-11-20}', '2026-11-20 12:00:00+00');
\echo @answer wallets_earn
execute wallets_earn('{2037756397}', '{40}', '{NULL}');
\echo @answer standings_add
execute standings_add('{9}', '{2037756397}', '{40}', '{"2026-11-20 12:00:00+00"}', '{f}');
\echo @answer tallies_add
execute tallies_add('{9}', '{2026-11-20}', '{2037756397}', '{40}', '{"2026-11-20 12:00:00+00"}');
\echo @answer commit
commit;
\echo @answer board_positions
execute board_positions('9', '{2037756397}');
\echo @answer board_page
execute board_page('9', NULL, '-9223372036854775808', '1970-01-01 00:00:00+00', '0', '0', '0', '2');
\echo @answer board_page
execute board_page('9', NULL, '-41', '2026-11-20 12:00:00+00', '1', '0', '0', '2');
\echo @answer board_page
execute board_page('9', NULL, '-39', '2026-11-20 12:00:00+00', '0', '2', '0', '1');
\echo @answer player_summaries
execute player_summaries('{2037756397}');
\echo @answer player_summaries_page
execute player_summaries_page('2037756396', '1');
\echo @answer board_page
execute board_page('9', '2037756397', NULL, NULL, NULL, '2', '0', '3');
\echo @answer board_points_position
execute board_points_position('9', '-40');
\echo @answer board_page
execute board_page('9', NULL, '-9223372036854775808', '1970-01-01 00:00:00+00', '0', '0', '0', '10');
\echo @answer board_size
execute board_size('9');
\echo @answer window_rows
execute window_rows('9', '2026-11-20', '2026-11-20', 'players', NULL, NULL, NULL, NULL, '{2037756397}', '1');
\echo @answer window_rows
execute window_rows('9', '2026-11-20', '2026-11-20', 'from', '1', NULL, NULL, NULL, '{}', '2');
\echo @answer window_rows
execute window_rows('9', '2026-11-20', '2026-11-20', 'after', NULL, '-41', '2026-11-20 12:00:00+00', '0', '{}', '2');
\echo @answer window_rows
execute window_rows('9', '2026-11-20', '2026-11-20', 'before', NULL, '-39', '2026-11-20 12:00:00+00', '0', '{}', '2');
\echo @answer player_summaries
execute player_summaries('{2037756397}');
\echo @answer player_summaries_page
execute player_summaries_page('2037756396', '1');
\echo @answer window_rows
execute window_rows('9', '2026-11-20', '2026-11-20', 'around', NULL, NULL, NULL, '2037756397', '{}', '2');
\echo @answer window_points_position
execute window_points_position('9', '2026-11-20', '2026-11-20', '-40');
\echo @answer window_rows
execute window_rows('9', '2026-11-20', '2026-11-20', 'from', '1', NULL, NULL, NULL, '{}', '10');
\echo @answer window_size
execute window_size('9', '2026-11-20', '2026-11-20');
\echo @answer board_positions
execute board_positions('9', '{2037756397}');
\echo @answer games_listed
execute games_listed;
\echo @answer donations_newest
execute donations_newest(NULL, '50');
\echo @answer charity_days
execute charity_days('trees');
\echo @answer charity_games
execute charity_games('trees', '5');
\echo @answer charity_largest
execute charity_largest('trees');
\echo @answer board_find
execute board_find('default', 'high-scores', NULL, '2026-11-20 12:00:00+00');
\echo @answer players_named
execute players_named('default', 'ADA', '1', '20');
\echo @answer player_game
execute player_game('2037756397');
\echo @answer best_posts
execute best_posts('1', '10');
\echo @answer window_span
execute window_span('1', '2026-11-20', '2026-11-20');
\echo @answer charities_top
execute charities_top('2026-11-20 12:00:00+00');
\echo @answer giving_board_find
execute giving_board_find('overall', '2026-11-20 12:00:00+00');
\echo @answer board_page
execute board_page('2', NULL, '-9223372036854775808', '1970-01-01 00:00:00+00', '0', '0', '0', '10');
\echo @answer begin
begin isolation level read committed;
\echo @answer key_add
execute key_add('214525e9-79fa-4b00-bc29-2f7c478451cb', 'game', 'maze', '\xb71f3a7224c748712fe0ad29c496f2c63124ceafacfdb6128898786209be5988', 'arena', '{donate,post,register}', NULL, '2026-11-20 12:00:00+00');
\echo @answer key_same
execute key_same('214525e9-79fa-4b00-bc29-2f7c478451cb', 'game', 'maze', '\xb71f3a7224c748712fe0ad29c496f2c63124ceafacfdb6128898786209be5988', 'arena', '{donate,post,register}', NULL);
\echo @answer key_list
execute key_list(NULL, NULL, '214525e9-79fa-4b00-bc29-2f7c478451cb', '0', '2147483647');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('12', '2026-11-20 12:00:00+00', NULL, 'cli', 'PUT', 'key=214525e9-79fa-4b00-bc29-2f7c478451cb', '-', NULL, '\x043b74ce21e3bfcb68d67ba676ea91d49b972daef652d88731f0c61ed29217ae');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer key_add
execute key_add('38bc3eb5-3072-4cfc-b31f-669f75835992', 'game', 'none', '\xb71f3a7224c748712fe0ad29c496f2c63124ceafacfdb6128898786209be5988', 'arena', '{donate,post,register}', NULL, '2026-11-20 12:00:00+00');
\echo @answer key_same
execute key_same('38bc3eb5-3072-4cfc-b31f-669f75835992', 'game', 'none', '\xb71f3a7224c748712fe0ad29c496f2c63124ceafacfdb6128898786209be5988', 'arena', '{donate,post,register}', NULL);
\echo @answer key_list
execute key_list(NULL, NULL, '38bc3eb5-3072-4cfc-b31f-669f75835992', '0', '2147483647');
\echo @answer commit
commit;
\echo @answer key_game
execute key_game('\xb71f3a7224c748712fe0ad29c496f2c63124ceafacfdb6128898786209be5988', '2026-11-20 12:00:00+00');
\echo @answer player_register
execute player_register('\x7432102dc7bf92a20b32d688b56692b778731117480e7dab9ce0cc58a54a0c16', 'maze', 'Bob', 'bob', NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', 'NZ', 'key', '\xb71f3a7224c748712fe0ad29c496f2c63124ceafacfdb6128898786209be5988', 'free', 'f', NULL);
\echo @answer begin
begin isolation level read committed;
\echo @answer device_claim
execute device_claim('\x7432102dc7bf92a20b32d688b56692b778731117480e7dab9ce0cc58a54a0c16', '{8230133813528982,1026023097281595,3503850904589029,4108053752576005,2138731447839844,3344524494558845,2433893717993733,8067361932370555}', '2026-11-20 12:00:00+00', 't', NULL, NULL);
\echo @answer callers_lock
execute callers_lock('{}', '{"\\x7432102dc7bf92a20b32d688b56692b778731117480e7dab9ce0cc58a54a0c16"}', '{}');
\echo @answer player_register
execute player_register('\x7432102dc7bf92a20b32d688b56692b778731117480e7dab9ce0cc58a54a0c16', 'maze', 'Bob', 'bob', NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', 'NZ', 'key', '\xb71f3a7224c748712fe0ad29c496f2c63124ceafacfdb6128898786209be5988', 'free', 't', NULL);
\echo @answer device_release
execute device_release('\x7432102dc7bf92a20b32d688b56692b778731117480e7dab9ce0cc58a54a0c16');
\echo @answer commit
commit;
\echo @answer caller_find
execute caller_find(NULL, '\xb71f3a7224c748712fe0ad29c496f2c63124ceafacfdb6128898786209be5988', '\x7432102dc7bf92a20b32d688b56692b778731117480e7dab9ce0cc58a54a0c16', NULL, 'maze', '2026-11-20 12:00:00+00');
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{"\\x4b05eff3a112c50a878383e59bb5680af6d91382c8fdb5522643ca800e567d35"}', '{NULL}', '{default}', '{t}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer boards_rules
execute boards_rules('{default}', '{nowhere}');
\echo @answer scores_before
execute scores_before('{default}', '{nowhere}', '{2037756397}', '{1}', '{8c2838d4-be9f-4935-a0ed-e0424e0aed6c}', '{"2026-11-20 12:00:00+00"}');
\echo @answer commit
commit;
\echo @answer player_register
execute player_register('\x4b05eff3a112c50a878383e59bb5680af6d91382c8fdb5522643ca800e567d35', 'default', NULL, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', NULL, 'token', '\xbec20395bf40a45352275b848a5f3274052c65d3b6dbad4bc9910b8dd32d7e5b', 'free', 'f', NULL);
\echo @answer begin
begin isolation level read committed;
\echo @answer device_claim
execute device_claim('\x4b05eff3a112c50a878383e59bb5680af6d91382c8fdb5522643ca800e567d35', '{494476832,1499616749,1764030451,255413441,2057422300,523490486,77536108,1512889857}', '2026-11-20 12:00:00+00', 'f', '\xbec20395bf40a45352275b848a5f3274052c65d3b6dbad4bc9910b8dd32d7e5b', NULL);
\echo @answer callers_lock
execute callers_lock('{}', '{"\\x4b05eff3a112c50a878383e59bb5680af6d91382c8fdb5522643ca800e567d35"}', '{}');
\echo @answer player_register
execute player_register('\x4b05eff3a112c50a878383e59bb5680af6d91382c8fdb5522643ca800e567d35', 'default', NULL, NULL, NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', NULL, 'token', '\xbec20395bf40a45352275b848a5f3274052c65d3b6dbad4bc9910b8dd32d7e5b', 'free', 't', NULL);
\echo @answer device_release
execute device_release('\x4b05eff3a112c50a878383e59bb5680af6d91382c8fdb5522643ca800e567d35');
\echo @answer commit
commit;
\echo @answer player_register
execute player_register(NULL, NULL, 'Bob', 'bob', NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', 'NZ', 'token', '\xbec20395bf40a45352275b848a5f3274052c65d3b6dbad4bc9910b8dd32d7e5b', 'free', 'f', NULL);
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{"\\xbec20395bf40a45352275b848a5f3274052c65d3b6dbad4bc9910b8dd32d7e5b"}', '{}', '{}');
\echo @answer player_register
execute player_register(NULL, NULL, 'Bob', 'bob', NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', 'NZ', 'token', '\xbec20395bf40a45352275b848a5f3274052c65d3b6dbad4bc9910b8dd32d7e5b', 'free', 't', NULL);
\echo @answer commit
commit;
\echo @answer own_profile
execute own_profile('2037756397', '2026-11-20 12:00:00+00');
\echo @answer player_donation_totals
execute player_donation_totals('2037756397', 't');
\echo @answer updates_end
execute updates_end('2037756397');
\echo @answer updates_end
execute updates_end('2037756397');
\echo @answer updates_end
execute updates_end('2037756396');
\echo @answer subscribers
execute subscribers;
\echo @answer player_profile
execute player_profile('2037756397', NULL, 'f');
\echo @answer player_bests
execute player_bests('2037756397');
\echo @answer player_donation_totals
execute player_donation_totals('2037756397', 'f');
\echo @answer callers_identify
execute callers_identify('{"\\xbec20395bf40a45352275b848a5f3274052c65d3b6dbad4bc9910b8dd32d7e5b"}', '{NULL}', '{NULL}', '{NULL}', '{default}', '{t}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer boards_rules
execute boards_rules('{default}', '{high-scores}');
\echo @answer scores_before
execute scores_before('{default}', '{high-scores}', '{2037756397}', '{1}', '{0badb6bd-ccb7-4f37-81cd-5e55e89d4498}', '{"2026-11-20 12:00:05+00"}');
\echo @answer scores_add
execute scores_add('{2037756397}', '{0badb6bd-ccb7-4f37-81cd-5e55e89d4498}', '{1}', '{31}', '{31}', '{t}', '{f}', '{"2026-11-20 12:00:00+00"}', '{"2026-11-20 12:00:05+00"}', '{2026-11-20}', '2026-11-20 12:00:00+00');
\echo @answer score_notes_add
execute score_notes_add('{2037756397}', '{0badb6bd-ccb7-4f37-81cd-5e55e89d4498}', '{NULL}', '{"{\"a\":[1]}"}');
\echo @answer wallets_earn
execute wallets_earn('{2037756397}', '{31}', '{NULL}');
\echo @answer standings_move
execute standings_move('{1}', '{2037756397}', '{31}', '{"2026-11-20 12:00:05+00"}');
\echo @answer tallies_move
execute tallies_move('{1}', '{2026-11-20}', '{2037756397}', '{31}', '{"2026-11-20 12:00:05+00"}');
\echo @answer commit
commit;
\echo @answer callers_identify
execute callers_identify('{"\\xbec20395bf40a45352275b848a5f3274052c65d3b6dbad4bc9910b8dd32d7e5b"}', '{NULL}', '{NULL}', '{2037756397}', '{NULL}', '{f}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer donations_before
execute donations_before('{2037756397}', '{trees}', '{NULL}', '{b3aae8fa-8639-4f18-bcfa-0347c3a43f2a}', '{"2026-11-20 12:00:05+00"}');
\echo @answer donations_add
execute donations_add('{2037756397}', '{b3aae8fa-8639-4f18-bcfa-0347c3a43f2a}', '{1}', '{2}', '{f}', '{"2026-11-20 12:00:05+00"}', '{2026-11-20}', '{-2625632326001904272}', '{"2026-11-19 23:00:00+00"}', '2026-11-20 12:00:00+00');
\echo @answer wallets_give
execute wallets_give('{2037756397}', '{2}');
\echo @answer tallies_give
execute tallies_give('{5,2}', '{2026-11-20,2026-11-20}', '{-2625632326001904272,-2625632326001904272}', '{2,2}', '{"2026-11-19 23:00:00+00","2026-11-20 00:00:00+00"}');
\echo @answer standings_give
execute standings_give('{5,2}', '{-2625632326001904272,-2625632326001904272}', '{2,2}', '{"2026-11-19 23:00:00+00","2026-11-20 00:00:00+00"}');
\echo @answer charity_totals_add
execute charity_totals_add('{1}', '{2}', '{0}', '{NULL}');
\echo @answer commit
commit;
\echo @answer score_receipt
execute score_receipt('2037756397', '0badb6bd-ccb7-4f37-81cd-5e55e89d4498', 'default', 'high-scores', '2026-11-20 12:00:00+00');
\echo @answer donation_receipt
execute donation_receipt('2037756397', 'b3aae8fa-8639-4f18-bcfa-0347c3a43f2a', 'trees', '2026-11-20 12:00:00+00');
\echo @answer player_scores
execute player_scores('2037756397', NULL, NULL, '1', '2026-11-20 12:00:00+00');
\echo @answer player_scores
execute player_scores('2037756397', '2026-11-20 12:00:05+00', '0badb6bd-ccb7-4f37-81cd-5e55e89d4498', '9', '2026-11-20 12:00:00+00');
\echo @answer player_scores_newer
execute player_scores_newer('2037756397', '2026-11-20 12:00:00+00', '0badb6bd-ccb7-4f37-81cd-5e55e89d4498', '9', '2026-11-20 12:00:00+00');
\echo @answer player_donations
execute player_donations('2037756397', NULL, NULL, '9');
\echo @answer player_donations_newer
execute player_donations_newer('2037756397', '2026-11-20 12:00:00+00', 'b3aae8fa-8639-4f18-bcfa-0347c3a43f2a', '9');
\echo @answer key_list
execute key_list(NULL, 'maze', NULL, '0', '2147483647');
\echo @answer key_list
execute key_list('game', 'default', NULL, '0', '2147483647');
\echo @answer key_list
execute key_list('game', 'maze', NULL, '0', '2147483647');
\echo @answer begin
begin isolation level read committed;
\echo @answer key_revoke
execute key_revoke('214525e9-79fa-4b00-bc29-2f7c478451cb', '2026-11-20 12:00:00+00');
\echo @answer key_list
execute key_list(NULL, NULL, '214525e9-79fa-4b00-bc29-2f7c478451cb', '0', '2147483647');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('13', '2026-11-20 12:00:00+00', NULL, 'cli', 'DELETE', 'key=214525e9-79fa-4b00-bc29-2f7c478451cb', '-', NULL, '\x6f85328579ac6de3aa5538448bbdbf4d4cb3b2c21f7569f1e8add567fda5e3d2');
\echo @answer commit
commit;
\echo @answer key_list
execute key_list(NULL, 'maze', NULL, '0', '2147483647');
\echo @answer key_game
execute key_game('\xb71f3a7224c748712fe0ad29c496f2c63124ceafacfdb6128898786209be5988', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_lock
-- tallies_lock: waits for posts that are under way and lets none begin until the transaction ends.
-- So "no post yet" is still true when it has been judged.
lock table tally in share row exclusive mode;
\echo @answer board_reset
execute board_reset('default', 'board-best', '2026-11-20 12:00:05+00');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('14', '2026-11-20 12:00:05+00', NULL, 'cli', 'reset', 'board=board-best;game=default', 'season=2', NULL, '\x34324025b9de5fb3c6a03c118bcee6b660c820bb0f921c17ffb6e223efe8d64a');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_lock
-- tallies_lock: waits for posts that are under way and lets none begin until the transaction ends.
-- So "no post yet" is still true when it has been judged.
lock table tally in share row exclusive mode;
\echo @answer board_reset
execute board_reset('default', 'none', '2026-11-20 12:00:05+00');
\echo @answer commit
commit;
\echo @answer board_seasons
execute board_seasons('default', 'board-best');
\echo @answer board_find
execute board_find('default', 'board-best', '1', '2026-11-20 12:00:05+00');
\echo @answer board_page
execute board_page('7', NULL, '-9223372036854775808', '1970-01-01 00:00:00+00', '0', '0', '0', '9');
\echo @answer player_register
execute player_register('\x6090b9700e3eb0e39ecfd6daf0931cbc83be7d2a9ecb44dc83279363d20461b6', 'maze', 'Cy', 'cy', NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', NULL, 'token', '\x0832d905e9eaa6c71ce1e82d8d3dd7e9423e7f0a329160b2e8b0b6ad2c9c327f', 'free', 'f', NULL);
\echo @answer begin
begin isolation level read committed;
\echo @answer device_claim
execute device_claim('\x6090b9700e3eb0e39ecfd6daf0931cbc83be7d2a9ecb44dc83279363d20461b6', '{2259798329701647,318465788143028,3957171089004025,3188421844013792,4348568154126888,7537050754442016,8918930885350874,6243846507132733}', '2026-11-20 12:00:00+00', 't', '\x0832d905e9eaa6c71ce1e82d8d3dd7e9423e7f0a329160b2e8b0b6ad2c9c327f', 'Pad');
\echo @answer callers_lock
execute callers_lock('{}', '{"\\x6090b9700e3eb0e39ecfd6daf0931cbc83be7d2a9ecb44dc83279363d20461b6"}', '{}');
\echo @answer player_register
execute player_register('\x6090b9700e3eb0e39ecfd6daf0931cbc83be7d2a9ecb44dc83279363d20461b6', 'maze', 'Cy', 'cy', NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', NULL, 'token', '\x0832d905e9eaa6c71ce1e82d8d3dd7e9423e7f0a329160b2e8b0b6ad2c9c327f', 'free', 't', NULL);
\echo @answer device_release
execute device_release('\x6090b9700e3eb0e39ecfd6daf0931cbc83be7d2a9ecb44dc83279363d20461b6');
\echo @answer commit
commit;
\echo @answer device_of_token
execute device_of_token('\x0832d905e9eaa6c71ce1e82d8d3dd7e9423e7f0a329160b2e8b0b6ad2c9c327f');
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{"\\x0832d905e9eaa6c71ce1e82d8d3dd7e9423e7f0a329160b2e8b0b6ad2c9c327f"}', '{}', '{}');
\echo @answer code_make
execute code_make('\x0832d905e9eaa6c71ce1e82d8d3dd7e9423e7f0a329160b2e8b0b6ad2c9c327f', 'join', '\xe6ba7dd3f8d9c16b3208e5c5966e1f9dde273dfa392e2b14abe1307b0de9ccd8', '2026-11-20 12:00:00+00', '2026-11-20 12:00:01+00');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2259798329701647}');
\echo @answer code_make_player
execute code_make_player('2259798329701647', '\x0c439e95951489ea3c390dd0a350ef58a1703eadbce74577e3695d67a4605cf4', '2026-11-20 12:00:00+00', '2026-11-20 12:10:00+00');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('15', '2026-11-20 12:00:00+00', NULL, 'opal', 'POST', 'codes=1;player=2259798329701647', '-', NULL, '\xdecca280f172869a86a8230f9bd786d8d43d1a21294fd4e7e9adb6c6a4272526');
\echo @answer commit
commit;
\echo @answer log_page
execute log_page(NULL, '1');
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{1}');
\echo @answer code_make_player
execute code_make_player('1', '\x0c439e95951489ea3c390dd0a350ef58a1703eadbce74577e3695d67a4605cf4', '2026-11-20 12:00:00+00', '2026-11-20 12:10:00+00');
\echo @answer commit
commit;
\echo @answer player_register
execute player_register('\x7e71b5a194a4bfa13999ab628e47d5f876cd3a33078a8373baab680c5ed0687e', 'maze', NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 'f', NULL, 'token', '\x0bd3f26b690689cc51db4c70279177db7ead6d5dad8af3e030558fa71edd1e6c', 'free', 'f', NULL);
\echo @answer code_find
execute code_find('\xe6ba7dd3f8d9c16b3208e5c5966e1f9dde273dfa392e2b14abe1307b0de9ccd8', '\x7e71b5a194a4bfa13999ab628e47d5f876cd3a33078a8373baab680c5ed0687e', '2026-11-20 12:00:00+00');
\echo @answer player_register
execute player_register('\x7e71b5a194a4bfa13999ab628e47d5f876cd3a33078a8373baab680c5ed0687e', 'maze', NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 'f', NULL, 'token', '\x0bd3f26b690689cc51db4c70279177db7ead6d5dad8af3e030558fa71edd1e6c', 'free', 'f', NULL);
\echo @answer code_find
execute code_find('\x0c439e95951489ea3c390dd0a350ef58a1703eadbce74577e3695d67a4605cf4', '\x7e71b5a194a4bfa13999ab628e47d5f876cd3a33078a8373baab680c5ed0687e', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2259798329701647}');
\echo @answer device_join
execute device_join('\x7e71b5a194a4bfa13999ab628e47d5f876cd3a33078a8373baab680c5ed0687e', '\x0bd3f26b690689cc51db4c70279177db7ead6d5dad8af3e030558fa71edd1e6c', '\x0c439e95951489ea3c390dd0a350ef58a1703eadbce74577e3695d67a4605cf4', '2259798329701647', NULL, NULL, '2026-11-20 12:00:00+00', '2026-11-20', '100', 'f', '3');
\echo @answer commit
commit;
\echo @answer device_seen
execute device_seen('\x7e71b5a194a4bfa13999ab628e47d5f876cd3a33078a8373baab680c5ed0687e', '\x0bd3f26b690689cc51db4c70279177db7ead6d5dad8af3e030558fa71edd1e6c', 'Pad', '2026-11-21');
\echo @answer devices_own
execute devices_own('\x0bd3f26b690689cc51db4c70279177db7ead6d5dad8af3e030558fa71edd1e6c');
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{"\\x0bd3f26b690689cc51db4c70279177db7ead6d5dad8af3e030558fa71edd1e6c"}', '{}', '{}');
\echo @answer token_rotate
execute token_rotate('\x0bd3f26b690689cc51db4c70279177db7ead6d5dad8af3e030558fa71edd1e6c', '\x7b9549ae6facd76ae4793a42cce75e0ac695e429733e8faf24784847691784cb', '2026-11-20');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{"\\x0832d905e9eaa6c71ce1e82d8d3dd7e9423e7f0a329160b2e8b0b6ad2c9c327f"}', '{}', '{}');
\echo @answer device_cut
execute device_cut('\x0832d905e9eaa6c71ce1e82d8d3dd7e9423e7f0a329160b2e8b0b6ad2c9c327f', '\x7e71b5a194a4bfa13999ab628e47d5f876cd3a33078a8373baab680c5ed0687e');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer report_add
execute report_add('2037756397', '2259798329701647', 'other', 'It is me.', '2026-11-20 12:00:00+00');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer report_add
execute report_add('2037756397', '2259798329701647', 'other', 'It is me.', '2026-11-20 12:00:00+00');
\echo @answer commit
commit;
\echo @answer export_player
execute export_player('2037756397', '2026-11-20 12:00:00+00');
\echo @answer export_codes
execute export_codes('2037756397');
\echo @answer export_scores
execute export_scores('2037756397', '1970-01-01 00:00:00+00', '00000000-0000-0000-0000-000000000000', '9', '2026-11-20 12:00:00+00');
\echo @answer export_donations
execute export_donations('2037756397', '1970-01-01 00:00:00+00', '00000000-0000-0000-0000-000000000000', '9');
\echo @answer export_reports
execute export_reports('2259798329701647', '1970-01-01 00:00:00+00', '0', '9');
\echo @answer export_reports
execute export_reports('2259798329701647', '2026-11-20 12:00:00+00', '2037756397', '9');
\echo @answer player_register
execute player_register('\x986d7a130a9d5b237a67d06fafa32199b04b3568358f023b6079dbe417868536', 'default', 'Dot', 'dot', NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', NULL, 'token', '\x5e5b9063e57554b002facf02301d8af70e719ceb2ad737edd4797768a2ae5d4d', 'free', 'f', NULL);
\echo @answer begin
begin isolation level read committed;
\echo @answer device_claim
execute device_claim('\x986d7a130a9d5b237a67d06fafa32199b04b3568358f023b6079dbe417868536', '{1760760840,15132872,1363594902,1118935504,2022263526,1649625656,1625607277,560040943}', '2026-11-20 12:00:00+00', 't', '\x5e5b9063e57554b002facf02301d8af70e719ceb2ad737edd4797768a2ae5d4d', NULL);
\echo @answer callers_lock
execute callers_lock('{}', '{"\\x986d7a130a9d5b237a67d06fafa32199b04b3568358f023b6079dbe417868536"}', '{}');
\echo @answer player_register
execute player_register('\x986d7a130a9d5b237a67d06fafa32199b04b3568358f023b6079dbe417868536', 'default', 'Dot', 'dot', NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', NULL, 'token', '\x5e5b9063e57554b002facf02301d8af70e719ceb2ad737edd4797768a2ae5d4d', 'free', 't', NULL);
\echo @answer device_release
execute device_release('\x986d7a130a9d5b237a67d06fafa32199b04b3568358f023b6079dbe417868536');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{"\\x5e5b9063e57554b002facf02301d8af70e719ceb2ad737edd4797768a2ae5d4d"}', '{}', '{}');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{"\\x5e5b9063e57554b002facf02301d8af70e719ceb2ad737edd4797768a2ae5d4d"}', '{}', '{}');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{"\\x5e5b9063e57554b002facf02301d8af70e719ceb2ad737edd4797768a2ae5d4d"}', '{}', '{}');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{"\\x5e5b9063e57554b002facf02301d8af70e719ceb2ad737edd4797768a2ae5d4d"}', '{}', '{}');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{"\\x5e5b9063e57554b002facf02301d8af70e719ceb2ad737edd4797768a2ae5d4d"}', '{}', '{}');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer key_add
execute key_add('6adc8d6c-83ea-417c-8065-13bcacfdcb14', 'admin', NULL, '\x53de86f498a7552f512f80b991340d12b4aaac363150970b53a793a0b4c27a4b', 'ops', '{operate,read}', '2026-11-20 12:01:00+00', '2026-11-20 12:00:00+00');
\echo @answer key_same
execute key_same('6adc8d6c-83ea-417c-8065-13bcacfdcb14', 'admin', NULL, '\x53de86f498a7552f512f80b991340d12b4aaac363150970b53a793a0b4c27a4b', 'ops', '{operate,read}', '2026-11-20 12:01:00+00');
\echo @answer key_list
execute key_list(NULL, NULL, '6adc8d6c-83ea-417c-8065-13bcacfdcb14', '0', '2147483647');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('16', '2026-11-20 12:00:00+00', NULL, 'cli', 'PUT', 'key=6adc8d6c-83ea-417c-8065-13bcacfdcb14', '-', NULL, '\x00dafe799493a1e3ea60d6184fc912332a0258cbd371e555cfd3c3f556edf7f9');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer key_add
execute key_add('6adc8d6c-83ea-417c-8065-13bcacfdcb14', 'admin', NULL, '\x53de86f498a7552f512f80b991340d12b4aaac363150970b53a793a0b4c27a4b', 'ops', '{operate,read}', '2026-11-20 12:01:00+00', '2026-11-20 12:00:00+00');
\echo @answer key_same
execute key_same('6adc8d6c-83ea-417c-8065-13bcacfdcb14', 'admin', NULL, '\x53de86f498a7552f512f80b991340d12b4aaac363150970b53a793a0b4c27a4b', 'ops', '{operate,read}', '2026-11-20 12:01:00+00');
\echo @answer key_list
execute key_list(NULL, NULL, '6adc8d6c-83ea-417c-8065-13bcacfdcb14', '0', '2147483647');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer key_add
execute key_add('6adc8d6c-83ea-417c-8065-13bcacfdcb14', 'admin', NULL, '\x53de86f498a7552f512f80b991340d12b4aaac363150970b53a793a0b4c27a4b', 'other', '{operate,read}', '2026-11-20 12:01:00+00', '2026-11-20 12:00:00+00');
\echo @answer key_same
execute key_same('6adc8d6c-83ea-417c-8065-13bcacfdcb14', 'admin', NULL, '\x53de86f498a7552f512f80b991340d12b4aaac363150970b53a793a0b4c27a4b', 'other', '{operate,read}', '2026-11-20 12:01:00+00');
\echo @answer key_list
execute key_list(NULL, NULL, '6adc8d6c-83ea-417c-8065-13bcacfdcb14', '0', '2147483647');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer key_add
execute key_add('105c5eaa-aac3-4321-92b7-6341159fe177', 'admin', NULL, '\x53de86f498a7552f512f80b991340d12b4aaac363150970b53a793a0b4c27a4b', 'other', '{operate,read}', '2026-11-20 12:01:00+00', '2026-11-20 12:00:00+00');
\echo @answer key_same
execute key_same('105c5eaa-aac3-4321-92b7-6341159fe177', 'admin', NULL, '\x53de86f498a7552f512f80b991340d12b4aaac363150970b53a793a0b4c27a4b', 'other', '{operate,read}', '2026-11-20 12:01:00+00');
\echo @answer key_list
execute key_list(NULL, NULL, '105c5eaa-aac3-4321-92b7-6341159fe177', '0', '2147483647');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer key_add
execute key_add('105c5eaa-aac3-4321-92b7-6341159fe177', 'admin', NULL, '\x05041535b44a4e0409dbce0a891d3678730453b2f60e7e89b189bf942787090e', 'other', '{operate,read}', '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00');
\echo @answer key_same
execute key_same('105c5eaa-aac3-4321-92b7-6341159fe177', 'admin', NULL, '\x05041535b44a4e0409dbce0a891d3678730453b2f60e7e89b189bf942787090e', 'other', '{operate,read}', '2026-11-20 12:00:00+00');
\echo @answer key_list
execute key_list(NULL, NULL, '105c5eaa-aac3-4321-92b7-6341159fe177', '0', '2147483647');
\echo @answer commit
commit;
\echo @answer admin_key_find
execute admin_key_find('\x53de86f498a7552f512f80b991340d12b4aaac363150970b53a793a0b4c27a4b', '2026-11-20 12:00:00+00');
\echo @answer admin_key_find
execute admin_key_find('\x53de86f498a7552f512f80b991340d12b4aaac363150970b53a793a0b4c27a4b', '2026-11-20 12:01:00+00');
\echo @answer key_use_note
execute key_use_note('\x53de86f498a7552f512f80b991340d12b4aaac363150970b53a793a0b4c27a4b', '2026-11-20');
\echo @answer key_use_note
execute key_use_note('\x53de86f498a7552f512f80b991340d12b4aaac363150970b53a793a0b4c27a4b', '2026-11-19');
\echo @answer key_list
execute key_list('admin', NULL, NULL, '0', '2147483647');
\echo @answer begin
begin isolation level read committed;
\echo @answer key_revoke
execute key_revoke('6adc8d6c-83ea-417c-8065-13bcacfdcb14', '2026-11-20 12:00:00+00');
\echo @answer key_list
execute key_list(NULL, NULL, '6adc8d6c-83ea-417c-8065-13bcacfdcb14', '0', '2147483647');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('17', '2026-11-20 12:00:00+00', NULL, 'cli', 'DELETE', 'key=6adc8d6c-83ea-417c-8065-13bcacfdcb14', '-', NULL, '\x8875983f0080829497edf2753a7ecbda9b71530b2e9b1a4f83c2c93f8de43919');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer key_revoke
execute key_revoke('6adc8d6c-83ea-417c-8065-13bcacfdcb14', '2026-11-20 12:00:00+00');
\echo @answer key_list
execute key_list(NULL, NULL, '6adc8d6c-83ea-417c-8065-13bcacfdcb14', '0', '2147483647');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer key_revoke
execute key_revoke('d5ff7544-5065-4b16-9167-34ee172e2786', '2026-11-20 12:00:00+00');
\echo @answer key_list
execute key_list(NULL, NULL, 'd5ff7544-5065-4b16-9167-34ee172e2786', '0', '2147483647');
\echo @answer commit
commit;
\echo @answer admin_key_find
execute admin_key_find('\x53de86f498a7552f512f80b991340d12b4aaac363150970b53a793a0b4c27a4b', '2026-11-20 12:00:00+00');
\echo @answer key_list
execute key_list('game', 'default', NULL, '0', '2147483647');
\echo @answer key_list
execute key_list('admin', NULL, NULL, '0', '2147483647');
\echo @answer begin
begin isolation level read committed;
\echo @answer key_revoke
execute key_revoke('6adc8d6c-83ea-417c-8065-13bcacfdcb14', '2026-11-20 12:00:00+00');
\echo @answer key_list
execute key_list(NULL, NULL, '6adc8d6c-83ea-417c-8065-13bcacfdcb14', '0', '2147483647');
\echo @answer commit
commit;
\echo @answer game_list
execute game_list('maze');
\echo @answer begin
begin isolation level read committed;
\echo @answer game_lock
execute game_lock('maze');
\echo @answer game_set
execute game_set('maze', 'One', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
\echo @answer game_list
execute game_list('maze');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('18', '2026-11-20 12:00:00+00', NULL, 'cli', 'PATCH', 'game=maze', '-', NULL, '\xc3c291f3da15b1a30c4dd46ab14d41adb6ca5f773bbd59dfd2ca1750c236d991');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer game_lock
execute game_lock('maze');
\echo @answer game_set
execute game_set('maze', 'Two', NULL, NULL, NULL, NULL, NULL, NULL, NULL);
\echo @answer game_list
execute game_list('maze');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer game_lock
execute game_lock('no');
\echo @answer game_set
execute game_set('no', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
\echo @answer game_list
execute game_list('no');
\echo @answer commit
commit;
\echo @answer board_list
execute board_list('default', 'race');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_lock
-- tallies_lock: waits for posts that are under way and lets none begin until the transaction ends.
-- So "no post yet" is still true when it has been judged.
lock table tally in share row exclusive mode;
\echo @answer board_set
execute board_set('default', 'race', 'Laps', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'f', NULL, 'f', NULL, 'f', NULL, 'f', NULL, NULL, 'f', NULL, NULL, NULL, 'f', NULL, 'f', NULL, 'f', NULL, 'f', NULL, 'f', NULL);
\echo @answer board_list
execute board_list('default', 'race');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('19', '2026-11-20 12:00:00+00', NULL, 'cli', 'PATCH', 'board=race;game=default', '-', NULL, '\x09f80634e5c595e70125e576f9088b67e45b8efe574d6b234aca14594f694044');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_lock
-- tallies_lock: waits for posts that are under way and lets none begin until the transaction ends.
-- So "no post yet" is still true when it has been judged.
lock table tally in share row exclusive mode;
\echo @answer board_set
execute board_set('default', 'race', 'Laps', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'f', NULL, 'f', NULL, 'f', NULL, 'f', NULL, NULL, 'f', NULL, NULL, NULL, 'f', NULL, 'f', NULL, 'f', NULL, 'f', NULL, 'f', NULL);
\echo @answer board_list
execute board_list('default', 'race');
\echo @answer commit
commit;
\echo @answer charity_list
execute charity_list('shut');
\echo @answer begin
begin isolation level read committed;
\echo @answer charity_lock
execute charity_lock('shut');
\echo @answer charity_set
execute charity_set('shut', NULL, NULL, NULL, NULL, NULL, 't', '5', 'f', NULL, 'f', NULL, NULL, NULL, 'f', NULL, 'f', NULL);
\echo @answer charity_list
execute charity_list('shut');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('20', '2026-11-20 12:00:00+00', NULL, 'cli', 'PATCH', 'charity=shut', 'goal=5', NULL, '\xcd753629e7da6f3dfb53a9c1c3428dbf02e9490459709a2d227d8a3f5c5e631b');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer charity_lock
execute charity_lock('shut');
\echo @answer charity_set
execute charity_set('shut', NULL, NULL, NULL, NULL, NULL, 't', '5', 'f', NULL, 'f', NULL, NULL, NULL, 'f', NULL, 'f', NULL);
\echo @answer charity_list
execute charity_list('shut');
\echo @answer commit
commit;
\echo @answer admin_players
execute admin_players(NULL, 'BOB', NULL, NULL, NULL, '0', '9');
\echo @answer admin_players
execute admin_players('default', 'Bob', NULL, NULL, NULL, '0', '9');
\echo @answer admin_players
execute admin_players(NULL, NULL, NULL, NULL, 'ADA@Example.org', '0', '9');
\echo @answer admin_player
execute admin_player('2037756397', 't');
\echo @answer admin_player
execute admin_player('2037756397', 'f');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer admin_ledger
execute admin_ledger('2037756397', NULL, NULL, '100', 't');
\echo @answer admin_ledger
execute admin_ledger('2037756397', NULL, NULL, '100', 'f');
\echo @answer admin_ledger
execute admin_ledger('2037756397', '2026-11-20 12:00:05+00', '0badb6bd-ccb7-4f37-81cd-5e55e89d4498', '100', 't');
\echo @answer admin_donations
execute admin_donations('trees', NULL, NULL, NULL, '9');
\echo @answer admin_subscribers
execute admin_subscribers('0', '9');
\echo @answer stats_days
execute stats_days('2026-11-19', '2026-11-20', '2026-11-19 00:00:00+00', '2026-11-21 00:00:00+00', '100');
\echo @answer stats_days
execute stats_days('2026-11-20', '2026-11-20', '2026-11-20 00:00:00+00', '2026-11-21 00:00:00+00', '3');
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{2037756397}', '{default}', '{t}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer boards_rules
execute boards_rules('{default}', '{high-scores}');
\echo @answer scores_before
execute scores_before('{default}', '{high-scores}', '{2037756397}', '{1}', '{4f9a9608-a14c-480c-b1d8-259bd80f239a}', '{"2026-11-20 12:00:00+00"}');
\echo @answer scores_add
execute scores_add('{2037756397}', '{4f9a9608-a14c-480c-b1d8-259bd80f239a}', '{1}', '{40}', '{40}', '{t}', '{f}', '{NULL}', '{"2026-11-20 12:00:00+00"}', '{2026-11-20}', '2026-11-20 12:00:00+00');
\echo @answer score_notes_add
execute score_notes_add('{2037756397}', '{4f9a9608-a14c-480c-b1d8-259bd80f239a}', '{"A. L."}', '{NULL}');
\echo @answer wallets_earn
execute wallets_earn('{2037756397}', '{40}', '{NULL}');
\echo @answer standings_move
execute standings_move('{1}', '{2037756397}', '{40}', '{"2026-11-20 12:00:00+00"}');
\echo @answer tallies_move
execute tallies_move('{1}', '{2026-11-20}', '{2037756397}', '{40}', '{"2026-11-20 12:00:00+00"}');
\echo @answer commit
commit;
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{2037756397}', '{NULL}', '{f}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer donations_before
execute donations_before('{2037756397}', '{trees}', '{trees}', '{5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b}', '{"2026-11-20 12:00:00+00"}');
\echo @answer donations_add
execute donations_add('{2037756397}', '{5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b}', '{1}', '{5}', '{f}', '{"2026-11-20 12:00:00+00"}', '{2026-11-20}', '{NULL}', '{NULL}', '2026-11-20 12:00:00+00');
\echo @answer wallets_give
execute wallets_give('{2037756397}', '{5}');
\echo @answer tallies_give
execute tallies_give('{5,2}', '{2026-11-20,2026-11-20}', '{2037756397,2037756397}', '{5,5}', '{"2026-11-20 12:00:00+00","2026-11-20 12:00:00+00"}');
\echo @answer standings_give
execute standings_give('{5,2}', '{2037756397,2037756397}', '{5,5}', '{"2026-11-20 12:00:00+00","2026-11-20 12:00:00+00"}');
\echo @answer charity_totals_add
execute charity_totals_add('{1}', '{5}', '{0}', '{"2026-11-20 12:00:00+00"}');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('218b00d6-0391-470c-ad60-9f5f4fee7f30');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer score_found
execute score_found('2037756397', '4f9a9608-a14c-480c-b1d8-259bd80f239a');
\echo @answer scores_restate
execute scores_restate('2037756397', '{2037756397}', '{4f9a9608-a14c-480c-b1d8-259bd80f239a}', NULL, 'voided', '218b00d6-0391-470c-ad60-9f5f4fee7f30', '2026-11-20 12:00:00+00');
\echo @answer standings_prove
execute standings_prove('2037756397');
\echo @answer tallies_prove
execute tallies_prove('2037756397', '{}');
\echo @answer donations_fund
execute donations_fund('2037756397', '218b00d6-0391-470c-ad60-9f5f4fee7f30', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{}');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('21', '2026-11-20 12:00:00+00', '218b00d6-0391-470c-ad60-9f5f4fee7f30', 'cli', 'void', 'player=2037756397;score=4f9a9608-a14c-480c-b1d8-259bd80f239a', 'earned=40', '\xcc33b56b93b95ab40af89c5970f53c547eaec6d52abebd8db1a5181f993530b8', '\x59ffd8f0ac1645aa7c1be06e783afb3f5905c94c111646ef40fb8cdff12b2ffc');
\echo @answer log_words_add
execute log_words_add('21', '\x835f732c7f8373b0eec95f832515f31070f000e711cc6e515c9585ee2fb37dc0', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('218b00d6-0391-470c-ad60-9f5f4fee7f30', 'void', '2037756397', '4f9a9608-a14c-480c-b1d8-259bd80f239a', NULL, 'do=void on=player=2037756397;score=4f9a9608-a14c-480c-b1d8-259bd80f239a', '{221,0,0,17}', '{221,40,0,17}', '21', NULL, '2026-11-20 12:00:00+00', NULL, '2037756397');
\echo @answer act_funding
execute act_funding('218b00d6-0391-470c-ad60-9f5f4fee7f30');
\echo @answer rollback
rollback;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('858e265d-593b-4620-a4da-cdac14fcd2ba');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer score_found
execute score_found('2037756397', '4f9a9608-a14c-480c-b1d8-259bd80f239a');
\echo @answer scores_restate
execute scores_restate('2037756397', '{2037756397}', '{4f9a9608-a14c-480c-b1d8-259bd80f239a}', NULL, 'voided', '858e265d-593b-4620-a4da-cdac14fcd2ba', '2026-11-20 12:00:00+00');
\echo @answer standings_prove
execute standings_prove('2037756397');
\echo @answer tallies_prove
execute tallies_prove('2037756397', '{}');
\echo @answer donations_fund
execute donations_fund('2037756397', '858e265d-593b-4620-a4da-cdac14fcd2ba', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{}');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('21', '2026-11-20 12:00:00+00', '858e265d-593b-4620-a4da-cdac14fcd2ba', 'cli', 'void', 'player=2037756397;score=4f9a9608-a14c-480c-b1d8-259bd80f239a', 'earned=40', '\xaf3e881ff21ec9912ffff4d28a6d7c247ed18bb9a092424382d243e6c6e9b2f9', '\x1bc339385f9a7833e728f85bcc6e09672145adddc12eae04ea1ea84960960c96');
\echo @answer log_words_add
execute log_words_add('21', '\xfbd5da6add3dd3a94b0f5a65ea335815dd866bfeaf1ba42320a9f0183d48067b', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('858e265d-593b-4620-a4da-cdac14fcd2ba', 'void', '2037756397', '4f9a9608-a14c-480c-b1d8-259bd80f239a', NULL, 'do=void on=player=2037756397;score=4f9a9608-a14c-480c-b1d8-259bd80f239a', '{221,0,0,17}', '{221,40,0,17}', '21', NULL, '2026-11-20 12:00:00+00', NULL, '2037756397');
\echo @answer act_funding
execute act_funding('858e265d-593b-4620-a4da-cdac14fcd2ba');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer act_undoable
execute act_undoable('858e265d-593b-4620-a4da-cdac14fcd2ba');
\echo @answer act_owners
execute act_owners('858e265d-593b-4620-a4da-cdac14fcd2ba');
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('66b39965-18b7-4638-b397-58d49cbc4a30');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer act_undoable
execute act_undoable('858e265d-593b-4620-a4da-cdac14fcd2ba');
\echo @answer act_movements
execute act_movements('858e265d-593b-4620-a4da-cdac14fcd2ba');
\echo @answer scores_restate
execute scores_restate('2037756397', '{2037756397}', '{4f9a9608-a14c-480c-b1d8-259bd80f239a}', 'voided', 'counted', '66b39965-18b7-4638-b397-58d49cbc4a30', '2026-11-20 12:00:00+00');
\echo @answer standings_prove
execute standings_prove('2037756397');
\echo @answer tallies_prove
execute tallies_prove('2037756397', '{}');
\echo @answer donations_fund
execute donations_fund('2037756397', '66b39965-18b7-4638-b397-58d49cbc4a30', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{}');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('22', '2026-11-20 12:00:00+00', '66b39965-18b7-4638-b397-58d49cbc4a30', 'cli', 'undo', 'act=858e265d-593b-4620-a4da-cdac14fcd2ba;player=2037756397', 'earned=40;moved=1', '\xa84a1574a63fa9a929b64d9d802b3c94ec5323c5987fd49315498d31270c472c', '\x60446ee02f603fe71889e143e0f1f86e72552222b1fb52b8600c162ba702209b');
\echo @answer log_words_add
execute log_words_add('22', '\x4a7ef84500b7dcc4b58a1e16e67d3fc8817a50c72161e11c9d3df08cf0e3b73c', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('66b39965-18b7-4638-b397-58d49cbc4a30', 'undo', '2037756397', '858e265d-593b-4620-a4da-cdac14fcd2ba', NULL, 'do=undo on=act=858e265d-593b-4620-a4da-cdac14fcd2ba', '{221,40,0,17}', '{221,0,0,17}', '22', '858e265d-593b-4620-a4da-cdac14fcd2ba', '2026-11-20 12:00:00+00', NULL, NULL);
\echo @answer act_funding
execute act_funding('66b39965-18b7-4638-b397-58d49cbc4a30');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('0ef667f3-25ad-4865-8d71-7251555a5ecc');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer score_found
execute score_found('2037756397', '4f9a9608-a14c-480c-b1d8-259bd80f239a');
\echo @answer score_found
execute score_found('2037756397', '4f9a9608-a14c-480c-b1d8-259bd80f239a');
\echo @answer scores_restate
execute scores_restate('2037756397', '{2037756397}', '{4f9a9608-a14c-480c-b1d8-259bd80f239a}', NULL, 'voided', '0ef667f3-25ad-4865-8d71-7251555a5ecc', '2026-11-20 12:00:00+00');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer score_replace
execute score_replace('2037756397', '2037756397', '4f9a9608-a14c-480c-b1d8-259bd80f239a', '0ef667f3-25ad-4865-8d71-7251555a5ecc', '30', '20', '2026-11-20 12:00:00+00');
\echo @answer standings_prove
execute standings_prove('2037756397');
\echo @answer tallies_prove
execute tallies_prove('2037756397', '{}');
\echo @answer donations_fund
execute donations_fund('2037756397', '0ef667f3-25ad-4865-8d71-7251555a5ecc', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{}');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('23', '2026-11-20 12:00:00+00', '0ef667f3-25ad-4865-8d71-7251555a5ecc', 'cli', 'correct', 'player=2037756397;score=4f9a9608-a14c-480c-b1d8-259bd80f239a', 'earned=20;points=30;voided=40', '\x4fca34a2a3018b608cddb0c2e3d34e41678608c5b430784c4dc28550bbe5b6d2', '\xc2d792be3a9d551500195d48f3812b0ae50ffb32e04b442c30ffa4c7645233fa');
\echo @answer log_words_add
execute log_words_add('23', '\xac959578ac73678fe5bd14a7d13d445293458bbbccafa174dfd4d89c5a087a94', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('0ef667f3-25ad-4865-8d71-7251555a5ecc', 'correct', '2037756397', '4f9a9608-a14c-480c-b1d8-259bd80f239a', NULL, 'do=correct on=player=2037756397;score=4f9a9608-a14c-480c-b1d8-259bd80f239a points=30 earned=20', '{221,0,0,17}', '{241,40,0,17}', '23', NULL, '2026-11-20 12:00:00+00', NULL, '2037756397');
\echo @answer act_funding
execute act_funding('0ef667f3-25ad-4865-8d71-7251555a5ecc');
\echo @answer commit
commit;
\echo @answer score_receipt
execute score_receipt('2037756397', '4f9a9608-a14c-480c-b1d8-259bd80f239a', 'default', 'high-scores', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('9d9eab94-03ed-4497-8632-b38494da0062');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer score_found
execute score_found('2037756397', '0ef667f3-25ad-4865-8d71-7251555a5ecc');
\echo @answer scores_restate
execute scores_restate('2037756397', '{2037756397}', '{0ef667f3-25ad-4865-8d71-7251555a5ecc}', 'counted', 'held', '9d9eab94-03ed-4497-8632-b38494da0062', '2026-11-20 12:00:00+00');
\echo @answer standings_prove
execute standings_prove('2037756397');
\echo @answer tallies_prove
execute tallies_prove('2037756397', '{}');
\echo @answer donations_fund
execute donations_fund('2037756397', '9d9eab94-03ed-4497-8632-b38494da0062', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{}');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('24', '2026-11-20 12:00:00+00', '9d9eab94-03ed-4497-8632-b38494da0062', 'cli', 'hold', 'player=2037756397;score=0ef667f3-25ad-4865-8d71-7251555a5ecc', 'earned=20', '\xe54cbcbd06e3cfaa9ee4e2db0dad11a22d59df1a5f2198a344e938e4f1de38ad', '\xf28e9268c62de8a89734c909d98158b38668ca4999320d3be4eaf9c7ff3a4afc');
\echo @answer log_words_add
execute log_words_add('24', '\x5cadbd0693d816433d6dfd967f971eefb2563e156f58ab259fb66081f787b620', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('9d9eab94-03ed-4497-8632-b38494da0062', 'hold', '2037756397', '0ef667f3-25ad-4865-8d71-7251555a5ecc', NULL, 'do=hold on=player=2037756397;score=0ef667f3-25ad-4865-8d71-7251555a5ecc', '{241,40,0,17}', '{241,40,20,17}', '24', NULL, '2026-11-20 12:00:00+00', NULL, '2037756397');
\echo @answer act_funding
execute act_funding('9d9eab94-03ed-4497-8632-b38494da0062');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('0cd983f4-0deb-4786-9dd4-ca147fbeab9e');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer score_found
execute score_found('2037756397', '0ef667f3-25ad-4865-8d71-7251555a5ecc');
\echo @answer scores_restate
execute scores_restate('2037756397', '{2037756397}', '{0ef667f3-25ad-4865-8d71-7251555a5ecc}', 'held', 'counted', '0cd983f4-0deb-4786-9dd4-ca147fbeab9e', '2026-11-20 12:00:00+00');
\echo @answer standings_prove
execute standings_prove('2037756397');
\echo @answer tallies_prove
execute tallies_prove('2037756397', '{}');
\echo @answer donations_fund
execute donations_fund('2037756397', '0cd983f4-0deb-4786-9dd4-ca147fbeab9e', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{}');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('25', '2026-11-20 12:00:00+00', '0cd983f4-0deb-4786-9dd4-ca147fbeab9e', 'cli', 'clear', 'player=2037756397;score=0ef667f3-25ad-4865-8d71-7251555a5ecc', 'earned=20', '\xe94e89896aa00d63e49dc667d911f087a304277c9f0e3bc75fa4cd5abda8a91a', '\x09bbf9cfb6b962cf906b272255621cef9ef258ff84c517ac5a4cb9dfee433aab');
\echo @answer log_words_add
execute log_words_add('25', '\xdeecd8ee0ca4ade89b3041edb025f749f8aca36dd34dd9eee324bfa020847660', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('0cd983f4-0deb-4786-9dd4-ca147fbeab9e', 'clear', '2037756397', '0ef667f3-25ad-4865-8d71-7251555a5ecc', NULL, 'do=clear on=player=2037756397;score=0ef667f3-25ad-4865-8d71-7251555a5ecc', '{241,40,20,17}', '{241,40,0,17}', '25', NULL, '2026-11-20 12:00:00+00', NULL, '2037756397');
\echo @answer act_funding
execute act_funding('0cd983f4-0deb-4786-9dd4-ca147fbeab9e');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('6b8a7956-de87-4879-b0eb-064fe786f5a9');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer donation_found
execute donation_found('2037756397', '5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b');
\echo @answer donation_reverse
execute donation_reverse('2037756397', '2037756397', '5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b', 't', '5', '0', '6b8a7956-de87-4879-b0eb-064fe786f5a9', '2026-11-20 12:00:00+00');
\echo @answer donations_fund
execute donations_fund('2037756397', '6b8a7956-de87-4879-b0eb-064fe786f5a9', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{}');
\echo @answer caps_reversed_lock
execute caps_reversed_lock('{2037756397}', '{5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b}');
\echo @answer charity_totals_lock
execute charity_totals_lock('{1}');
\echo @answer charity_totals_add
execute charity_totals_add('{1}', '{-5}', '{0}', '{"2026-11-20 12:00:00+00"}');
\echo @answer charity_totals_date
execute charity_totals_date('{1}');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('26', '2026-11-20 12:00:00+00', '6b8a7956-de87-4879-b0eb-064fe786f5a9', 'cli', 'reverse', 'donation=5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b;player=2037756397', 'forfeited=5;points=5', '\x3b598087195104750f9e446a2bf100163bbed89e85228b442d7cc9e58215e9d6', '\x772159ad2130040a6faeb00a1688716aabac99106bc39aa8305f664dcd0f8463');
\echo @answer log_words_add
execute log_words_add('26', '\xaf1db8d0fd7df692996f9637acd67a2da3260b09d0b48806f139668f7cb3a98b', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('6b8a7956-de87-4879-b0eb-064fe786f5a9', 'reverse', '2037756397', '5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b', NULL, 'do=reverse on=donation=5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b;player=2037756397 void=true', '{241,40,0,17}', '{241,45,0,12}', '26', NULL, '2026-11-20 12:00:00+00', NULL, '2037756397');
\echo @answer act_funding
execute act_funding('6b8a7956-de87-4879-b0eb-064fe786f5a9');
\echo @answer commit
commit;
\echo @answer player_donations
execute player_donations('2037756397', NULL, NULL, '10');
\echo @answer begin
begin isolation level read committed;
\echo @answer act_undoable
execute act_undoable('6b8a7956-de87-4879-b0eb-064fe786f5a9');
\echo @answer act_owners
execute act_owners('6b8a7956-de87-4879-b0eb-064fe786f5a9');
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('1029c4c7-1f52-47f9-957b-f6d608f20c60');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer act_undoable
execute act_undoable('6b8a7956-de87-4879-b0eb-064fe786f5a9');
\echo @answer act_movements
execute act_movements('6b8a7956-de87-4879-b0eb-064fe786f5a9');
\echo @answer donation_reverse
execute donation_reverse('2037756397', '2037756397', '5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b', 'f', '0', '5', '1029c4c7-1f52-47f9-957b-f6d608f20c60', '2026-11-20 12:00:00+00');
\echo @answer donations_fund
execute donations_fund('2037756397', '1029c4c7-1f52-47f9-957b-f6d608f20c60', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{}');
\echo @answer caps_reversed_lock
execute caps_reversed_lock('{2037756397}', '{5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b}');
\echo @answer charity_totals_lock
execute charity_totals_lock('{1}');
\echo @answer charity_totals_add
execute charity_totals_add('{1}', '{5}', '{0}', '{"2026-11-20 12:00:00+00"}');
\echo @answer charity_totals_date
execute charity_totals_date('{1}');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('27', '2026-11-20 12:00:00+00', '1029c4c7-1f52-47f9-957b-f6d608f20c60', 'cli', 'undo', 'act=6b8a7956-de87-4879-b0eb-064fe786f5a9;player=2037756397', 'earned=0;moved=1', '\xa6335390de1a08b34c0dbd7bb52bef78b0707951495085f7c1515d094e5ef577', '\xf24b69e47a485576c03fd05046f2b3f8ab48d959e3e7fca922112e434cfee218');
\echo @answer log_words_add
execute log_words_add('27', '\x6ac85944777fda05a7e5d4dc3fd523f3233550006b13eeb889e807659264744f', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('1029c4c7-1f52-47f9-957b-f6d608f20c60', 'undo', '2037756397', '6b8a7956-de87-4879-b0eb-064fe786f5a9', NULL, 'do=undo on=act=6b8a7956-de87-4879-b0eb-064fe786f5a9', '{241,45,0,12}', '{241,40,0,17}', '27', '6b8a7956-de87-4879-b0eb-064fe786f5a9', '2026-11-20 12:00:00+00', NULL, NULL);
\echo @answer act_funding
execute act_funding('1029c4c7-1f52-47f9-957b-f6d608f20c60');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('b38f7ef1-4605-4920-b9ea-0c5593350211');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer players_lock
execute players_lock('{2037756397}');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('28', '2026-11-20 12:00:00+00', 'b38f7ef1-4605-4920-b9ea-0c5593350211', 'cli', 'ban', 'player=2037756397', 'until=2026-11-20T12:00:00.000000Z', '\x7f3046c50320560c369901e138a2ae919f5b0826ce2d07f8b25af103e5c6f8e2', '\x73cb9a4f81c8642da6b03c3a6efec03505510f49c35954631fbecce79a5f8ca6');
\echo @answer log_words_add
execute log_words_add('28', '\x07c93eca6ffb154e68c6bbd5893b152b960651a0f97bf390a6ab942b6b5d7ab1', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('b38f7ef1-4605-4920-b9ea-0c5593350211', 'ban', '2037756397', NULL, '2026-11-20 12:00:00+00', 'do=ban on=player=2037756397 until=2026-11-20T12:00:00.000000Z', '{241,40,0,17}', '{241,40,0,17}', '28', NULL, '2026-11-20 12:00:00+00', NULL, NULL);
\echo @answer player_hide
execute player_hide('2037756397');
\echo @answer act_funding
execute act_funding('b38f7ef1-4605-4920-b9ea-0c5593350211');
\echo @answer commit
commit;
\echo @answer player_profile
execute player_profile('2037756397', NULL, 'f');
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{2037756397}', '{default}', '{t}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer boards_rules
execute boards_rules('{default}', '{high-scores}');
\echo @answer scores_before
execute scores_before('{default}', '{high-scores}', '{2037756397}', '{1}', '{42ab915e-b7e8-42f8-ab04-5b9c75939eba}', '{"2026-11-20 12:00:00+00"}');
\echo @answer commit
commit;
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{2037756397}', '{NULL}', '{f}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer donations_before
execute donations_before('{2037756397}', '{trees}', '{trees}', '{f2941baa-65b2-40cc-be79-55153eb137c5}', '{"2026-11-20 12:00:00+00"}');
\echo @answer commit
commit;
\echo @answer bans_over
execute bans_over('2026-11-20 12:00:00+00', '5');
\echo @answer begin
begin isolation level read committed;
\echo @answer act_undoable
execute act_undoable('b38f7ef1-4605-4920-b9ea-0c5593350211');
\echo @answer act_owners
execute act_owners('b38f7ef1-4605-4920-b9ea-0c5593350211');
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('d051ef7d-9ed9-41aa-a3fa-830de3f1394b');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer act_undoable
execute act_undoable('b38f7ef1-4605-4920-b9ea-0c5593350211');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer players_lock
execute players_lock('{2037756397}');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('29', '2026-11-20 12:00:00+00', 'd051ef7d-9ed9-41aa-a3fa-830de3f1394b', 'cli', 'undo', 'act=b38f7ef1-4605-4920-b9ea-0c5593350211;player=2037756397', '-', '\xddf707330434d4d39d7ee300afe0e393d900a7ae044319620b216f1c776e4b35', '\xf9f874f0587d005ad0b76f920afa52b5693b8687ac0c9d5ff72d7ef94d0005dd');
\echo @answer log_words_add
execute log_words_add('29', '\xe0b8b8bcbe847a9658d6ba8d860f70227bea28500bb5e9b504c98d329fc8ef72', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('d051ef7d-9ed9-41aa-a3fa-830de3f1394b', 'undo', '2037756397', 'b38f7ef1-4605-4920-b9ea-0c5593350211', NULL, 'do=undo on=act=b38f7ef1-4605-4920-b9ea-0c5593350211', '{241,40,0,17}', '{241,40,0,17}', '29', 'b38f7ef1-4605-4920-b9ea-0c5593350211', '2026-11-20 12:00:00+00', NULL, NULL);
\echo @answer player_hide
execute player_hide('2037756397');
\echo @answer act_funding
execute act_funding('d051ef7d-9ed9-41aa-a3fa-830de3f1394b');
\echo @answer commit
commit;
\echo @answer bans_over
execute bans_over('2026-11-20 12:00:00+00', '5');
\echo @answer player_profile
execute player_profile('2037756397', NULL, 'f');
\echo @answer player_profile
execute player_profile('2037756397', NULL, 'f');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('f8d9cf97-7126-4fb6-9315-21d16d794540');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer player_found
execute player_found('2037756397');
\echo @answer player_rename
execute player_rename('2037756397', 'Someone', 't');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('30', '2026-11-20 12:00:00+00', 'f8d9cf97-7126-4fb6-9315-21d16d794540', 'cli', 'rename', 'player=2037756397', '-', '\x14cb6fdefd6f82f0da79441b5f0e2707fe8e6fe56b8c9f34aebb25e707817516', '\x4b7fb46998b1014354fe34146b42091f9ecbd83757eb6bd1f902daec15858644');
\echo @answer log_words_add
execute log_words_add('30', '\x2ce7c429f01a7f8b2fa32ea5c2a47122565f74a71252c7aeec9736e26a47c7a1', 'the tour', 'Someone', 'Bob');
\echo @answer act_add
execute act_add('f8d9cf97-7126-4fb6-9315-21d16d794540', 'rename', '2037756397', NULL, NULL, 'do=rename on=player=2037756397', '{241,40,0,17}', '{241,40,0,17}', '30', NULL, '2026-11-20 12:00:00+00', NULL, NULL);
\echo @answer act_funding
execute act_funding('f8d9cf97-7126-4fb6-9315-21d16d794540');
\echo @answer commit
commit;
\echo @answer player_profile
execute player_profile('2037756397', NULL, 'f');
\echo @answer begin
begin isolation level read committed;
\echo @answer act_undoable
execute act_undoable('f8d9cf97-7126-4fb6-9315-21d16d794540');
\echo @answer act_owners
execute act_owners('f8d9cf97-7126-4fb6-9315-21d16d794540');
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('8522c6a4-c65a-47dd-8e23-71886074fac0');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer act_undoable
execute act_undoable('f8d9cf97-7126-4fb6-9315-21d16d794540');
\echo @answer player_found
execute player_found('2037756397');
\echo @answer player_found
execute player_found('2037756397');
\echo @answer player_rename
execute player_rename('2037756397', 'Bob', 'f');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('31', '2026-11-20 12:00:00+00', '8522c6a4-c65a-47dd-8e23-71886074fac0', 'cli', 'undo', 'act=f8d9cf97-7126-4fb6-9315-21d16d794540;player=2037756397', '-', '\x4a6a2e3e1caa2ea91b09f07246d0dcc6447e62f11dca0d6f5df509388c97c20b', '\xd9633af49c23428f375d4b28b6a72a59818594f862254f09044bf3e75f14fcb5');
\echo @answer log_words_add
execute log_words_add('31', '\x0f26f5640488700f484388c7c9d4dad05fd2ae147a83e3ab59fa59cbc5f4bb53', 'the tour', 'Bob', 'Someone');
\echo @answer act_add
execute act_add('8522c6a4-c65a-47dd-8e23-71886074fac0', 'undo', '2037756397', 'f8d9cf97-7126-4fb6-9315-21d16d794540', NULL, 'do=undo on=act=f8d9cf97-7126-4fb6-9315-21d16d794540', '{241,40,0,17}', '{241,40,0,17}', '31', 'f8d9cf97-7126-4fb6-9315-21d16d794540', '2026-11-20 12:00:00+00', NULL, NULL);
\echo @answer act_funding
execute act_funding('8522c6a4-c65a-47dd-8e23-71886074fac0');
\echo @answer commit
commit;
\echo @answer player_profile
execute player_profile('2037756397', NULL, 'f');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('f140b8bf-bcd9-4b5a-a64f-8f9bb02bd2d0');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer player_found
execute player_found('2037756397');
\echo @answer picture_refuse
execute picture_refuse('\x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', '2026-11-20 12:00:00+00');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('32', '2026-11-20 12:00:00+00', 'f140b8bf-bcd9-4b5a-a64f-8f9bb02bd2d0', 'cli', 'take-down', 'player=2037756397', 'picture=000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', '\xdd487fe4976211d65a0481f32718caa0ab01c68d0540b26787613c474a4a0066', '\xcd3b54a47a746f8d1f89662994afd0ebc33b14871541b0b3fe5cc617aab17372');
\echo @answer log_words_add
execute log_words_add('32', '\x6f36af8e28f429da7a4e2e6f989e4b4e3909a27bf43cbc9dbfe4531604e64bd2', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('f140b8bf-bcd9-4b5a-a64f-8f9bb02bd2d0', 'take-down', '2037756397', NULL, NULL, 'do=take-down on=player=2037756397', '{241,40,0,17}', '{241,40,0,17}', '32', NULL, '2026-11-20 12:00:00+00', NULL, NULL);
\echo @answer act_funding
execute act_funding('f140b8bf-bcd9-4b5a-a64f-8f9bb02bd2d0');
\echo @answer commit
commit;
\echo @answer player_profile
execute player_profile('2037756397', NULL, 'f');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('78b719f9-6af8-425c-bb47-13e5e632477c');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer score_found
execute score_found('2037756397', '4f9a9608-a14c-480c-b1d8-259bd80f239a');
\echo @answer score_note_remove
execute score_note_remove('2037756397', '4f9a9608-a14c-480c-b1d8-259bd80f239a');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('33', '2026-11-20 12:00:00+00', '78b719f9-6af8-425c-bb47-13e5e632477c', 'cli', 'take-down', 'player=2037756397;score=4f9a9608-a14c-480c-b1d8-259bd80f239a', '-', '\x6b5a468e3cce6afb6c5d8581fb2840756252df8c11a9cb331817314e016099ab', '\x06becda268dda33c76d96c13008b9141131cdad021bc4d2933094985c4d8673c');
\echo @answer log_words_add
execute log_words_add('33', '\xe2bcd30b3c5022b46bb562775e9f6b1a7d83241726092cb5afa2fe3311fe371e', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('78b719f9-6af8-425c-bb47-13e5e632477c', 'take-down', '2037756397', '4f9a9608-a14c-480c-b1d8-259bd80f239a', NULL, 'do=take-down on=player=2037756397;score=4f9a9608-a14c-480c-b1d8-259bd80f239a', '{241,40,0,17}', '{241,40,0,17}', '33', NULL, '2026-11-20 12:00:00+00', NULL, NULL);
\echo @answer act_funding
execute act_funding('78b719f9-6af8-425c-bb47-13e5e632477c');
\echo @answer commit
commit;
\echo @answer log_page
execute log_page(NULL, '3');
\echo @answer log_page
execute log_page('31', '1');
\echo @answer player_acts
execute player_acts('2037756397', NULL, '1', 'f');
\echo @answer act_read
execute act_read('858e265d-593b-4620-a4da-cdac14fcd2ba');
\echo @answer act_funding
execute act_funding('858e265d-593b-4620-a4da-cdac14fcd2ba');
\echo @answer members_then
execute members_then('2037756397', '20');
\echo @answer members_then
execute members_then('2037756397', '21');
\echo @answer given_by_name
execute given_by_name('{2037756397}', '20', '2026-11-20 12:00:00+00');
\echo @answer given_by_name
execute given_by_name('{2037756397}', '21', '2026-11-20 12:00:00+00');
\echo @answer act_read
execute act_read('217c43ac-2ff5-4693-a633-203321abcdd2');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('3004cfd2-abcd-4690-a953-020e8bf065cf');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer scores_restate
execute scores_restate('2037756397', '{}', NULL, NULL, 'voided', '3004cfd2-abcd-4690-a953-020e8bf065cf', '2026-11-20 12:00:00+00');
\echo @answer standings_prove
execute standings_prove('2037756397');
\echo @answer tallies_prove
execute tallies_prove('2037756397', '{}');
\echo @answer donations_fund
execute donations_fund('2037756397', '3004cfd2-abcd-4690-a953-020e8bf065cf', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{}');
\echo @answer charity_totals_lock
execute charity_totals_lock('{1}');
\echo @answer charity_totals_add
execute charity_totals_add('{1}', '{-17}', '{-1}', '{NULL}');
\echo @answer charity_totals_date
execute charity_totals_date('{1}');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('34', '2026-11-20 12:00:00+00', '3004cfd2-abcd-4690-a953-020e8bf065cf', 'cli', 'void', 'player=2037756397', 'earned=201;scores=6', '\x1ae088a9dd8afa1cdf465b82c5d0f1922377ae6e54ab3490f5927f0e03430c0e', '\x2d91fffdaace9a3b3b77c902eab7f8ace8f91c86d7af5517fcabbe3a8a7b995b');
\echo @answer log_words_add
execute log_words_add('34', '\x1dc46dd14fd87815757aaa12a9344f73d82fdf0223d7eb18e59fa2efafad50e7', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('3004cfd2-abcd-4690-a953-020e8bf065cf', 'void', '2037756397', NULL, NULL, 'do=void on=player=2037756397 held_only=false', '{241,40,0,17}', '{241,241,0,17}', '34', NULL, '2026-11-20 12:00:00+00', NULL, NULL);
\echo @answer act_funding
execute act_funding('3004cfd2-abcd-4690-a953-020e8bf065cf');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('3004cfd2-abcd-4690-a953-020e8bf065cf');
\echo @answer members_then
execute members_then('2037756397', '33');
\echo @answer members_then
execute members_then('2037756397', '34');
\echo @answer given_by_name
execute given_by_name('{2037756397}', '33', '2026-11-20 12:00:00+00');
\echo @answer given_by_name
execute given_by_name('{2037756397}', '34', '2026-11-20 12:00:00+00');
\echo @answer act_funding
execute act_funding('3004cfd2-abcd-4690-a953-020e8bf065cf');
\echo @answer rollback
rollback;
\echo @answer begin
begin isolation level read committed;
\echo @answer act_undoable
execute act_undoable('3004cfd2-abcd-4690-a953-020e8bf065cf');
\echo @answer act_owners
execute act_owners('3004cfd2-abcd-4690-a953-020e8bf065cf');
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('0c12619f-d68a-4a20-9f27-0c68640e8a85');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer act_undoable
execute act_undoable('3004cfd2-abcd-4690-a953-020e8bf065cf');
\echo @answer act_movements
execute act_movements('3004cfd2-abcd-4690-a953-020e8bf065cf');
\echo @answer scores_restate
execute scores_restate('2037756397', '{2037756397,2037756397,2037756397,2037756397,2037756397,2037756397}', '{0badb6bd-ccb7-4f37-81cd-5e55e89d4498,0ef667f3-25ad-4865-8d71-7251555a5ecc,21fcc163-dbbd-46ef-a8f4-73738a3ab34d,b29556dd-1c8f-42ed-bd6f-1abd29187cd5,c6df922c-6a8c-422e-be19-c15b3440842c,d47e4c71-b703-4146-92cc-6561e4254ab1}', 'voided', 'counted', '0c12619f-d68a-4a20-9f27-0c68640e8a85', '2026-11-20 12:00:00+00');
\echo @answer standings_prove
execute standings_prove('2037756397');
\echo @answer tallies_prove
execute tallies_prove('2037756397', '{}');
\echo @answer donations_fund
execute donations_fund('2037756397', '0c12619f-d68a-4a20-9f27-0c68640e8a85', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{}');
\echo @answer charity_totals_lock
execute charity_totals_lock('{1}');
\echo @answer charity_totals_add
execute charity_totals_add('{1}', '{17}', '{1}', '{"2026-11-20 12:00:00+00"}');
\echo @answer charity_totals_date
execute charity_totals_date('{1}');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('35', '2026-11-20 12:00:00+00', '0c12619f-d68a-4a20-9f27-0c68640e8a85', 'cli', 'undo', 'act=3004cfd2-abcd-4690-a953-020e8bf065cf;player=2037756397', 'earned=201;moved=6', '\x378715bcaa30f86d0a55ea0e9cd820e94e0ab708f5ee704bee36b9905df95556', '\x410797947ecf1ec733a25e106fe5542adc69e35b3bfddf556ffed4eccc592e12');
\echo @answer log_words_add
execute log_words_add('35', '\xc530f4a73519388f28a286fc03c8e97933db7bbc49dbdd62072a17c6da5ef2a6', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('0c12619f-d68a-4a20-9f27-0c68640e8a85', 'undo', '2037756397', '3004cfd2-abcd-4690-a953-020e8bf065cf', NULL, 'do=undo on=act=3004cfd2-abcd-4690-a953-020e8bf065cf', '{241,241,0,17}', '{241,40,0,17}', '35', '3004cfd2-abcd-4690-a953-020e8bf065cf', '2026-11-20 12:00:00+00', NULL, NULL);
\echo @answer act_funding
execute act_funding('0c12619f-d68a-4a20-9f27-0c68640e8a85');
\echo @answer commit
commit;
\echo @answer player_register
execute player_register('\xb4a98f38cc6742f790bfbe6ab58064463b75f727f677ec9cfa2e0882900f3b4d', 'default', 'second phone', 'secondphone', NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', NULL, 'classic', NULL, 'free', 'f', NULL);
\echo @answer begin
begin isolation level read committed;
\echo @answer device_claim
execute device_claim('\xb4a98f38cc6742f790bfbe6ab58064463b75f727f677ec9cfa2e0882900f3b4d', '{489532295,1776632099,1342691257,1054753745,40041688,928432745,350581286,1992350659}', '2026-11-20 12:00:00+00', 't', NULL, NULL);
\echo @answer callers_lock
execute callers_lock('{}', '{"\\xb4a98f38cc6742f790bfbe6ab58064463b75f727f677ec9cfa2e0882900f3b4d"}', '{}');
\echo @answer player_register
execute player_register('\xb4a98f38cc6742f790bfbe6ab58064463b75f727f677ec9cfa2e0882900f3b4d', 'default', 'second phone', 'secondphone', NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', NULL, 'classic', NULL, 'free', 't', NULL);
\echo @answer device_release
execute device_release('\xb4a98f38cc6742f790bfbe6ab58064463b75f727f677ec9cfa2e0882900f3b4d');
\echo @answer commit
commit;
\echo @answer board_find
execute board_find('default', 'purse', NULL, '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer board_add
execute board_add('default', 'purse', 'purse', 'best', 'f', '-9007199254740991', '9007199254740991', 'UTC', 'first', 'points', NULL, NULL, NULL, NULL, NULL, 'number', NULL, 'open', NULL, NULL, NULL, NULL, NULL, '2026-11-20 12:00:00+00');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('36', '2026-11-20 12:00:00+00', NULL, 'cli', 'PUT', 'board=purse;game=default', 'points_max=9007199254740991;points_min=-9007199254740991', NULL, '\xf74a642ad9c98d63d97393af402439abdf8ea08a52c556fd2186e40a14bce146');
\echo @answer commit
commit;
\echo @answer board_find
execute board_find('default', 'purse', NULL, '2026-11-20 12:00:00+00');
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{489532295}', '{default}', '{t}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{489532295}');
\echo @answer callers_outdated
execute callers_outdated('{489532295}', '{489532295}');
\echo @answer boards_rules
execute boards_rules('{default}', '{purse}');
\echo @answer scores_before
execute scores_before('{default}', '{purse}', '{489532295}', '{1}', '{e97944d9-1058-474a-825f-67f26684e52c}', '{"2026-11-20 12:00:00+00"}');
\echo @answer scores_add
execute scores_add('{489532295}', '{e97944d9-1058-474a-825f-67f26684e52c}', '{11}', '{3}', '{3}', '{t}', '{f}', '{NULL}', '{"2026-11-20 12:00:00+00"}', '{2026-11-20}', '2026-11-20 12:00:00+00');
\echo @answer wallets_earn
execute wallets_earn('{489532295}', '{3}', '{NULL}');
\echo @answer standings_add
execute standings_add('{11}', '{489532295}', '{3}', '{"2026-11-20 12:00:00+00"}', '{f}');
\echo @answer tallies_add
execute tallies_add('{11}', '{2026-11-20}', '{489532295}', '{3}', '{"2026-11-20 12:00:00+00"}');
\echo @answer commit
commit;
\echo @answer admin_player
execute admin_player('489532295', 't');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{489532295,2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{489532295,2037756397}');
\echo @answer survivors_find
execute survivors_find('{489532295,2037756397}');
\echo @answer act_find
execute act_find('d9b8d68d-8c32-4da1-8f8b-98b3d4267925');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer merge_find
execute merge_find('489532295');
\echo @answer player_found
execute player_found('489532295');
\echo @answer player_found
execute player_found('2037756397');
\echo @answer members_find
execute members_find('489532295');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer wallet_sums
execute wallet_sums('489532295');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer player_merge
execute player_merge('489532295', '2037756397', 'd9b8d68d-8c32-4da1-8f8b-98b3d4267925', '2026-11-20 12:00:00+00');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer standings_prove
execute standings_prove('489532295');
\echo @answer tallies_prove
execute tallies_prove('489532295', '{489532295,2037756397}');
\echo @answer standings_prove
execute standings_prove('2037756397');
\echo @answer tallies_prove
execute tallies_prove('2037756397', '{489532295,2037756397}');
\echo @answer donations_fund
execute donations_fund('489532295', 'd9b8d68d-8c32-4da1-8f8b-98b3d4267925', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('489532295', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('489532295', '{489532295,2037756397}');
\echo @answer donations_fund
execute donations_fund('2037756397', 'd9b8d68d-8c32-4da1-8f8b-98b3d4267925', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{489532295,2037756397}');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{489532295,2037756397}', NULL, NULL);
\echo @answer players_lock
execute players_lock('{489532295,2037756397}');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('37', '2026-11-20 12:00:00+00', 'd9b8d68d-8c32-4da1-8f8b-98b3d4267925', 'cli', 'merge', 'player=489532295', 'earned=3;into=2037756397', '\x0c7de7485d7f8f4c920d440f2632b79613d8744890115788a2071d27af7e1741', '\xdff0759d9d5e3128532ef124919a7c3b86c206d52f7363e1650af844d601e498');
\echo @answer log_words_add
execute log_words_add('37', '\x63b72f3b49031ba7a1b0773f6b3d4137e321bca11e9a55ed7544938e7a5e765b', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('d9b8d68d-8c32-4da1-8f8b-98b3d4267925', 'merge', '489532295', NULL, NULL, 'do=merge on=player=489532295 into=2037756397', '{241,40,0,17}', '{244,40,0,17}', '37', NULL, '2026-11-20 12:00:00+00', '2037756397', NULL);
\echo @answer player_hide
execute player_hide('489532295');
\echo @answer player_hide
execute player_hide('2037756397');
\echo @answer act_funding
execute act_funding('d9b8d68d-8c32-4da1-8f8b-98b3d4267925');
\echo @answer commit
commit;
\echo @answer survivors_find
execute survivors_find('{489532295,2037756397}');
\echo @answer admin_player
execute admin_player('489532295', 't');
\echo @answer begin
begin isolation level read committed;
\echo @answer act_undoable
execute act_undoable('d9b8d68d-8c32-4da1-8f8b-98b3d4267925');
\echo @answer act_owners
execute act_owners('d9b8d68d-8c32-4da1-8f8b-98b3d4267925');
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{489532295,2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{489532295,2037756397}');
\echo @answer survivors_find
execute survivors_find('{489532295,2037756397}');
\echo @answer act_find
execute act_find('1d3a38ea-36ad-49ba-bed0-6007cba24b6c');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{489532295,2037756397}', NULL, NULL);
\echo @answer act_undoable
execute act_undoable('d9b8d68d-8c32-4da1-8f8b-98b3d4267925');
\echo @answer merge_find
execute merge_find('489532295');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer player_part
execute player_part('489532295', '2037756397');
\echo @answer wallet_prove
execute wallet_prove('489532295');
\echo @answer wallet_prove
execute wallet_prove('2037756397');
\echo @answer wallet_sums
execute wallet_sums('489532295');
\echo @answer standings_prove
execute standings_prove('2037756397');
\echo @answer tallies_prove
execute tallies_prove('2037756397', '{489532295,2037756397}');
\echo @answer standings_prove
execute standings_prove('489532295');
\echo @answer tallies_prove
execute tallies_prove('489532295', '{489532295,2037756397}');
\echo @answer donations_fund
execute donations_fund('2037756397', '1d3a38ea-36ad-49ba-bed0-6007cba24b6c', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{489532295,2037756397}');
\echo @answer donations_fund
execute donations_fund('489532295', '1d3a38ea-36ad-49ba-bed0-6007cba24b6c', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('489532295', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('489532295', '{489532295,2037756397}');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer players_lock
execute players_lock('{2037756397,489532295}');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('38', '2026-11-20 12:00:00+00', '1d3a38ea-36ad-49ba-bed0-6007cba24b6c', 'cli', 'undo', 'act=d9b8d68d-8c32-4da1-8f8b-98b3d4267925;player=489532295', 'earned=3;from=2037756397', '\x3f8ee587e6789fa78e6655cf6e9045cf14c9e3429f9c1fc3191216afefc34f8b', '\x3aa03e05d0cc1de9efe4262fc6067d476df37fb0f5cdc4a7141b0fe7a3209553');
\echo @answer log_words_add
execute log_words_add('38', '\x1b5e8a9e11c3a4eb588bdac095a20d872d122877277ce64fb8ff8ce35f85fb50', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('1d3a38ea-36ad-49ba-bed0-6007cba24b6c', 'undo', '489532295', 'd9b8d68d-8c32-4da1-8f8b-98b3d4267925', NULL, 'do=undo on=act=d9b8d68d-8c32-4da1-8f8b-98b3d4267925', '{244,40,0,17}', '{241,40,0,17}', '38', 'd9b8d68d-8c32-4da1-8f8b-98b3d4267925', '2026-11-20 12:00:00+00', '2037756397', NULL);
\echo @answer player_hide
execute player_hide('2037756397');
\echo @answer player_hide
execute player_hide('489532295');
\echo @answer act_funding
execute act_funding('1d3a38ea-36ad-49ba-bed0-6007cba24b6c');
\echo @answer commit
commit;
\echo @answer survivors_find
execute survivors_find('{489532295}');
\echo @answer begin
begin isolation level read committed;
\echo @answer game_add
execute game_add('approving', 'approving', 'off', NULL, '2026-11-20 12:00:00+00', 'open', '{}', '{}', 't');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('39', '2026-11-20 12:00:00+00', NULL, 'cli', 'PUT', 'game=approving', '-', NULL, '\xd3aeb331ae6c851697e7d9e7adb27c478e9e0ae6474bc4cd98cc09a6150dd659');
\echo @answer commit
commit;
\echo @answer classic_caller
execute classic_caller('approving', NULL, NULL, NULL);
\echo @answer begin
begin isolation level read committed;
\echo @answer game_lock
execute game_lock('approving');
\echo @answer game_set
execute game_set('approving', NULL, NULL, NULL, NULL, 'approved', '{damned}', '{darnned}', 'f');
\echo @answer game_list
execute game_list('approving');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('40', '2026-11-20 12:00:00+00', NULL, 'cli', 'PATCH', 'game=approving', '-', NULL, '\x638235e562a3da5ea4be5a0da3f4a85dd18920cf6c41dbf8fae91d48cd3454b2');
\echo @answer commit
commit;
\echo @answer game_list
execute game_list('approving');
\echo @answer addresses_count
execute addresses_count('approving');
\echo @answer begin
begin isolation level read committed;
\echo @answer game_lock
execute game_lock('approving');
\echo @answer game_set
execute game_set('approving', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'f');
\echo @answer game_list
execute game_list('approving');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('41', '2026-11-20 12:00:00+00', NULL, 'cli', 'PATCH', 'game=approving', 'addresses=0;updates=0', NULL, '\xa1580e9fbc31a16f508994a589da5027e14e1be1b3b3284608f3d92ab6fd847c');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer players_await
-- players_await: waits until all who are writing a player have committed, in a transaction of its own. Whoever writes
-- one afterwards has seen what was committed before.
lock table player in share mode;
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer addresses_remove
execute addresses_remove('approving', '0', '1000');
\echo @answer commit
commit;
\echo @answer addresses_count
execute addresses_count('approving');
\echo @answer player_register
execute player_register('\x8d490bede3c48e77e0ca512820ce0832ca98173290e4ea9be8fb35e8fdbeb54b', 'approving', 'Waiting', 'waltlng', NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', NULL, 'token', '\x381794620cbe7596d24d1804311ed798be347cfbac3101113c66d1fe3f945426', 'free', 'f', NULL);
\echo @answer begin
begin isolation level read committed;
\echo @answer device_claim
execute device_claim('\x8d490bede3c48e77e0ca512820ce0832ca98173290e4ea9be8fb35e8fdbeb54b', '{3341937700487123,3632547452703832,3429735796315696,2147076155087097,5471176055742270,4015163022520152,7773830349989744,7847092757875861}', '2026-11-20 12:00:00+00', 't', '\x381794620cbe7596d24d1804311ed798be347cfbac3101113c66d1fe3f945426', NULL);
\echo @answer callers_lock
execute callers_lock('{}', '{"\\x8d490bede3c48e77e0ca512820ce0832ca98173290e4ea9be8fb35e8fdbeb54b"}', '{}');
\echo @answer player_register
execute player_register('\x8d490bede3c48e77e0ca512820ce0832ca98173290e4ea9be8fb35e8fdbeb54b', 'approving', 'Waiting', 'waltlng', NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', NULL, 'token', '\x381794620cbe7596d24d1804311ed798be347cfbac3101113c66d1fe3f945426', 'free', 't', NULL);
\echo @answer device_release
execute device_release('\x8d490bede3c48e77e0ca512820ce0832ca98173290e4ea9be8fb35e8fdbeb54b');
\echo @answer commit
commit;
\echo @answer own_profile
execute own_profile('3341937700487123', '2026-11-20 12:00:00+00');
\echo @answer player_donation_totals
execute player_donation_totals('3341937700487123', 't');
\echo @answer queue_page
execute queue_page('name', '1970-01-01 00:00:00+00', '00000000-0000-0000-0000-000000000000', '9', 't');
\echo @answer begin
begin isolation level read committed;
\echo @answer queue_item_find
execute queue_item_find('1965101e-cc23-a3ef-b6c6-a0215546b720');
\echo @answer act_find
execute act_find('c84abfea-b53e-4ced-8d93-0fc174487f31');
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{3341937700487123}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{3341937700487123}');
\echo @answer survivors_find
execute survivors_find('{3341937700487123}');
\echo @answer act_find
execute act_find('c84abfea-b53e-4ced-8d93-0fc174487f31');
\echo @answer wallet_sums
execute wallet_sums('3341937700487123');
\echo @answer members_find
execute members_find('3341937700487123');
\echo @answer given_by_name
execute given_by_name('{3341937700487123}', NULL, NULL);
\echo @answer queue_item_find
execute queue_item_find('1965101e-cc23-a3ef-b6c6-a0215546b720');
\echo @answer name_approve
execute name_approve('3341937700487123');
\echo @answer wallet_sums
execute wallet_sums('3341937700487123');
\echo @answer members_find
execute members_find('3341937700487123');
\echo @answer given_by_name
execute given_by_name('{3341937700487123}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('42', '2026-11-20 12:00:00+00', 'c84abfea-b53e-4ced-8d93-0fc174487f31', 'cli', 'clear', 'item=1965101e-cc23-a3ef-b6c6-a0215546b720', 'kind=name', '\xc6042de1ea23619d7d23295a2194e1aab4cac43b0452bc59e438dec24e529727', '\x29f90c61857ed0e6e2c460d506d150899acb20ed25bea96a41c1b6919b3cf2cb');
\echo @answer log_words_add
execute log_words_add('42', '\xcfce7b5f4bb1104490c2c97a7145688424b020712ef733b87707466a4231e2a9', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('c84abfea-b53e-4ced-8d93-0fc174487f31', 'clear', '3341937700487123', '1965101e-cc23-a3ef-b6c6-a0215546b720', NULL, 'do=clear on=item=1965101e-cc23-a3ef-b6c6-a0215546b720', '{0,0,0,0}', '{0,0,0,0}', '42', NULL, '2026-11-20 12:00:00+00', NULL, NULL);
\echo @answer act_funding
execute act_funding('c84abfea-b53e-4ced-8d93-0fc174487f31');
\echo @answer commit
commit;
\echo @answer player_profile
execute player_profile('3341937700487123', NULL, 'f');
\echo @answer queue_page
execute queue_page(NULL, '1970-01-01 00:00:00+00', '00000000-0000-0000-0000-000000000000', '9', 't');
\echo @answer queue_page
execute queue_page(NULL, '2026-11-20 12:00:00+00', '092dbc35-43f6-0920-94ae-64858aed41cd', '9', 't');
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{3341937700487123}');
\echo @answer report_add
execute report_add('3341937700487123', '2037756397', 'cheating', 'He flies.', '2026-11-20 12:00:00+00');
\echo @answer commit
commit;
\echo @answer queue_page
execute queue_page(NULL, '1970-01-01 00:00:00+00', '00000000-0000-0000-0000-000000000000', '9', 't');
\echo @answer queue_page
execute queue_page('report', '1970-01-01 00:00:00+00', '00000000-0000-0000-0000-000000000000', '9', 'f');
\echo @answer begin
begin isolation level read committed;
\echo @answer queue_item_find
execute queue_item_find('18472b95-6e95-fba1-e562-20bfae6b0b96');
\echo @answer act_find
execute act_find('360e3860-35c4-4b0d-87ea-777968de49a8');
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{3341937700487123}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{3341937700487123}');
\echo @answer survivors_find
execute survivors_find('{3341937700487123}');
\echo @answer act_find
execute act_find('360e3860-35c4-4b0d-87ea-777968de49a8');
\echo @answer wallet_sums
execute wallet_sums('3341937700487123');
\echo @answer members_find
execute members_find('3341937700487123');
\echo @answer given_by_name
execute given_by_name('{3341937700487123}', NULL, NULL);
\echo @answer queue_item_find
execute queue_item_find('18472b95-6e95-fba1-e562-20bfae6b0b96');
\echo @answer reports_dismiss
execute reports_dismiss('3341937700487123', '360e3860-35c4-4b0d-87ea-777968de49a8');
\echo @answer wallet_sums
execute wallet_sums('3341937700487123');
\echo @answer members_find
execute members_find('3341937700487123');
\echo @answer given_by_name
execute given_by_name('{3341937700487123}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('43', '2026-11-20 12:00:00+00', '360e3860-35c4-4b0d-87ea-777968de49a8', 'cli', 'clear', 'item=18472b95-6e95-fba1-e562-20bfae6b0b96', 'kind=report', '\xc1ccb750064badbf74b3a4b4d7af11b2d4015a4d598d52cbb278f71d6300a9a2', '\x2817a370c77b38d53cc0c73481d783b9824e379283f14221705b6b5b77800a79');
\echo @answer log_words_add
execute log_words_add('43', '\x8fe66e0c2f600b93b348ef42398712be175cdf63836f360069d8bbeed168885f', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('360e3860-35c4-4b0d-87ea-777968de49a8', 'clear', '3341937700487123', '18472b95-6e95-fba1-e562-20bfae6b0b96', NULL, 'do=clear on=item=18472b95-6e95-fba1-e562-20bfae6b0b96', '{0,0,0,0}', '{0,0,0,0}', '43', NULL, '2026-11-20 12:00:00+00', NULL, NULL);
\echo @answer act_funding
execute act_funding('360e3860-35c4-4b0d-87ea-777968de49a8');
\echo @answer commit
commit;
\echo @answer queue_page
execute queue_page(NULL, '1970-01-01 00:00:00+00', '00000000-0000-0000-0000-000000000000', '9', 't');
\echo @answer begin
begin isolation level read committed;
\echo @answer act_undoable
execute act_undoable('360e3860-35c4-4b0d-87ea-777968de49a8');
\echo @answer act_owners
execute act_owners('360e3860-35c4-4b0d-87ea-777968de49a8');
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{3341937700487123}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{3341937700487123}');
\echo @answer survivors_find
execute survivors_find('{3341937700487123}');
\echo @answer act_find
execute act_find('30c146a4-7070-4279-bf75-cf598be1ebcd');
\echo @answer wallet_sums
execute wallet_sums('3341937700487123');
\echo @answer members_find
execute members_find('3341937700487123');
\echo @answer given_by_name
execute given_by_name('{3341937700487123}', NULL, NULL);
\echo @answer act_undoable
execute act_undoable('360e3860-35c4-4b0d-87ea-777968de49a8');
\echo @answer act_movements
execute act_movements('360e3860-35c4-4b0d-87ea-777968de49a8');
\echo @answer reports_restore
execute reports_restore('360e3860-35c4-4b0d-87ea-777968de49a8');
\echo @answer wallet_sums
execute wallet_sums('3341937700487123');
\echo @answer members_find
execute members_find('3341937700487123');
\echo @answer given_by_name
execute given_by_name('{3341937700487123}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('44', '2026-11-20 12:00:00+00', '30c146a4-7070-4279-bf75-cf598be1ebcd', 'cli', 'undo', 'act=360e3860-35c4-4b0d-87ea-777968de49a8;player=3341937700487123', 'reports=1', '\x36bd4eff2b32558c19401b38f6578c7f7dc8949d6d319ec2a83650e67d0e01f7', '\x16d8496e66dff51e8e07838ddc56db95a639a38dbeeee7b2e89f813a9dd56dfc');
\echo @answer log_words_add
execute log_words_add('44', '\xa83e3372fb5b7ec605b6f8fb676f9108704858e43d618729893e6b794e55c62b', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('30c146a4-7070-4279-bf75-cf598be1ebcd', 'undo', '3341937700487123', '360e3860-35c4-4b0d-87ea-777968de49a8', NULL, 'do=undo on=act=360e3860-35c4-4b0d-87ea-777968de49a8', '{0,0,0,0}', '{0,0,0,0}', '44', '360e3860-35c4-4b0d-87ea-777968de49a8', '2026-11-20 12:00:00+00', NULL, NULL);
\echo @answer act_funding
execute act_funding('30c146a4-7070-4279-bf75-cf598be1ebcd');
\echo @answer commit
commit;
\echo @answer queue_page
execute queue_page(NULL, '1970-01-01 00:00:00+00', '00000000-0000-0000-0000-000000000000', '9', 't');
\echo @answer begin
begin isolation level read committed;
\echo @answer board_add
execute board_add('approving', 'seasons', 'seasons', 'best', 'f', '-9007199254740991', '9007199254740991', 'UTC', 'first', 'points', NULL, NULL, NULL, NULL, NULL, 'number', NULL, 'open', NULL, NULL, NULL, NULL, NULL, '2026-11-20 12:00:00+00');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('45', '2026-11-20 12:00:00+00', NULL, 'cli', 'PUT', 'board=seasons;game=approving', 'points_max=9007199254740991;points_min=-9007199254740991', NULL, '\xf07395d07083c6d9fa4d1d9df506f6cbdf11f63d96b53aa3b864df7fa85aea0e');
\echo @answer commit
commit;
\echo @answer board_find
execute board_find('approving', 'seasons', NULL, '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_lock
-- tallies_lock: waits for posts that are under way and lets none begin until the transaction ends.
-- So "no post yet" is still true when it has been judged.
lock table tally in share row exclusive mode;
\echo @answer act_find
execute act_find('0daad27e-5d17-4dcf-99d0-1e225190587d');
\echo @answer board_reset
execute board_reset('approving', 'seasons', '2026-11-20 12:00:00+00');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('46', '2026-11-20 12:00:00+00', '0daad27e-5d17-4dcf-99d0-1e225190587d', 'cli', 'reset', 'board=seasons;game=approving', 'season=2', '\xd57cebf8ae40f0b3c7db66a9c373c7f14a161dd071472da94dd7228e93f467e3', '\x21ceebee80e206cb60667238e979b19d0cf20a7e628055c5026a2a353eefcf8c');
\echo @answer log_words_add
execute log_words_add('46', '\x1da5d82177f9f5a18687c9dc7eace11410a48d2545972f5381b31bd57f454f46', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('0daad27e-5d17-4dcf-99d0-1e225190587d', 'reset', NULL, NULL, NULL, 'do=reset on=board=seasons;game=approving', '{0,0,0,0}', '{0,0,0,0}', '46', NULL, '2026-11-20 12:00:00+00', NULL, NULL);
\echo @answer commit
commit;
\echo @answer act_read
execute act_read('0daad27e-5d17-4dcf-99d0-1e225190587d');
\echo @answer act_funding
execute act_funding('0daad27e-5d17-4dcf-99d0-1e225190587d');
\echo @answer players_idle
execute players_idle('3341937700487122', '2026-11-22 12:00:00+00', '1');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{3341937700487123}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{3341937700487123}');
\echo @answer survivors_find
execute survivors_find('{3341937700487123}');
\echo @answer act_find
execute act_find('92f79091-d02c-43e1-b3d1-5efe95c75062');
\echo @answer wallet_sums
execute wallet_sums('3341937700487123');
\echo @answer members_find
execute members_find('3341937700487123');
\echo @answer given_by_name
execute given_by_name('{3341937700487123}', NULL, NULL);
\echo @answer player_found
execute player_found('3341937700487123');
\echo @answer rollback
rollback;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{3341937700487123}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{3341937700487123}');
\echo @answer survivors_find
execute survivors_find('{3341937700487123}');
\echo @answer act_find
execute act_find('cfb368c4-e2c7-4180-b595-4475b361bb28');
\echo @answer wallet_sums
execute wallet_sums('3341937700487123');
\echo @answer members_find
execute members_find('3341937700487123');
\echo @answer given_by_name
execute given_by_name('{3341937700487123}', NULL, NULL);
\echo @answer player_found
execute player_found('3341937700487123');
\echo @answer members_find
execute members_find('3341937700487123');
\echo @answer scores_restate
execute scores_restate('3341937700487123', '{}', NULL, 'held', 'voided', 'cfb368c4-e2c7-4180-b595-4475b361bb28', '2026-11-20 12:00:00+00');
\echo @answer player_erase
execute player_erase('{3341937700487123}', 'cfb368c4-e2c7-4180-b595-4475b361bb28', '2026-11-20 12:00:00+00', '2026-12-20 12:00:00+00');
\echo @answer wallet_sums
execute wallet_sums('3341937700487123');
\echo @answer members_find
execute members_find('3341937700487123');
\echo @answer given_by_name
execute given_by_name('{3341937700487123}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('47', '2026-11-20 12:00:00+00', 'cfb368c4-e2c7-4180-b595-4475b361bb28', 'cli', 'erase', 'player=3341937700487123', 'players=1;voided=0', '\xc0bf2839c61c75120a1a4e34a7b619e89525106005f4fcbdfd8bff9cc40d9cba', '\x8329dd0c5b79470c43418bac28e738964272392c890d23dd039afaadc41a6a23');
\echo @answer log_words_add
execute log_words_add('47', '\xc8143deea0acf6b85bf65b3101d6b789efb36f6fc15d7874eb326a39cea7a1ac', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('cfb368c4-e2c7-4180-b595-4475b361bb28', 'erase', '3341937700487123', NULL, NULL, 'do=erase on=player=3341937700487123', '{0,0,0,0}', '{0,0,0,0}', '47', NULL, '2026-11-20 12:00:00+00', NULL, NULL);
\echo @answer log_words_erase
execute log_words_erase('{3341937700487123}');
\echo @answer act_funding
execute act_funding('cfb368c4-e2c7-4180-b595-4475b361bb28');
\echo @answer commit
commit;
\echo @answer erasure_find
execute erasure_find('3341937700487123');
\echo @answer erasures_page
execute erasures_page('1970-01-01 00:00:00+00', '0', '9');
\echo @answer erasure_of_token
execute erasure_of_token('\x381794620cbe7596d24d1804311ed798be347cfbac3101113c66d1fe3f945426', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{3341937700487123}');
\echo @answer report_add
execute report_add('3341937700487123', '2037756397', 'cheating', 'He flies.', '2026-11-20 12:00:00+00');
\echo @answer commit
commit;
\echo @answer erasure_of_token
execute erasure_of_token('\x381794620cbe7596d24d1804311ed798be347cfbac3101113c66d1fe3f945426', '2026-12-21 12:00:00+00');
\echo @answer player_profile
execute player_profile('3341937700487123', NULL, 't');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{3341937700487123}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{3341937700487123}');
\echo @answer survivors_find
execute survivors_find('{3341937700487123}');
\echo @answer act_find
execute act_find('80e6fc8e-c937-4cc9-9bf8-05925f68fa27');
\echo @answer wallet_sums
execute wallet_sums('3341937700487123');
\echo @answer members_find
execute members_find('3341937700487123');
\echo @answer given_by_name
execute given_by_name('{3341937700487123}', NULL, NULL);
\echo @answer player_found
execute player_found('3341937700487123');
\echo @answer rollback
rollback;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('f8289044-aa7d-4841-a9bf-d6b07ae2e910');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer donation_found
execute donation_found('2037756397', '5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b');
\echo @answer donation_reverse
execute donation_reverse('2037756397', '2037756397', '5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b', 't', '0', '0', 'f8289044-aa7d-4841-a9bf-d6b07ae2e910', '2026-11-20 12:00:00+00');
\echo @answer donations_fund
execute donations_fund('2037756397', 'f8289044-aa7d-4841-a9bf-d6b07ae2e910', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{}');
\echo @answer caps_reversed_lock
execute caps_reversed_lock('{2037756397}', '{5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b}');
\echo @answer charity_totals_lock
execute charity_totals_lock('{1}');
\echo @answer charity_totals_add
execute charity_totals_add('{1}', '{-5}', '{0}', '{"2026-11-20 12:00:00+00"}');
\echo @answer charity_totals_date
execute charity_totals_date('{1}');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('48', '2026-11-20 12:00:00+00', 'f8289044-aa7d-4841-a9bf-d6b07ae2e910', 'cli', 'reverse', 'donation=5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b;player=2037756397', 'forfeited=0;points=5', '\xe4bcfe11d1ab13e6480b48746596aba6d44b9a7c901cf8426398421026e917be', '\x4c38f0c5c6b876411ec75b12a9139a2585b23f0f129d354f5a607dfc159b8d2d');
\echo @answer log_words_add
execute log_words_add('48', '\x7e437e4b6ca0dcf7468ee816d57bf41a2d96e09fca99cc3597e15f6ec212da17', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('f8289044-aa7d-4841-a9bf-d6b07ae2e910', 'reverse', '2037756397', '5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b', NULL, 'do=reverse on=donation=5cb07af2-32b6-4fdf-bf15-2ffea60d8a7b;player=2037756397 void=false', '{241,40,0,17}', '{241,40,0,12}', '48', NULL, '2026-11-20 12:00:00+00', NULL, '2037756397');
\echo @answer act_funding
execute act_funding('f8289044-aa7d-4841-a9bf-d6b07ae2e910');
\echo @answer commit
commit;
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{2037756397}', '{NULL}', '{f}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer donations_before
execute donations_before('{2037756397}', '{trees}', '{trees}', '{0a212b48-7524-4d82-b23c-67f87f502dba}', '{"2026-11-20 12:00:00+00"}');
\echo @answer donations_add
execute donations_add('{2037756397}', '{0a212b48-7524-4d82-b23c-67f87f502dba}', '{1}', '{1}', '{f}', '{"2026-11-20 12:00:00+00"}', '{2026-11-20}', '{NULL}', '{NULL}', '2026-11-20 12:00:00+00');
\echo @answer wallets_give
execute wallets_give('{2037756397}', '{1}');
\echo @answer tallies_give
execute tallies_give('{5,2}', '{2026-11-20,2026-11-20}', '{2037756397,2037756397}', '{1,1}', '{"2026-11-20 12:00:00+00","2026-11-20 12:00:00+00"}');
\echo @answer standings_give
execute standings_give('{5,2}', '{2037756397,2037756397}', '{1,1}', '{"2026-11-20 12:00:00+00","2026-11-20 12:00:00+00"}');
\echo @answer charity_totals_add
execute charity_totals_add('{1}', '{1}', '{0}', '{"2026-11-20 12:00:00+00"}');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('fc51885e-06cf-440b-9469-f7ba307c0f36');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer donation_found
execute donation_found('2037756397', '0a212b48-7524-4d82-b23c-67f87f502dba');
\echo @answer donation_reverse
execute donation_reverse('2037756397', '2037756397', '0a212b48-7524-4d82-b23c-67f87f502dba', 't', '1', '0', 'fc51885e-06cf-440b-9469-f7ba307c0f36', '2026-11-20 12:00:00+00');
\echo @answer donations_fund
execute donations_fund('2037756397', 'fc51885e-06cf-440b-9469-f7ba307c0f36', '2026-11-20 12:00:00+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:00:00+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{}');
\echo @answer caps_reversed_lock
execute caps_reversed_lock('{2037756397}', '{0a212b48-7524-4d82-b23c-67f87f502dba}');
\echo @answer charity_totals_lock
execute charity_totals_lock('{1}');
\echo @answer charity_totals_add
execute charity_totals_add('{1}', '{-1}', '{0}', '{"2026-11-20 12:00:00+00"}');
\echo @answer charity_totals_date
execute charity_totals_date('{1}');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('49', '2026-11-20 12:00:00+00', 'fc51885e-06cf-440b-9469-f7ba307c0f36', 'cli', 'reverse', 'donation=0a212b48-7524-4d82-b23c-67f87f502dba;player=2037756397', 'forfeited=1;points=1', '\xfc49521901f270b10a4e99a68fd0305a8c9fe2830ca30ba7c6d941764ccbba15', '\xa366710cb526deb8c6e1a418168a5a892ba70090f4221d3848cd7baf3518ba31');
\echo @answer log_words_add
execute log_words_add('49', '\x3eb730c80bf5127113377be6c666fd2be66cb6fa7bc82ec9942c14af45ec0558', 'the tour', NULL, NULL);
\echo @answer act_add
execute act_add('fc51885e-06cf-440b-9469-f7ba307c0f36', 'reverse', '2037756397', '0a212b48-7524-4d82-b23c-67f87f502dba', NULL, 'do=reverse on=donation=0a212b48-7524-4d82-b23c-67f87f502dba;player=2037756397 void=true', '{241,40,0,13}', '{241,41,0,12}', '49', NULL, '2026-11-20 12:00:00+00', NULL, '2037756397');
\echo @answer act_funding
execute act_funding('fc51885e-06cf-440b-9469-f7ba307c0f36');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer act_find
execute act_find('db93ca05-97f0-450f-a87d-df453bf9192d');
\echo @answer wallet_sums
execute wallet_sums('2037756397');
\echo @answer members_find
execute members_find('2037756397');
\echo @answer given_by_name
execute given_by_name('{2037756397}', NULL, NULL);
\echo @answer scores_restate
execute scores_restate('2037756397', '{}', NULL, NULL, 'voided', 'db93ca05-97f0-450f-a87d-df453bf9192d', '2026-11-20 12:00:00+00');
\echo @answer rollback
rollback;
\echo @answer forfeit_newest
execute forfeit_newest('2037756397');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_lock
-- tallies_lock: waits for posts that are under way and lets none begin until the transaction ends.
-- So "no post yet" is still true when it has been judged.
lock table tally in share row exclusive mode;
\echo @answer repair_wallets
execute repair_wallets;
\echo @answer repair_score_states
execute repair_score_states;
\echo @answer repair_donation_states
execute repair_donation_states;
\echo @answer repair_standings
execute repair_standings;
\echo @answer repair_tallies
execute repair_tallies;
\echo @answer repair_charity_totals
execute repair_charity_totals;
\echo @answer repair_caps
execute repair_caps(NULL);
\echo @answer commit
commit;
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{2037756397}', '{default}', '{t}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer boards_rules
execute boards_rules('{default}', '{high-scores}');
\echo @answer scores_before
execute scores_before('{default}', '{high-scores}', '{2037756397}', '{1}', '{698c8799-4876-493e-89cd-6ed3780dbfe2}', '{"2026-11-20 12:00:00+00"}');
\echo @answer scores_add
execute scores_add('{2037756397}', '{698c8799-4876-493e-89cd-6ed3780dbfe2}', '{1}', '{60}', '{60}', '{t}', '{f}', '{NULL}', '{"2026-11-20 12:00:00+00"}', '{2026-11-20}', '2026-11-20 12:00:00+00');
\echo @answer wallets_earn
execute wallets_earn('{2037756397}', '{60}', '{NULL}');
\echo @answer standings_move
execute standings_move('{1}', '{2037756397}', '{60}', '{"2026-11-20 12:00:00+00"}');
\echo @answer tallies_move
execute tallies_move('{1}', '{2026-11-20}', '{2037756397}', '{60}', '{"2026-11-20 12:00:00+00"}');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_lock
-- tallies_lock: waits for posts that are under way and lets none begin until the transaction ends.
-- So "no post yet" is still true when it has been judged.
lock table tally in share row exclusive mode;
\echo @answer charity_lock
execute charity_lock('trees');
\echo @answer charity_set
execute charity_set('trees', NULL, NULL, NULL, NULL, NULL, 'f', NULL, 'f', NULL, 'f', NULL, NULL, '10', 't', '1000', 't', '2000');
\echo @answer repair_caps
execute repair_caps('trees');
\echo @answer charity_list
execute charity_list('trees');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('50', '2026-11-20 12:00:00+00', NULL, 'cli', 'PATCH', 'charity=trees', 'cap_all=2000;cap_day=1000;cooling_off=10', NULL, '\x162bf61665d57519ec4e71cadf69405066c79ff0fc513aad475226d4616897ca');
\echo @answer commit
commit;
\echo @answer charity_list
execute charity_list('trees');
\echo @answer charities_top
execute charities_top('2026-11-20 12:00:00+00');
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{2037756397}', '{NULL}', '{f}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer donations_before
execute donations_before('{2037756397}', '{trees}', '{trees}', '{ba8e6245-59f8-4ecd-a202-02df07abb8f2}', '{"2026-11-20 12:00:00+00"}');
\echo @answer caps_lock
execute caps_lock('{1}');
\echo @answer caps_given
execute caps_given('{1}', '{2026-11-20}');
\echo @answer donations_add
execute donations_add('{2037756397}', '{ba8e6245-59f8-4ecd-a202-02df07abb8f2}', '{1}', '{3}', '{f}', '{"2026-11-20 12:00:00+00"}', '{2026-11-20}', '{NULL}', '{NULL}', '2026-11-20 12:00:00+00');
\echo @answer wallets_give
execute wallets_give('{2037756397}', '{3}');
\echo @answer tallies_give
execute tallies_give('{5,2}', '{2026-11-20,2026-11-20}', '{2037756397,2037756397}', '{3,3}', '{"2026-11-20 12:00:00+00","2026-11-20 12:00:00+00"}');
\echo @answer standings_give
execute standings_give('{5,2}', '{2037756397,2037756397}', '{3,3}', '{"2026-11-20 12:00:00+00","2026-11-20 12:00:00+00"}');
\echo @answer caps_add
execute caps_add('{1}', '{2026-11-20}', '{3}');
\echo @answer charity_totals_add
execute charity_totals_add('{1}', '{3}', '{0}', '{"2026-11-20 12:00:00+00"}');
\echo @answer commit
commit;
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{2037756397}', '{NULL}', '{f}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer donations_before
execute donations_before('{2037756397}', '{trees}', '{trees}', '{c981d281-d123-471e-9011-2ffcccd57bde}', '{"2026-11-20 12:00:00+00"}');
\echo @answer caps_lock
execute caps_lock('{1}');
\echo @answer caps_given
execute caps_given('{1}', '{2026-11-20}');
\echo @answer donations_add
execute donations_add('{2037756397}', '{c981d281-d123-471e-9011-2ffcccd57bde}', '{1}', '{4}', '{f}', '{"2026-11-20 12:00:00+00"}', '{2026-11-20}', '{NULL}', '{NULL}', '2026-11-20 12:00:00+00');
\echo @answer wallets_give
execute wallets_give('{2037756397}', '{4}');
\echo @answer tallies_give
execute tallies_give('{5,2}', '{2026-11-20,2026-11-20}', '{2037756397,2037756397}', '{4,4}', '{"2026-11-20 12:00:00+00","2026-11-20 12:00:00+00"}');
\echo @answer standings_give
execute standings_give('{5,2}', '{2037756397,2037756397}', '{4,4}', '{"2026-11-20 12:00:00+00","2026-11-20 12:00:00+00"}');
\echo @answer caps_add
execute caps_add('{1}', '{2026-11-20}', '{4}');
\echo @answer charity_totals_add
execute charity_totals_add('{1}', '{4}', '{0}', '{"2026-11-20 12:00:00+00"}');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer donation_changeable
execute donation_changeable('2037756397', 'ba8e6245-59f8-4ecd-a202-02df07abb8f2', 'trees');
\echo @answer donation_anonymise
execute donation_anonymise('2037756397', 'ba8e6245-59f8-4ecd-a202-02df07abb8f2');
\echo @answer donations_fund
execute donations_fund('2037756397', NULL, '2026-11-20 12:09:59+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:09:59+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{}');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer donation_changeable
execute donation_changeable('2037756397', 'ba8e6245-59f8-4ecd-a202-02df07abb8f2', 'trees');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer donation_changeable
execute donation_changeable('2037756397', 'c981d281-d123-471e-9011-2ffcccd57bde', 'trees');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer donation_changeable
execute donation_changeable('2037756397', 'c981d281-d123-471e-9011-2ffcccd57bde', 'shut');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer donation_changeable
execute donation_changeable('2037756397', 'c981d281-d123-471e-9011-2ffcccd57bde', 'trees');
\echo @answer donation_reverse
execute donation_reverse('2037756397', '2037756397', 'c981d281-d123-471e-9011-2ffcccd57bde', 't', '0', '0', NULL, '2026-11-20 12:09:59+00');
\echo @answer donations_fund
execute donations_fund('2037756397', NULL, '2026-11-20 12:09:59+00');
\echo @answer giving_standings_prove
execute giving_standings_prove('2037756397', '2026-11-20 12:09:59+00');
\echo @answer giving_tallies_prove
execute giving_tallies_prove('2037756397', '{}');
\echo @answer caps_reversed_lock
execute caps_reversed_lock('{2037756397}', '{c981d281-d123-471e-9011-2ffcccd57bde}');
\echo @answer caps_reverse
execute caps_reverse('{2037756397}', '{c981d281-d123-471e-9011-2ffcccd57bde}', '{t}');
\echo @answer charity_totals_lock
execute charity_totals_lock('{1}');
\echo @answer charity_totals_add
execute charity_totals_add('{1}', '{-4}', '{0}', '{"2026-11-20 12:09:59+00"}');
\echo @answer charity_totals_date
execute charity_totals_date('{1}');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer donation_changeable
execute donation_changeable('2037756397', 'c981d281-d123-471e-9011-2ffcccd57bde', 'trees');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{2037756397}');
\echo @answer survivors_find
execute survivors_find('{2037756397}');
\echo @answer wallets_lock
execute wallets_lock('{2037756397}');
\echo @answer callers_outdated
execute callers_outdated('{2037756397}', '{2037756397}');
\echo @answer donation_changeable
execute donation_changeable('2037756397', '95a6fe1c-e041-4f71-948a-178b4e717621', 'trees');
\echo @answer commit
commit;
\echo @answer donation_receipt
execute donation_receipt('2037756397', 'ba8e6245-59f8-4ecd-a202-02df07abb8f2', 'trees', '2026-11-20 12:00:00+00');
\echo @answer donation_receipt
execute donation_receipt('2037756397', 'c981d281-d123-471e-9011-2ffcccd57bde', 'trees', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer board_add
execute board_add('default', 'trials', 'trials', 'best', 'f', '-9007199254740991', '9007199254740991', 'UTC', 'first', 'points', NULL, NULL, NULL, NULL, NULL, 'number', NULL, 'open', NULL, '2', '1000000', '5', NULL, '2026-11-20 12:00:00+00');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('51', '2026-11-20 12:00:00+00', NULL, 'cli', 'PUT', 'board=trials;game=default', 'hold_pace=1000000;hold_rate=2;judge=5;points_max=9007199254740991;points_min=-9007199254740991', NULL, '\x004ba422cd10a378e806a3d21805cb79789f72cd1459c5259e49dea1925b4c73');
\echo @answer commit
commit;
\echo @answer board_find
execute board_find('default', 'trials', NULL, '2026-11-20 12:00:00+00');
\echo @answer player_register
execute player_register('\x2f915c9504893beec8b54a6bbc92e72b2bc2b7d2fcb3119023484e10a8f5137c', 'default', 'Held', 'held', NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', NULL, 'classic', NULL, 'free', 'f', NULL);
\echo @answer begin
begin isolation level read committed;
\echo @answer device_claim
execute device_claim('\x2f915c9504893beec8b54a6bbc92e72b2bc2b7d2fcb3119023484e10a8f5137c', '{444893828,875968099,1832615186,481024279,1120645545,112277767,1158405213,303325340}', '2026-11-20 12:00:00+00', 't', NULL, NULL);
\echo @answer callers_lock
execute callers_lock('{}', '{"\\x2f915c9504893beec8b54a6bbc92e72b2bc2b7d2fcb3119023484e10a8f5137c"}', '{}');
\echo @answer player_register
execute player_register('\x2f915c9504893beec8b54a6bbc92e72b2bc2b7d2fcb3119023484e10a8f5137c', 'default', 'Held', 'held', NULL, NULL, NULL, 'test', NULL, NULL, NULL, '2026-11-20 12:00:00+00', 't', NULL, 'classic', NULL, 'free', 't', NULL);
\echo @answer device_release
execute device_release('\x2f915c9504893beec8b54a6bbc92e72b2bc2b7d2fcb3119023484e10a8f5137c');
\echo @answer commit
commit;
\echo @answer begin
begin isolation level read committed;
\echo @answer key_add
execute key_add('c07e1163-78d5-43c8-a281-32239dfd0373', 'game', 'default', '\x0909090909090909090909090909090909090909090909090909090909090909', 'judge', '{donate,post,register}', NULL, '2026-11-20 12:00:00+00');
\echo @answer key_same
execute key_same('c07e1163-78d5-43c8-a281-32239dfd0373', 'game', 'default', '\x0909090909090909090909090909090909090909090909090909090909090909', 'judge', '{donate,post,register}', NULL);
\echo @answer key_list
execute key_list(NULL, NULL, 'c07e1163-78d5-43c8-a281-32239dfd0373', '0', '2147483647');
\echo @answer log_lock
execute log_lock;
\echo @answer log_last
execute log_last;
\echo @answer log_add
execute log_add('52', '2026-11-20 12:00:00+00', NULL, 'cli', 'PUT', 'key=c07e1163-78d5-43c8-a281-32239dfd0373', '-', NULL, '\x1cd19884dbb0d22eac96843653f95dd48de6fca099d261054b559f6971b357f6');
\echo @answer commit
commit;
\echo @answer key_game
execute key_game('\x0909090909090909090909090909090909090909090909090909090909090909', '2026-11-20 12:00:00+00');
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{444893828}', '{default}', '{t}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{444893828}');
\echo @answer callers_outdated
execute callers_outdated('{444893828}', '{444893828}');
\echo @answer boards_rules
execute boards_rules('{default}', '{trials}');
\echo @answer scores_before
execute scores_before('{default}', '{trials}', '{444893828}', '{1}', '{b2507d52-cf4a-4ed6-9ff9-32501365c304}', '{"2026-11-20 12:00:00+00"}');
\echo @answer posts_before
execute posts_before('{444893828}', '{14}', '{2}');
\echo @answer scores_add
execute scores_add('{444893828}', '{b2507d52-cf4a-4ed6-9ff9-32501365c304}', '{14}', '{70}', '{70}', '{t}', '{f}', '{NULL}', '{"2026-11-20 12:00:00+00"}', '{2026-11-20}', '2026-11-20 12:00:00+00');
\echo @answer wallets_earn
execute wallets_earn('{444893828}', '{70}', '{"2026-11-20 12:10:00+00"}');
\echo @answer posts_time
execute posts_time('{444893828}', '{14}', '{2}', '{"2026-11-20 12:00:00+00"}');
\echo @answer scores_hold
execute scores_hold('{444893828}', '{b2507d52-cf4a-4ed6-9ff9-32501365c304}', '{judge}', '{70}', '{"2026-11-20 12:05:00+00"}', '{"2026-11-20 12:10:00+00"}', '2026-11-20 12:00:00+00');
\echo @answer commit
commit;
\echo @answer board_find
execute board_find('default', 'trials', NULL, '2026-11-20 12:00:00+00');
\echo @answer own_standing
execute own_standing('444893828', '14', NULL, NULL, '2026-11-20 12:00:00+00');
\echo @answer own_standing
execute own_standing('444893828', '14', '2026-11-20', '2026-11-20', '2026-11-20 12:00:00+00');
\echo @answer board_own_position
execute board_own_position('14', '-70', '2026-11-20 12:00:00+00', '444893828');
\echo @answer window_own_position
execute window_own_position('14', '2026-11-20', '2026-11-20', '-70', '2026-11-20 12:00:00+00', '444893828');
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{444893828}', '{NULL}', '{f}', '2026-11-20 12:00:00+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{444893828}');
\echo @answer callers_outdated
execute callers_outdated('{444893828}', '{444893828}');
\echo @answer donations_before
execute donations_before('{444893828}', '{trees}', '{trees}', '{3530c5ee-af28-426e-86a3-8912af2d1d2e}', '{"2026-11-20 12:00:00+00"}');
\echo @answer settling_before
execute settling_before('{444893828}', '{1}', '2026-11-20 12:00:00+00');
\echo @answer commit
commit;
\echo @answer held_page
execute held_page('default', '2026-11-20 12:00:00+00', '1970-01-01 00:00:00+00', '00000000-0000-0000-0000-000000000000', '5');
\echo @answer queue_page
execute queue_page('held', '1970-01-01 00:00:00+00', '00000000-0000-0000-0000-000000000000', '5', 'f');
\echo @answer begin
begin isolation level read committed;
\echo @answer held_find
execute held_find('default', 'd616f80a-0482-4193-805c-da787ee751e8');
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{444893828}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{444893828}');
\echo @answer survivors_find
execute survivors_find('{444893828}');
\echo @answer held_find
execute held_find('default', 'd616f80a-0482-4193-805c-da787ee751e8');
\echo @answer held_judge
execute held_judge('444893828', 'b2507d52-cf4a-4ed6-9ff9-32501365c304', 'clear', '\x0909090909090909090909090909090909090909090909090909090909090909', '2026-11-20 12:00:00+00');
\echo @answer wallet_sums
execute wallet_sums('444893828');
\echo @answer scores_restate
execute scores_restate('444893828', '{444893828}', '{b2507d52-cf4a-4ed6-9ff9-32501365c304}', 'held', 'counted', NULL, '2026-11-20 12:00:00+00');
\echo @answer commit
commit;
\echo @answer own_standing
execute own_standing('444893828', '14', NULL, NULL, '2026-11-20 12:00:00+00');
\echo @answer board_page
execute board_page('14', NULL, '-9223372036854775808', '1970-01-01 00:00:00+00', '0', '0', '0', '5');
\echo @answer callers_identify
execute callers_identify('{NULL}', '{NULL}', '{NULL}', '{444893828}', '{default}', '{t}', '2026-11-20 12:00:01+00');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer wallets_lock
execute wallets_lock('{444893828}');
\echo @answer callers_outdated
execute callers_outdated('{444893828}', '{444893828}');
\echo @answer boards_rules
execute boards_rules('{default}', '{trials}');
\echo @answer scores_before
execute scores_before('{default}', '{trials}', '{444893828}', '{1}', '{a25376ff-e383-48f0-9da9-6bca3ffcf00f}', '{"2026-11-20 12:00:01+00"}');
\echo @answer own_before
execute own_before('{444893828}', '{14}', '2026-11-20 12:00:01+00');
\echo @answer posts_before
execute posts_before('{444893828}', '{14}', '{2}');
\echo @answer scores_add
execute scores_add('{444893828}', '{a25376ff-e383-48f0-9da9-6bca3ffcf00f}', '{14}', '{80}', '{80}', '{t}', '{f}', '{NULL}', '{"2026-11-20 12:00:01+00"}', '{2026-11-20}', '2026-11-20 12:00:01+00');
\echo @answer wallets_earn
execute wallets_earn('{444893828}', '{80}', '{"2026-11-20 12:10:01+00"}');
\echo @answer posts_time
execute posts_time('{444893828}', '{14}', '{2}', '{"2026-11-20 12:00:01+00"}');
\echo @answer scores_hold
execute scores_hold('{444893828}', '{a25376ff-e383-48f0-9da9-6bca3ffcf00f}', '{judge}', '{80}', '{"2026-11-20 12:05:01+00"}', '{"2026-11-20 12:10:01+00"}', '2026-11-20 12:00:01+00');
\echo @answer commit
commit;
\echo @answer held_overdue
execute held_overdue('2026-11-20 12:00:00+00', '5');
\echo @answer held_overdue
execute held_overdue('2026-11-20 12:05:01+00', '5');
\echo @answer begin
begin isolation level read committed;
\echo @answer tallies_share
-- tallies_share: says that this transaction writes scores and donations, so that whoever ends a season or changes the
-- rule of a board waits for it (tallies_lock), and it for them. It runs before anything is read.
lock table tally in row exclusive mode;
\echo @answer survivors_find
execute survivors_find('{444893828}');
\echo @answer callers_lock
execute callers_lock('{}', '{}', '{444893828}');
\echo @answer survivors_find
execute survivors_find('{444893828}');
\echo @answer held_let
execute held_let('{444893828}', '{a25376ff-e383-48f0-9da9-6bca3ffcf00f}', '2026-11-20 12:05:01+00');
\echo @answer wallet_sums
execute wallet_sums('444893828');
\echo @answer scores_restate
execute scores_restate('444893828', '{444893828}', '{a25376ff-e383-48f0-9da9-6bca3ffcf00f}', 'held', 'counted', NULL, '2026-11-20 12:05:01+00');
\echo @answer commit
commit;
\echo @answer board_page
execute board_page('14', NULL, '-9223372036854775808', '1970-01-01 00:00:00+00', '0', '0', '0', '5');
\echo @answer boards_measure
execute boards_measure(NULL, NULL, '2026-11-20 12:00:00+00', '2026-11-20 12:00:00+00');
\echo @answer admin_player
execute admin_player('2037756397', 't');
\echo @answer begin
begin isolation level read committed;
\echo @answer book_lock
execute book_lock;
\echo @answer book_span
execute book_span;
\echo @answer book_patience
execute book_patience('3600000');
\echo @answer book_close
execute book_close(NULL, '2026-11-20', NULL, '2026-11-21 00:00:00+00', '2026-11-21 12:00:00+00');
\echo @answer commit
commit;
\echo @answer book_span
execute book_span;
\echo @answer book_find
execute book_find('2026-11-20');
\echo @answer book_charities
execute book_charities('2026-11-20');
\echo @answer book_games
execute book_games('2026-11-20');
\echo @answer begin
begin isolation level repeatable read, read only;
\echo @answer audit_ledgers
execute audit_ledgers;
\echo @answer audit_wallets
execute audit_wallets;
\echo @answer audit_states
execute audit_states;
\echo @answer audit_funding
execute audit_funding;
\echo @answer audit_standings
execute audit_standings;
\echo @answer audit_tallies
execute audit_tallies;
\echo @answer audit_giving_standings
execute audit_giving_standings;
\echo @answer audit_giving_tallies
execute audit_giving_tallies;
\echo @answer audit_charity_totals
execute audit_charity_totals;
\echo @answer audit_caps
execute audit_caps;
\echo @answer audit_books
execute audit_books;
\echo @answer log_chain
execute log_chain;
\echo @answer commit
commit;
\echo @answer database_state
execute database_state;
\echo @answer database_settings
execute database_settings;
