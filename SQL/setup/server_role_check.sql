-- server_role_check: whether this session is held to append-only ledgers and an append-only log.
-- The current role, and whether it could change or delete a row of one of them.
-- returns name: String, canRewriteLedgers: Bool
select current_user::text,
       (
         select bool_or(has_table_privilege(t.name, p.privilege))
           from unnest(array['score', 'donation', 'correction', 'log_entry']) t(name)
          cross join unnest(array['update', 'delete', 'truncate']) p(privilege)
       )
