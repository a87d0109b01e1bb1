-- statistics_refresh: analyzes every table, because plans made on empty, never analyzed tables are several times slower
-- until autovacuum comes by.
-- returns nothing
analyze installation, game, game_key, key_use, provider, board, board_measure, charity, charity_donated, charity_total,
  player, device, code, identity, tie, team, member, team_report, plan, plan_run, challenge, entry, stake_share, award,
  award_given, award_total, campaign, milestone, cohort_member, avatar, former_avatar, refused_avatar, report, save,
  merge, erasure, erased_token, wallet, score, past_score, score_note, score_state, held_score, donation, past_donation,
  donation_state, correction, moderation_action, log_entry, log_key, log_words, tally, standing, best_posts, book_day,
  book_charity, book_game
