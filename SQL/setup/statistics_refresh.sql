-- statistics_refresh: analyzes every table, because plans made on empty, never analyzed tables are several times slower
-- until autovacuum comes by.
analyze installation, game, game_key, board, charity, player, device, avatar, score, score_note, donation, wallet,
  tally, standing, charity_total, correction, score_state, donation_state, act, log_entry, log_words, refused_avatar,
  merge, erasure, held_score, board_measure, post_times
