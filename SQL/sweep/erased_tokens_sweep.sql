-- erased_tokens_sweep: deletes tokens of players who were erased, to whom that is told no longer.
-- $1 timestamptz before, the current time   $2 int = Limits.sweptRows, rows
-- returns Int32
with chosen as materialized (
  select t.token_hash from erased_token t where t.until < $1::timestamptz order by t.until limit $2::int
     for update skip locked
)
delete from erased_token t where t.token_hash = any(array(select c.token_hash from chosen c)) returning 1
