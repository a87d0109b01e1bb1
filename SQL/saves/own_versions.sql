-- own_versions: a number for each token that is another one when something has changed of what its player is told of
-- itself: its row, its wallet, its devices, its saves, its plan, its challenges, its awards, or points that settle. No
-- row for a token of no device.
-- $1 bytea[] token hashes   $2 timestamptz now   $3 int seconds after which what changes with time alone is looked at
select d.token_hash,
       hashtextextended(
         concat_ws(' ', d.player_id, p.xmin, w.xmin,
                   case
                     when w.settles_at > $2 or w.secret_until > $2 then floor(extract(epoch from $2) / $3::int)
                     else -1
                   end,
                   (select count(*) from device o where o.player_id = d.player_id and o.token_hash is not null),
                   (select string_agg(s.slot || s.revision || encode(s.etag, 'hex'), ' ' order by s.slot, s.revision)
                      from save s
                     where s.player_id = d.player_id),
                   (select o.version || ' ' || o.next_day
                      from plan o
                     where o.player_id = d.player_id and o.until is null),
                   (select string_agg(e.contest || e.state || challenge_state(c, b, $2), ' ' order by e.contest)
                      from entry e join challenge c on c.id = e.contest join board b on b.id = c.board_id
                     where e.player_id = any(members(d.player_id)) and e.settled_at is null
                       and e.state in ('invited', 'entered')),
                   (select max(n.settled_at)
                      from unnest(members(d.player_id)) m (id)
                     cross join lateral (select max(e.settled_at) as settled_at from entry e where e.player_id = m.id) n
                   ),
                   (select concat_ws(' ', count(*), max(g.given_at), sum(g.award_id))
                      from award_given g
                     where g.player_id = any(members(d.player_id)))),
         0) as version
  from device d
  join player p on p.id = d.player_id
  join wallet w on w.player_id = d.player_id
 where d.token_hash = any($1::bytea[])
