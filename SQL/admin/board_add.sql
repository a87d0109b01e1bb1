-- board_add: one more score board. Outcome: added, exists, no-game, bad-zone, bad-hold.
-- $1 text game: Slug   $2 text slug: Slug, board slug   $3 text[] columns
-- $4 text[] values: [String?], one for each column   $5 timestamptz now
-- returns AdminOutcome
with judged as materialized (
  select s.settings
           || jsonb_build_object(
                'kind', 'score', 'game_id', g.id, 'slug', $2::text, 'added_at', $5::timestamptz,
                'next_season_on',
                case when is_zone(n.zone) then next_season_day(n.season_every, n.zone, greatest($5, n.opens_at)) end)
             as made,
         case
           when g.id is null then 'no-game'
           when not is_zone(n.zone) then 'bad-zone'
           when (n.hold_above < 1) <> n.lowest_first or n.lowest_first and n.hold_pace is not null then 'bad-hold'
           when exists (select from board b where b.kind = 'score' and b.game_id = g.id and b.slug = $2) then 'exists'
           else 'added'
         end as outcome
    from (select jsonb_object($3::text[], $4::text[]) as settings) s
   cross join lateral jsonb_populate_record(null::board, s.settings) n
    left join game g on g.slug = $1
)
select case
         when outcome <> 'added' then outcome
         when row_add('board', made, true) is null then 'exists'
         else 'added'
       end
  from judged
