-- game_add: one more game. Outcome: added, exists.
-- $1 text slug: Slug   $2 text[] columns   $3 text[] values: [String?], one for each column   $4 timestamptz now
-- returns AdminOutcome
select case
         when row_add('game',
                      jsonb_object($2::text[], $3::text[])
                        || jsonb_build_object('slug', $1::text, 'added_at', $4::timestamptz),
                      true) is null then 'exists'
         else 'added'
       end
