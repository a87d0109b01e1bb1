-- key_use_note: notes the day on which a key was used; a day that is noted is not written again.
-- $1 bytea key: TokenHash   $2 date day
-- returns nothing
insert into key_use (key_id, used_on)
select k.id, $2 from game_key k where k.hash = $1
on conflict (key_id) do update set used_on = excluded.used_on where key_use.used_on < excluded.used_on
