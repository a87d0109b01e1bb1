-- score improved: whether a recorded score made its player's standing better than the posts before it did: told on a receipt, whenever it is asked for.
create function score_improved(of_player bigint, of_board integer, its_points bigint, its_reached_at timestamptz)
returns boolean
language sql stable parallel safe as $$
  select case when count(r.id) = 0 then true
              when b.policy = 'best' then its_points * b.sign > max(r.points * b.sign)
              when b.policy = 'latest' then its_points * b.sign > (array_agg(r.points * b.sign order by r.reached_at desc, r.points * b.sign desc))[1]
              else its_points * b.sign > 0 end
    from board b left join score r on r.player_id = of_player and r.board_id = b.id and r.reached_at < its_reached_at
   where b.id = of_board
   group by b.policy, b.sign
$$;
