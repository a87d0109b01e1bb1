-- act_owners: the players whose scores or donations an act moved.
-- $1 uuid act
select distinct k.player_id from correction k where k.act = $1 and k.kind not in ('fund', 'unfund')
