-- board trust: whether a board takes players' posts as they are, signed by their tokens, or not at all.
-- compatible since: 21
alter table board
  add column trust text not null default 'open',
  add constraint board_trust_check check (trust in ('open', 'signed', 'server'));
