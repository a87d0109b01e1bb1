#!/bin/sh
# The logins of the server and of its stream, made with their passwords when compose.yaml's database is new. What they
# may do comes with the migrations. psql reads the passwords itself: arguments can be read by every user.
set -e

psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
\getenv server SERVER_PASSWORD
\getenv stream STREAM_PASSWORD
create role causeboard_server login password :'server';
create role causeboard_stream login replication password :'stream';
SQL
