-- best posts: each player's ten best posts on the board of classic clients, so that their list reads few rows however
-- many posts there are. A post is stored only if it is among its player's ten best.
-- Servers of the previous release do not store best posts: run `causeboard audit --repair` after they stop.
-- compatible since: 29
create function keeps_best_posts(game text, board text) returns boolean
language sql immutable parallel safe
return game = 'default' and board = 'high-scores';

create table best_post (
  player_id  bigint not null,              -- as in the ledger: the player may have been merged since
  board_id   int not null,
  id         uuid not null,
  points     bigint not null,
  reached_at timestamptz not null,
  constraint best_post_pkey primary key (player_id, board_id, id)
);

-- What the table must contain.
create view ledger_best_post as
select p.player_id, p.board_id, p.id, p.points, p.reached_at
  from (select s.player_id, s.board_id, s.id, s.points, s.reached_at,
               row_number() over (partition by s.player_id, s.board_id
                                  order by s.points * b.sign desc, s.reached_at, s.id) as n
          from game g
          join board b on b.game_id = g.id and b.kind = 'score'
          join counted_score s on s.board_id = b.id
         where keeps_best_posts(g.slug, b.slug)) p
 where p.n <= 10;

insert into best_post (player_id, board_id, id, points, reached_at)
select l.player_id, l.board_id, l.id, l.points, l.reached_at from ledger_best_post l;
