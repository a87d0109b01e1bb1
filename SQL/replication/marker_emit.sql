-- marker_emit: writes a token into the log, in a commit of its own: who follows the stream and has come to it has seen everything before.
-- $1 text token
select pg_logical_emit_message(true, 'causeboard', $1::text)::text
