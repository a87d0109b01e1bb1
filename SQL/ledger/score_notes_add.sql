-- score_notes_add: adds what few scores bring besides their points.
-- $1 bigint[] player   $2 uuid[] id   $3 text[] name, or null   $4 text[] detail, or null
insert into score_note (player_id, id, name, detail)
select v.player_id, v.id, v.name, v.detail
  from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[])
       v(player_id, id, name, detail)
