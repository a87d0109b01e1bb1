-- migrations_grant: the server may see what is applied, so that it can refuse a database that is behind.
grant select on migration to causeboard_server
