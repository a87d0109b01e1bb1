-- grants: what the server may do. Nobody but the owner changes or deletes a ledger's row.
grant select on installation, game, board, charity, player, device, avatar, score, score_note, donation, wallet, tally, standing to causeboard_server;
grant insert on installation to causeboard_server;
grant insert, update on game, board, charity to causeboard_server;
grant insert on score, donation to causeboard_server;
grant insert, update, delete on player, device, avatar, score_note to causeboard_server;
grant insert, update, delete on wallet, tally, standing to causeboard_server;
