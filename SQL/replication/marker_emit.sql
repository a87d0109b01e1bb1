-- marker_emit: writes a commit marker into the log, in a commit of its own.
-- Whoever has followed the stream up to it has seen every commit before it.
-- $1 text marker
-- returns String
select pg_logical_emit_message(true, 'causeboard', $1::text)::text
