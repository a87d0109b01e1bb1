-- best posts: which ten posts of a player on a board were the best until some minutes ago, so that the list of best
-- posts reads few rows however many posts there are. It is noted when somebody reads the list; posting costs nothing.
-- compatible since: 29
create table best_posts (
  player_id bigint not null,               -- as in the ledger: the player may have been merged since
  board_id  int not null,
  until     timestamptz not null,          -- posts that reached their points later are not looked at
  ids       uuid[] not null,               -- best first; at most ten
  constraint best_posts_pkey primary key (player_id, board_id)
);

-- What the table must contain.
create view best_posts_proof as
select k.player_id, k.board_id, k.until, coalesce(l.ids, '{}') as ids
  from best_posts k
  join board b on b.id = k.board_id
  left join lateral (
         select array_agg(t.id order by t.points * b.sign desc, t.reached_at, t.id) as ids
           from (select s.id, s.points, s.reached_at
                   from counted_score s
                  where s.player_id = k.player_id and s.board_id = k.board_id and s.reached_at < k.until
                  order by s.points * b.sign desc, s.reached_at, s.id
                  limit 10) t
       ) l on true;
