#!/bin/sh
# The logins of the server and of its stream, made with their passwords when compose.yaml's database is new. What they
# may do comes with the migrations.
set -e

psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    --set=server="$SERVER_PASSWORD" --set=stream="$STREAM_PASSWORD" <<'SQL'
create role causeboard_server login password :'server';
create role causeboard_stream login replication password :'stream';
SQL
