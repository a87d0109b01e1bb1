-- standings_copy: every row of the seasons that are played, hidden players' too, in any order.
copy (
  select s.board_id, s.player_id, s.points, s.reached_at
    from standing s join board b on b.id = s.board_id and b.season_ended_at is null
) to stdout (format binary)
