-- statistics_refresh: plans made on empty, never analysed tables are several times slower until autovacuum comes by.
analyze installation, game, game_key, board, charity, player, device, avatar, score, score_note, donation, wallet, tally, standing
