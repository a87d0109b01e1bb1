-- grants_make: gives the server's role what it lacks of its rights. Nobody but the owner changes or deletes a row of a
-- ledger, unless it turns a donation anonymous. It runs at every `migrate`, and is the one list of these rights: schema
-- and migrations grant nothing.
-- returns nothing
do $$
declare
  wanted record;
begin
  for wanted in
    select r.relation, p.privilege
      from (values
             ('select', array['migration', 'hidden_standing', 'ledger_standing', 'ledger_tally', 'donation_board_row',
                              'ledger_owner', 'counted_score', 'funded_donation', 'correction_recomputed',
                              'past_score', 'past_donation',
                              'wallet_recomputed', 'logged_entry', 'queue_item', 'charity_donated_recomputed',
                              'charity_total_recomputed', 'log_key', 'report_place', 'effective_game',
                              'shown_player']),
             ('select insert', array['installation', 'score', 'donation', 'correction', 'log_entry',
                                     'refused_avatar', 'erasure', 'book_day', 'book_charity', 'book_game']),
             ('select insert update', array['game', 'game_key', 'key_use', 'board', 'charity', 'moderation_action',
                                            'team', 'award', 'award_total']),
             ('select insert update delete', array['player', 'device', 'avatar', 'score_note', 'wallet', 'tally',
                                                   'standing', 'charity_total', 'score_state', 'donation_state',
                                                   'log_words', 'code', 'report', 'merge', 'erased_token',
                                                   'charity_donated', 'board_measure', 'held_score',
                                                   'save', 'former_avatar', 'best_posts', 'identity',
                                                   'provider', 'tie', 'member', 'team_report', 'plan', 'plan_run',
                                                   'challenge', 'entry', 'stake_share', 'award_given', 'campaign',
                                                   'milestone', 'cohort_member'])
           ) v(privileges, relations)
     cross join unnest(v.relations) r(relation)
     cross join string_to_table(v.privileges, ' ') p(privilege)
     where not has_table_privilege('causeboard_server', r.relation, p.privilege)
  loop
    execute format('grant %s on %I to causeboard_server', wanted.privilege, wanted.relation);
  end loop;

  -- A restored or copied database has no earlier privileges, and then everybody may run a function. That goes first,
  -- since what everybody may do nobody seems to lack.
  if has_function_privilege('public', 'past_scores_move(bigint[], timestamptz, integer)', 'execute')
  or has_function_privilege('public', 'past_donations_move(bigint[], timestamptz, integer)', 'execute')
  then
    revoke execute on function past_scores_move, past_donations_move from public;
  end if;

  -- Past rows of the ledgers are moved by functions of the owner's, which lose and change none.
  if not has_function_privilege('causeboard_server', 'past_scores_move(bigint[], timestamptz, integer)', 'execute')
  or not has_function_privilege('causeboard_server', 'past_donations_move(bigint[], timestamptz, integer)', 'execute')
  then
    grant execute on function past_scores_move, past_donations_move to causeboard_server;
  end if;

  -- Whoever donated by name may turn that anonymous, which is all that ever changes in a row of a ledger.
  if not has_column_privilege('causeboard_server', 'donation', 'anonymised', 'update') then
    grant update (anonymous, anonymised, row_id, day_began_at) on donation to causeboard_server;
  end if;
end $$
