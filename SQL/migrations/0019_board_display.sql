-- board display: how pages show a board's points; feeds keep the integer.
-- compatible since: 16
alter table board
  add column display text not null default 'number',
  add column unit text,
  add constraint board_display_check check (display in ('number', 'seconds', 'milliseconds')),
  add constraint board_unit_check check (unit <> '' and char_length(unit) <= 16);
