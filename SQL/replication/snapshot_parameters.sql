-- snapshot_parameters: which rows the copies of this transaction bring, since COPY takes no parameters.
-- The copies may take their time, and memory to sort in.
-- $1 int board   $2 date first day   $3 date last day
select set_config('causeboard.board', $1::int::text, true),
       set_config('causeboard.first_day', $2::date::text, true),
       set_config('causeboard.last_day', $3::date::text, true),
       set_config('statement_timeout', '0', true),
       set_config('work_mem', '64MB', true)
