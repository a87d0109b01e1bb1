-- action_owners: the players whose scores or donations an action moved.
-- $1 uuid action
-- returns Player.ID
select distinct k.player_id from correction k where k.action = $1 and k.kind not in ('fund', 'unfund')
