-- country_sums: countries by the points of so many of the players who show their flags, the best ones, as the board
-- says; or the regions of one country. Where low is good, one with fewer players has no row. Points stop at 64 bits.
-- $1 int board: Board.ID   $2 date firstDay: Day?, first day, or null for all time of the season
-- $3 date lastDay: Day?, last day   $4 text country: CountryFlag?, the country of the regions; null for countries
-- returns CountrySum
with ranked as (
  select case when $4::text is null then left(f.flag, 2) else f.flag end as code, f.order_key, f.reached_at,
         row_number() over (
           partition by case when $4 is null then left(f.flag, 2) else f.flag end
           order by f.order_key, f.reached_at, f.player_id
         ) as place
    from flagged_standing($1, $2, $3, coalesce($4 || '-', 'A'), coalesce($4 || '.', '[')) f
)
select r.code,
       (greatest(-9223372036854775807, least(9223372036854775807, sum(r.order_key) filter (
         where r.place <= b.country_best) * - b.sign)))::bigint as points,
       max(r.reached_at) filter (where r.place <= b.country_best) as reached_at,
       count(*) as players
  from ranked r join board b on b.id = $1 and b.country_best is not null
 group by r.code, b.sign, b.lowest_first, b.country_best
having not b.lowest_first or count(*) >= b.country_best
