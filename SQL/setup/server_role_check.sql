-- server_role_check: whether this session is held to append-only ledgers.
-- The current role, and whether it could change or delete a ledger's row.
select current_user::text,
       has_table_privilege('score', 'update')
    or has_table_privilege('score', 'delete')
    or has_table_privilege('score', 'truncate')
    or has_table_privilege('donation', 'update')
    or has_table_privilege('donation', 'delete')
    or has_table_privilege('donation', 'truncate')
