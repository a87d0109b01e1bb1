-- audit_wallets: every wallet's sums, added up again from the ledgers and the corrections; also ledger rows and players
-- without a wallet. Rows compared, rows that differ, one of them.
with earned as (
  select player_id, sum(earned) as points from score group by player_id
), given as (
  select player_id, sum(points) as points from donation group by player_id
), corrected as (
  select player_id,
         coalesce(sum(points) filter (where kind in ('void', 'forfeit')), 0)
         - coalesce(sum(points) filter (where kind in ('unvoid', 'unforfeit')), 0) as voided,
         coalesce(sum(points) filter (where kind = 'hold'), 0)
         - coalesce(sum(points) filter (where kind = 'release'), 0) as held,
         coalesce(sum(points) filter (where kind = 'reverse'), 0)
         - coalesce(sum(points) filter (where kind = 'unreverse'), 0) as reversed
    from correction
   group by player_id
), compared as (
  select coalesce(w.player_id, e.player_id, g.player_id, c.player_id, p.id) as player_id,
         (w.earned::numeric, w.voided::numeric, w.held::numeric, w.given::numeric)
         is distinct from (coalesce(e.points, 0), coalesce(c.voided, 0), coalesce(c.held, 0),
                           coalesce(g.points, 0) - coalesce(c.reversed, 0)) as differs
    from wallet w
    full join earned e using (player_id)
    full join given g on g.player_id = coalesce(w.player_id, e.player_id)
    full join corrected c on c.player_id = coalesce(w.player_id, e.player_id, g.player_id)
    full join player p on p.id = coalesce(w.player_id, e.player_id, g.player_id, c.player_id)
)
select count(*),
       count(*) filter (where differs),
       'player ' || min(player_id) filter (where differs)
  from compared
