prepare act_add(uuid, text, bigint, uuid, timestamptz, text, bigint[], bigint[], bigint, uuid, timestamptz, bigint, bigint) as
-- act_add: adds an act that was done, and marks the one that it undoes.
-- $1 uuid act   $2 text kind   $3 bigint player   $4 uuid subject, or null   $5 timestamptz until, or null
-- $6 text asked   $7 bigint[] wallet before   $8 bigint[] wallet after   $9 bigint entry of the log
-- $10 uuid act that it undoes, or null   $11 timestamptz now   $12 bigint player into whom it merged, or null
-- $13 bigint whose row the subject is, or null
with undone as (
  update act set undone_by = $1 where id = $10
)
insert into act (id, kind, player_id, subject, until, asked, before, after, n, acted_at, into_id, owner_id)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $11, $12, $13);
prepare act_find(uuid) as
-- act_find: an act that was done: what was asked for, the wallet before it and after it, its words, and its entry in
-- the log.
-- $1 uuid act
select a.player_id, a.asked, a.before, a.after, e.actor, a.acted_at, e.words_hash, w.salt, a.n
  from act a
  join log_entry e on e.n = a.n
  left join log_words w on w.n = a.n
 where a.id = $1;
prepare act_funding(uuid) as
-- act_funding: the donations that an act made unfunded, or funded again: then their points are negative.
-- $1 uuid act
select k.subject, c.slug, sum(case k.kind when 'unfund' then k.points else - k.points end)::bigint as points,
       d.anonymous
  from correction k
  join donation d on d.player_id = k.player_id and d.id = k.subject
  join charity c on c.id = d.charity_id
 where k.act = $1 and k.kind in ('fund', 'unfund')
 group by k.player_id, k.subject, c.slug, d.anonymous
having sum(case k.kind when 'unfund' then k.points else - k.points end) <> 0
 order by k.subject, k.player_id;
prepare act_movements(uuid) as
-- act_movements: the scores and donations that an act moved, and for whom they count: what they were before it, what it
-- made of them, and the last act that stands on each.
-- $1 uuid act
select o.survivor_id, k.player_id, k.subject,
       bool_or(k.kind in ('hold', 'release', 'void', 'unvoid')) as is_score,
       case
         when bool_or(k.kind = 'release') then 'held'
         when bool_or(k.kind = 'unvoid') then 'voided'
         when bool_or(k.kind = 'unreverse') then 'reversed'
         else 'counted'
       end as was,
       case
         when bool_or(k.kind = 'void') then 'voided'
         when bool_or(k.kind = 'hold') then 'held'
         when bool_or(k.kind = 'reverse') then 'reversed'
         else 'counted'
       end as became,
       coalesce(sum(k.points) filter (where k.kind = 'forfeit'), 0)::bigint as forfeited,
       coalesce(sum(k.points) filter (where k.kind = 'unforfeit'), 0)::bigint as restored,
       (
         select l.act
           from correction l left join act a on a.id = l.act
          where l.player_id = k.player_id and l.subject = k.subject and l.kind not in ('fund', 'unfund')
            and (a.id is null or a.kind <> 'undo' and a.undone_by is null)
          order by l.n desc
          limit 1
       ) as newest_act
  from correction k join ledger_owner o on o.player_id = k.player_id
 where k.act = $1 and k.kind not in ('fund', 'unfund')
 group by o.survivor_id, k.player_id, k.subject
 order by o.survivor_id, k.player_id, k.subject;
prepare act_owners(uuid) as
-- act_owners: the players whose scores or donations an act moved.
-- $1 uuid act
select distinct k.player_id from correction k where k.act = $1 and k.kind not in ('fund', 'unfund');
prepare act_read(uuid) as
-- act_read: an act as it was done, with the player whose wallet its sums are of, its entry in the log, its reason, the
-- one that undid it, and whether it tells who gave anonymously.
-- $1 uuid act
select a.kind, a.player_id, coalesce(a.into_id, a.player_id) as wallet_owner, a.n, e.subject, a.before, a.after,
       e.actor, a.acted_at, e.reason, e.name, a.undone_by, e.is_about_anonymous
  from act a join logged_entry e on e.n = a.n
 where a.id = $1;
prepare act_undoable(uuid) as
-- act_undoable: an act that may be undone.
-- $1 uuid act
select a.kind, a.player_id, a.into_id, w.name, w.former, a.undone_by is not null as is_undone
  from act a left join log_words w on w.n = a.n
 where a.id = $1;
prepare bans_over(timestamptz, int) as
-- bans_over: the bans whose end has come, the longest over first.
-- $1 timestamptz now   $2 int rows
select a.id
  from act a
 where a.kind = 'ban' and a.undone_by is null and a.until <= $1
 order by a.until, a.id
 limit $2::int;
prepare caps_reverse(bigint[], uuid[], bool[]) as
-- caps_reverse: takes donations out of what was given to charities that have a cap, or brings them back. Charities
-- without a cap have no such rows. caps_reversed_lock has run earlier in this transaction.
-- $1 bigint[] whose rows the donations are   $2 uuid[] donations   $3 bool[] whether each is reversed from now
update charity_given g
   set points = g.points + x.points
  from (select d.charity_id, coalesce(d.day, (d.reached_at at time zone b.zone)::date) as day,
               sum(case when v.reversed then - d.points else d.points end) as points
          from unnest($1::bigint[], $2::uuid[], $3::bool[]) v(player_id, id, reversed)
          join donation d on d.player_id = v.player_id and d.id = v.id
          join charity c on c.id = d.charity_id
          join board b on b.id = c.board_id
         group by d.charity_id, coalesce(d.day, (d.reached_at at time zone b.zone)::date)) x
 where g.charity_id = x.charity_id and g.day = x.day;
prepare caps_reversed_lock(bigint[], uuid[]) as
-- caps_reversed_lock: caps_lock for the charities that have a cap and to which some donations went.
-- $1 bigint[] whose rows the donations are   $2 uuid[] donations
select c.id
  from charity c
 where (c.cap_day is not null or c.cap_all is not null)
   and c.id in (select d.charity_id
                  from unnest($1::bigint[], $2::uuid[]) v(player_id, id)
                  join donation d on d.player_id = v.player_id and d.id = v.id)
 order by c.id
   for no key update;
prepare charity_totals_date(int[]) as
-- charity_totals_date: sets when the newest funded donation by name to some charities arrived, and takes away the
-- totals of those that have no funded donation left. charity_totals_lock has run earlier in this transaction.
-- $1 int[] charities
with proof as materialized (
  select v.charity_id,
         (
           select d.reached_at
             from funded_donation d
            where d.charity_id = v.charity_id and not d.anonymous
            order by d.reached_at desc
            limit 1
         ) as reached_at,
         exists (select from funded_donation d where d.charity_id = v.charity_id) as is_left
    from unnest($1::int[]) v(charity_id)
), gone as (
  delete from charity_total t using proof p where t.charity_id = p.charity_id and not p.is_left
)
update charity_total t
   set reached_at = p.reached_at
  from proof p
 where t.charity_id = p.charity_id and p.is_left;
prepare charity_totals_lock(int[]) as
-- charity_totals_lock: locks all parts of what some charities received, so that the next statements see every donation
-- that is in them. Whoever gives adds to them in the same order, and last.
-- $1 int[] charities
select t.charity_id from charity_total t where t.charity_id = any($1::int[]) order by t.charity_id, t.part for update;
prepare donation_anonymise(bigint, uuid) as
-- donation_anonymise: turns a donation that was given by name into an anonymous one: it becomes a row of its own. The
-- wallet is locked.
-- $1 bigint whose row the donation is   $2 uuid donation
update donation d
   set anonymous = true, anonymised = true, row_id = anonymous_row_id(gen_random_uuid()), day = x.day,
       day_began_at = x.day::timestamp at time zone x.zone
  from (select o.player_id, o.id, b.zone, coalesce(o.day, (o.reached_at at time zone b.zone)::date) as day
          from donation o join charity c on c.id = o.charity_id join board b on b.id = c.board_id
         where o.player_id = $1 and o.id = $2 and not o.anonymous) x
 where d.player_id = x.player_id and d.id = x.id;
prepare donation_changeable(bigint, uuid, text) as
-- donation_changeable: a donation of a player, or of those who are one with it, to a charity, the player's own first:
-- whose row it is, its state, and until when it may be taken back.
-- $1 bigint player   $2 uuid donation   $3 text charity slug
select d.player_id as owner_id, d.anonymous, coalesce(m.reversed, false) as reversed,
       least(d.reached_at + c.cooling_off * interval '1 minute', c.closes_at) as reversible_until
  from donation d
  join charity c on c.id = d.charity_id
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where d.player_id = any(members($1)) and d.id = $2 and c.slug = $3
 order by d.player_id = $1 desc, d.player_id
 limit 1;
prepare donation_found(bigint, uuid) as
-- donation_found: a donation of a player or of those who are one with it, the player's own first: whose row it is, and
-- whether it was reversed.
-- $1 bigint player   $2 uuid donation
select d.player_id as owner_id, d.points, d.anonymous, coalesce(m.unfunded, 0) as unfunded,
       coalesce(m.reversed, false) as reversed
  from donation d left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where d.player_id = any(members($1)) and d.id = $2
 order by d.player_id = $1 desc, d.player_id
 limit 1;
prepare donation_reverse(bigint, bigint, uuid, bool, bigint, bigint, uuid, timestamptz) as
-- donation_reverse: takes a donation back, or gives it again. What was forfeited does not come back to the player. The
-- wallet is locked.
-- $1 bigint player whose wallet it is   $2 bigint whose row the donation is   $3 uuid donation
-- $4 bool whether it is reversed from now   $5 bigint points to forfeit   $6 bigint points that are forfeited no longer
-- $7 uuid act, or null when the player does it   $8 timestamptz now
with chosen as materialized (
  select d.player_id, d.id, d.points, coalesce(m.unfunded, 0) as unfunded
    from donation d left join donation_state m on m.player_id = d.player_id and m.id = d.id
   where d.player_id = $2 and d.id = $3 and coalesce(m.reversed, false) <> $4
), marked as (
  insert into donation_state (player_id, id, unfunded, reversed)
  select c.player_id, c.id, 0, true from chosen c where $4
  on conflict (player_id, id) do update set unfunded = 0, reversed = true
), unmarked as (
  delete from donation_state m using chosen c where m.player_id = c.player_id and m.id = c.id and not $4
), movements as (
  select 1 as place, 'fund' as kind, c.unfunded as points from chosen c where $4 and c.unfunded > 0
   union all
  select 2, case when $4 then 'reverse' else 'unreverse' end, c.points from chosen c
   union all
  select 3, 'forfeit', $5::bigint from chosen c where $5 > 0
   union all
  select 4, 'unforfeit', $6::bigint from chosen c where $6 > 0
), noted as (
  insert into correction (player_id, n, kind, subject, points, act, corrected_at)
  select $2, (select coalesce(max(k.n), 0) from correction k where k.player_id = $2)
             + row_number() over (order by m.place), m.kind, $3, m.points, $7, $8
    from movements m
)
update wallet w
   set given = w.given + case when $4 then - c.points else c.points end, voided = w.voided + $5 - $6
  from chosen c
 where w.player_id = $1;
prepare donations_fund(bigint, uuid, timestamptz) as
-- donations_fund: makes the newest donations of a player unfunded as far as the wallet is short, and funds all others
-- again. The wallet is locked.
-- $1 bigint player   $2 uuid act, or null   $3 timestamptz now
with gifts as (
  select d.player_id, d.id, d.points, coalesce(m.unfunded, 0) as was,
         sum(d.points) over (order by d.reached_at desc, d.id desc, d.player_id desc) - d.points as newer
    from ledger_owner o
    join donation d on d.player_id = o.player_id
    left join donation_state m on m.player_id = d.player_id and m.id = d.id
   where o.survivor_id = $1 and not coalesce(m.reversed, false)
), changed as materialized (
  select g.player_id, g.id, g.was, greatest(0, least(g.points, - unspent(w) - g.newer))::bigint as unfunded
    from gifts g join wallet w on w.player_id = $1
   where g.was <> greatest(0, least(g.points, - unspent(w) - g.newer))
), marked as (
  insert into donation_state (player_id, id, unfunded, reversed)
  select c.player_id, c.id, c.unfunded, false from changed c where c.unfunded > 0
  on conflict (player_id, id) do update set unfunded = excluded.unfunded
), unmarked as (
  delete from donation_state m using changed c where m.player_id = c.player_id and m.id = c.id and c.unfunded = 0
)
insert into correction (player_id, n, kind, subject, points, act, corrected_at)
select c.player_id, (select coalesce(max(k.n), 0) from correction k where k.player_id = c.player_id)
                    + row_number() over (partition by c.player_id order by c.id),
       case when c.unfunded > c.was then 'unfund' else 'fund' end, c.id, abs(c.unfunded - c.was), $2, $3
  from changed c;
prepare forfeit_newest(bigint) as
-- forfeit_newest: the newest act that took a donation of a player back and voided its points, if the donation is still
-- taken back.
-- $1 bigint player
select c.act
  from correction c join donation_state m on m.player_id = c.player_id and m.id = c.subject and m.reversed
 where c.player_id = any(members($1)) and c.kind = 'forfeit' and c.act is not null
 order by c.corrected_at desc, c.n desc
 limit 1;
prepare given_by_name(bigint[], bigint, timestamptz) as
-- given_by_name: what players who are one gave by name and did not take back; and how many of the voided points were
-- made of anonymous donations. Sums without what was given anonymously are made of these, so that no subtraction tells
-- it. They are those of now, or of the moment of an act, as far as donations are not anonymous by now.
-- $1 bigint[] players   $2 bigint the last entry of the log that counts, or null for now
-- $3 timestamptz when the act was done, or null for now
with movements as materialized (
  select k.player_id, k.subject as id,
         sum(case k.kind when 'reverse' then 1 when 'unreverse' then -1 end) > 0 as is_reversed,
         coalesce(sum(case k.kind when 'forfeit' then k.points when 'unforfeit' then - k.points end), 0) as forfeited
    from correction k
   where k.player_id = any($1::bigint[])
     and k.kind in ('reverse', 'unreverse', 'forfeit', 'unforfeit')
     and ($2::bigint is null
          or case
               -- Only a player's own taking back is by no act.
               when k.act is null then k.corrected_at <= $3::timestamptz
               else (select a.n from act a where a.id = k.act) <= $2
             end)
   group by k.player_id, k.subject
)
select coalesce(sum(d.points) filter (where not d.anonymous and m.is_reversed is not true), 0)::bigint as given,
       coalesce(sum(m.forfeited) filter (where d.anonymous), 0)::bigint as forfeited
  from donation d
  left join movements m on m.player_id = d.player_id and m.id = d.id
 where d.player_id = any($1)
   and ($3 is null or d.recorded_at <= $3);
prepare giving_standings_prove(bigint, timestamptz) as
-- giving_standings_prove: makes the rows of all giving boards on which a player's donations count what these say, and
-- brings what each charity received more or less by that. The wallet is locked.
-- $1 bigint player   $2 timestamptz now
with proof as materialized (
  select g.board_id, g.row_id, sum(g.points) as points, max(g.reached_at) as reached_at
    from giving_ledger g
   where g.player_id = $1
   group by g.board_id, g.row_id
), kept as materialized (
  select s.board_id, s.player_id as row_id, s.points, s.reached_at
    from board b
    join standing s on s.board_id = b.id
                   and s.player_id = any($1 || array(select d.row_id
                                                       from ledger_owner o join donation d on d.player_id = o.player_id
                                                      where o.survivor_id = $1 and d.row_id is not null))
   where b.kind = 'giving'
), gone as (
  delete from standing s
   using kept k
   where s.board_id = k.board_id and s.player_id = k.row_id
     and not exists (select from proof p where p.board_id = k.board_id and p.row_id = k.row_id)
), put as (
  insert into standing as s (board_id, player_id, points, reached_at, lowest_first)
  select p.board_id, p.row_id, p.points, p.reached_at, false from proof p
  on conflict (board_id, player_id) do update
     set points = excluded.points, reached_at = excluded.reached_at
   where (s.points, s.reached_at) is distinct from (excluded.points, excluded.reached_at)
)
select c.id, (coalesce(p.points, 0) - coalesce(k.points, 0))::numeric as points,
       (p.named is not null)::int::bigint - (k.named is not null)::int::bigint as contributors,
       case when p.named is not null then $2::timestamptz end as reached_at
  from charity c
 cross join lateral (select sum(points) as points, max(reached_at) filter (where row_id = $1) as named
                       from proof where board_id = c.board_id) p
 cross join lateral (select sum(points) as points, max(reached_at) filter (where row_id = $1) as named
                       from kept where board_id = c.board_id) k
 where (p.points, p.named) is distinct from (k.points, k.named)
 order by c.id;
prepare giving_tallies_prove(bigint, bigint[]) as
-- giving_tallies_prove: makes the rows of all days of giving boards on which a player's donations count what these say.
-- The wallet is locked.
-- $1 bigint player   $2 bigint[] players on whose days, too, the player may have rows
with proof as materialized (
  select g.board_id, g.day, g.row_id, sum(g.points) as points, max(g.reached_at) as reached_at
    from giving_ledger g
   where g.player_id = $1
   group by g.board_id, g.day, g.row_id
), given as (
  select distinct b.id as board_id,
         coalesce(case when b.id = c.board_id then d.day end, (d.reached_at at time zone b.zone)::date) as day, r.row_id
    from donation d
    left join ledger_owner o on o.player_id = d.player_id and o.survivor_id = $1
    join charity c on c.id = d.charity_id
    join board b on b.kind = 'giving' and (b.id = c.board_id or b.slug = 'overall')
   cross join lateral (select $1 as row_id union all select d.row_id where o.player_id is not null) r
   where d.player_id = any(members($1) || $2::bigint[])
), gone as (
  delete from tally t
   using given g
   where t.board_id = g.board_id and t.day = g.day and t.player_id = g.row_id
     and not exists (
           select from proof p where p.board_id = g.board_id and p.day = g.day and p.row_id = t.player_id
         )
)
insert into tally as t (board_id, day, player_id, points, reached_at)
select p.board_id, p.day, p.row_id, p.points, p.reached_at from proof p
on conflict (board_id, day, player_id) do update
   set points = excluded.points, reached_at = excluded.reached_at
 where (t.points, t.reached_at) is distinct from (excluded.points, excluded.reached_at);
prepare members_find(bigint) as
-- members_find: everybody who is one with a player, itself too.
-- $1 bigint player
select o.player_id from ledger_owner o where o.survivor_id = $1 order by o.player_id;
prepare members_then(bigint, bigint) as
-- members_then: who was one with a player after an entry of the log, and the player.
-- $1 bigint player   $2 bigint the last entry that counts
with recursive
united as materialized (
  select m.player_id, m.into_id
    from act m left join act u on u.id = m.undone_by
   where m.kind = 'merge' and m.n <= $2::bigint and (u.n is null or u.n > $2)
),
one (id) as (
  select $1::bigint
   union
  select case when u.player_id = o.id then u.into_id else u.player_id end
    from one o join united u on o.id in (u.player_id, u.into_id)
)
select o.id from one o;
prepare merge_find(bigint) as
-- merge_find: a merge that holds: the player into whom it was, and the act that did it.
-- $1 bigint player who was merged
select m.into_id, m.survivor_id, m.act from merge m where m.player_id = $1;
prepare name_approve(bigint) as
-- name_approve: shows the name that a player has asked for. The wallet is locked.
-- $1 bigint player
update player set name = asked_name, asked_name = null, asked_at = null, name_waits = false
 where id = $1 and asked_name is not null;
prepare picture_refuse(bytea, timestamptz) as
-- picture_refuse: takes a player's picture down, so that nobody has it and nobody may have it again.
-- $1 bytea SHA-256   $2 timestamptz now
with refused as (
  insert into refused_avatar (sha256, refused_at) values ($1, $2) on conflict (sha256) do nothing
)
update player set avatar = null where avatar = $1;
prepare player_acts(bigint, bigint, int, bool) as
-- player_acts: the entries of the log about acts on a player and on those who are one with it, the newest first, and
-- whether they tell that it gave anonymously. Those are left out for who may not know it.
-- $1 bigint player   $2 bigint number before which, or null   $3 int rows, 1...101
-- $4 bool whether what was given anonymously is shown
select e.n, e.logged_at, e.act, e.actor, e.deed, e.subject, e.numbers, e.words_hash, e.hash, e.salt, e.reason, e.name,
       e.is_about_anonymous
  from logged_entry e
 where e.n = any(array(select a.n from act a where a.player_id = any(members($1))))
   and ($2::bigint is null or e.n < $2)
   and ($4 or not e.is_about_anonymous)
 order by e.n desc
 limit $3::int;
prepare player_erase(bigint[], uuid, timestamptz, timestamptz) as
-- player_erase: takes away everything that tells who some players are, who are one: names, addresses, pictures that
-- nobody else has, devices, codes, reports, and what came with scores. Rows of ledgers and rankings stay. The wallet is
-- locked. Their tokens are told the receipt until a time.
-- $1 bigint[] players   $2 uuid receipt   $3 timestamptz now   $4 timestamptz until
with
forgotten as (
  delete from erased_token t where t.until < $3
),
told as (
  insert into erased_token (token_hash, receipt, until)
  select d.token_hash, $2, $4 from device d where d.player_id = any($1::bigint[]) and d.token_hash is not null
  on conflict (token_hash) do nothing
),
cut as (
  delete from device d where d.player_id = any($1)
),
withdrawn as (
  delete from code c where c.player_id = any($1)
),
unreported as (
  delete from report r where r.player_id = any($1) or r.reporter_id = any($1)
),
unnoted as (
  delete from score_note n where n.player_id = any($1)
),
noted as (
  insert into erasure (player_id, receipt, erased_at) select p.id, $2, $3 from player p where p.id = any($1)
  on conflict (player_id) do nothing
),
pictures as materialized (
  select distinct p.avatar from player p where p.id = any($1) and p.avatar is not null
),
blank as (
  update player p
     set name = '', asked_name = null, asked_at = null, name_waits = false, email = null, fb_uid = null, country = null,
         avatar = null, unlisted = true, wants_updates = false, updates_since = null, updates_source = null
   where p.id = any($1)
)
delete from avatar a
 using pictures i
 where a.sha256 = i.avatar
   and not exists (select from player q where q.avatar = a.sha256 and q.id <> all($1));
prepare player_found(bigint) as
-- player_found: the game of a player, hidden or not, with what acts change of the player itself: the name that is
-- shown, which is empty once the player was erased, and what it calls itself.
-- $1 bigint player
select g.slug, p.name, coalesce(p.asked_name, p.name) as own_name, p.avatar, p.hidden
  from player p join game g on g.id = p.game_id
 where p.id = $1;
prepare player_hide(bigint) as
-- player_hide: hides a player and stops its writes as far as acts say that are not undone, on it or on those who are
-- one with it. Who is one with another player is hidden, too. The wallet is locked, and the act is in the table.
-- $1 bigint player
with kept as (
  select count(*) filter (where a.kind = 'ban') > 0 as banned,
         count(*) > 0 or exists (select from merge m where m.player_id = $1) as hidden
    from ledger_owner o join act a on a.player_id = o.player_id
   where o.survivor_id = $1 and a.kind in ('hide', 'ban') and a.undone_by is null
), stopped as (
  update wallet w set banned = k.banned from kept k where w.player_id = $1 and w.banned <> k.banned
)
update player p set hidden = k.hidden from kept k where p.id = $1 and p.hidden <> k.hidden;
prepare player_merge(bigint, bigint, uuid, timestamptz) as
-- player_merge: makes a player and those who are one with it one with another player: its devices speak for that one,
-- whose wallet takes up its sums. Ledger rows stay. Both wallets are locked.
-- $1 bigint player   $2 bigint into which   $3 uuid act   $4 timestamptz now
with
was as materialized (
  select w.* from wallet w where w.player_id = $1
),
followed as (
  update merge m set survivor_id = $2 where m.survivor_id = $1
),
joined as (
  insert into merge (player_id, into_id, survivor_id, act, merged_at) values ($1, $2, $2, $3, $4)
),
moved as (
  update device d set player_id = $2, merged_from = coalesce(d.merged_from, $1) where d.player_id = $1
),
withdrawn as (
  delete from code c where c.player_id = $1
),
emptied as (
  update wallet w
     set earned = 0, voided = 0, held = 0, given = 0, merges = 0, holds = 0, banned = false, merged = true
   where w.player_id = $1
)
update wallet w
   set earned = w.earned + o.earned, voided = w.voided + o.voided, held = w.held + o.held, given = w.given + o.given,
       merges = w.merges + o.merges + 1, parted = w.parted or o.parted, holds = w.holds + o.holds,
       settles_at = greatest(w.settles_at, o.settles_at), secret_until = greatest(w.secret_until, o.secret_until)
  from was o
 where w.player_id = $2;
prepare player_part(bigint, bigint) as
-- player_part: makes a player who was merged, and those who were merged into it, its own again, with the devices that
-- came with them. The wallets of both are locked, and become what the ledgers say by wallet_prove.
-- $1 bigint player   $2 bigint the one with whom it was one
with recursive
parted as (
  select $1::bigint as player_id
   union
  select m.player_id from merge m join parted p on m.into_id = p.player_id
),
gone as (
  delete from merge m where m.player_id = $1
),
followed as (
  update merge m set survivor_id = $1 from parted p where m.player_id = p.player_id and m.player_id <> $1
)
update device d
   set player_id = $1, merged_from = nullif(d.merged_from, $1)
 where d.player_id = $2 and d.merged_from in (select p.player_id from parted p);
prepare player_rename(bigint, text, bool) as
-- player_rename: gives a player another name. What the player calls itself next may have to wait for approval.
-- $1 bigint player   $2 text name   $3 bool whether it has to
update player set name = $2, asked_name = null, asked_at = null, name_waits = $3 where id = $1;
prepare players_lock(bigint[]) as
-- players_lock: locks the rows of players that an act shows or hides, before the log is locked.
-- $1 bigint[] players
select p.id from player p where p.id = any($1::bigint[]) order by p.id for update;
prepare queue_item_find(uuid) as
-- queue_item_find: what waits under an item: its kind, its player, and the score if it is one.
-- $1 uuid item
select q.kind, q.player_id, q.score_id from queue_item q where q.item = $1;
prepare queue_page(text, timestamptz, uuid, int, bool) as
-- queue_page: what waits for a decision, the oldest first. What reporters wrote is there for those who may read it.
-- $1 text kind, or null for all   $2 timestamptz the instant before the first   $3 uuid the item at that instant
-- $4 int rows, at least 1   $5 bool whether words are shown
select q.item, q.kind, q.player_id, q.score_id, q.why, q.at, q.times, case when $5::bool then q.words end
  from queue_item q
 where ($1::text is null or q.kind = $1) and (q.at, q.item) > ($2, $3)
 order by q.at, q.item
 limit $4::int;
prepare reports_dismiss(bigint, uuid) as
-- reports_dismiss: dismisses what was reported of a player so far. The wallet is locked.
-- $1 bigint player   $2 uuid act
update report set dismissed_by = $2 where player_id = $1 and dismissed_by is null;
prepare reports_restore(uuid) as
-- reports_restore: lets reports wait again that an act dismissed, and says how many.
-- $1 uuid act
with restored as (
  update report set dismissed_by = null where dismissed_by = $1 returning 1
)
select count(*) from restored;
prepare score_found(bigint, uuid) as
-- score_found: a score of a player or of those who are one with it, the player's own first: whose row it is, its state,
-- and the bounds of its board.
-- $1 bigint player   $2 uuid score
select s.player_id as owner_id, s.points, s.earned, coalesce(m.state, 'counted') as state, b.points_min, b.points_max
  from score s
  join board b on b.id = s.board_id
  left join score_state m on m.player_id = s.player_id and m.id = s.id
 where s.player_id = any(members($1)) and s.id = $2
 order by s.player_id = $1 desc, s.player_id
 limit 1;
prepare score_note_remove(bigint, uuid) as
-- score_note_remove: takes down the name and the detail that came with a score.
-- $1 bigint player   $2 uuid score
delete from score_note where player_id = $1 and id = $2;
prepare score_replace(bigint, bigint, uuid, uuid, bigint, bigint, timestamptz) as
-- score_replace: adds a score in place of another one: on its board, at its time, with other points. The wallet is
-- locked.
-- $1 bigint player whose wallet it is   $2 bigint whose row the score is   $3 uuid score that is replaced
-- $4 uuid new score   $5 bigint points   $6 bigint earned   $7 timestamptz now
with earning as (
  update wallet w set earned = w.earned + $6 where w.player_id = $1
)
insert into score (
  player_id, id, board_id, points, earned, improved, no_client_id, played_at, reached_at, day, recorded_at)
select s.player_id, $4, s.board_id, $5, $6, s.improved, false, s.played_at, s.reached_at, s.day, $7
  from score s
 where s.player_id = $2 and s.id = $3;
prepare scores_restate(bigint, bigint[], uuid[], text, text, uuid, timestamptz) as
-- scores_restate: lets scores of a player count, be held, or be voided, and moves what they earned. The wallet is
-- locked. It brings how many scores changed and what they earned. Whatever becomes of a score that was held, it waits
-- for no verdict any more; one that is held again is so by an operator, too.
-- $1 bigint player   $2 bigint[] whose rows the scores are   $3 uuid[] scores, beside those; or null for all
-- $4 text state from which, or null for any   $5 text state to which   $6 uuid act, or null
-- $7 timestamptz now
with rows as (
  select v.player_id, v.id from unnest($2::bigint[], $3::uuid[]) v(player_id, id)
   union all
  select s.player_id, s.id
    from ledger_owner o join score s on s.player_id = o.player_id
   where $3::uuid[] is null and o.survivor_id = $1
), chosen as materialized (
  select s.player_id, s.id, s.earned, coalesce(m.state, 'counted') as was,
         s.reached_at + settle_time(b) as secret_until
    from rows r
    join score s on s.player_id = r.player_id and s.id = r.id
    join board b on b.id = s.board_id
    left join score_state m on m.player_id = s.player_id and m.id = s.id
   where coalesce(m.state, 'counted') = coalesce($4, m.state, 'counted')
     and coalesce(m.state, 'counted') <> $5
), counted as (
  delete from score_state m using chosen c where m.player_id = c.player_id and m.id = c.id and $5 = 'counted'
), marked as (
  insert into score_state (player_id, id, state)
  select c.player_id, c.id, $5 from chosen c where $5 <> 'counted'
  on conflict (player_id, id) do update set state = excluded.state
), asked as (
  insert into held_score as h (player_id, id, item, why, held_at)
  select c.player_id, c.id, gen_random_uuid(), '{operator}', $7 from chosen c where $5 = 'held'
  on conflict (player_id, id) do update
     set why = array_remove(array_remove(h.why, 'judge'), 'operator') || '{operator}', held_at = excluded.held_at
), decided as (
  update held_score h
     set judge_until = null
    from chosen c
   where h.player_id = c.player_id and h.id = c.id and h.judge_until is not null
), movements as (
  select c.player_id, c.id, case c.was when 'held' then 'release' else 'unvoid' end as kind, c.earned
    from chosen c
   where c.was <> 'counted'
   union all
  select c.player_id, c.id, case $5 when 'held' then 'hold' else 'void' end, c.earned
    from chosen c
   where $5 <> 'counted'
), noted as (
  insert into correction (player_id, n, kind, subject, points, act, corrected_at)
  select m.player_id,
         (select coalesce(max(k.n), 0) from correction k where k.player_id = m.player_id)
         + row_number() over (partition by m.player_id order by m.id, m.kind), m.kind, m.id, m.earned, $6, $7
    from movements m
), moved as (
  update wallet w
     set held = w.held + t.held, voided = w.voided + t.voided, holds = w.holds + t.holds,
         secret_until = greatest(w.secret_until, t.secret_until)
    from (select coalesce(sum(c.earned) filter (where $5 = 'held'), 0)
                 - coalesce(sum(c.earned) filter (where c.was = 'held'), 0) as held,
                 coalesce(sum(c.earned) filter (where $5 = 'voided'), 0)
                 - coalesce(sum(c.earned) filter (where c.was = 'voided'), 0) as voided,
                 count(*) filter (where $5 = 'held') - count(*) filter (where c.was = 'held') as holds,
                 max(c.secret_until) filter (where $5 = 'held') as secret_until
            from chosen c) t
   where w.player_id = $1
)
select count(*), coalesce(sum(c.earned), 0)::bigint from chosen c;
prepare standings_prove(bigint) as
-- standings_prove: makes a player's rows of all score boards what the ledger says. The wallet is locked.
-- $1 bigint player
with proof as materialized (
  select l.board_id, l.points, l.reached_at, l.lowest_first from ledger_standing l where l.player_id = $1
), gone as (
  delete from standing s
   using board b
   where b.kind = 'score' and s.board_id = b.id and s.player_id = $1
     and not exists (select from proof p where p.board_id = b.id)
)
insert into standing as s (board_id, player_id, points, reached_at, lowest_first)
select p.board_id, $1, p.points, p.reached_at, p.lowest_first from proof p
on conflict (board_id, player_id) do update
   set points = excluded.points, reached_at = excluded.reached_at
 where (s.points, s.reached_at) is distinct from (excluded.points, excluded.reached_at);
prepare survivors_find(bigint[]) as
-- survivors_find: whom some players are by now: themselves, or those into whom they were merged. One who does not exist
-- is left out.
-- $1 bigint[] players
select o.player_id, o.survivor_id from ledger_owner o where o.player_id = any($1::bigint[]);
prepare tallies_prove(bigint, bigint[]) as
-- tallies_prove: makes a player's rows of all days of score boards what the ledger says. The wallet is locked.
-- $1 bigint player   $2 bigint[] players on whose days, too, the player may have rows
with proof as materialized (
  select l.board_id, l.day, l.points, l.reached_at from ledger_tally l where l.player_id = $1
), played as (
  select distinct s.board_id, coalesce(s.day, (s.reached_at at time zone b.zone)::date) as day
    from score s join board b on b.id = s.board_id
   where s.player_id = any(members($1) || $2::bigint[])
), gone as (
  delete from tally t
   using played p
   where t.board_id = p.board_id and t.day = p.day and t.player_id = $1
     and not exists (select from proof f where f.board_id = p.board_id and f.day = p.day)
)
insert into tally as t (board_id, day, player_id, points, reached_at)
select p.board_id, p.day, $1, p.points, p.reached_at from proof p
on conflict (board_id, day, player_id) do update
   set points = excluded.points, reached_at = excluded.reached_at
 where (t.points, t.reached_at) is distinct from (excluded.points, excluded.reached_at);
prepare wallet_prove(bigint) as
-- wallet_prove: makes the sums of a wallet what ledgers and corrections say, after another player's parted from them.
-- The wallet is locked.
-- $1 bigint player
update wallet w
   set earned = p.earned, voided = p.voided, held = p.held, given = p.given, merged = p.merged, merges = p.merges,
       holds = p.holds, parted = true
  from wallet_proof p
 where w.player_id = $1 and p.player_id = $1;
prepare wallet_sums(bigint) as
-- wallet_sums: what a player earned and what became of it. Whoever changes it has locked the wallet.
-- $1 bigint player
select w.earned, w.voided, w.held, w.given from wallet w where w.player_id = $1;
prepare addresses_count(text) as
-- addresses_count: how many e-mail addresses and wishes for updates of a game's players are stored.
-- $1 text game slug
select count(p.email), count(*) filter (where p.wants_updates)
  from player p
 where p.game_id = (select g.id from game g where g.slug = $1) and (p.email is not null or p.wants_updates);
prepare addresses_remove(text, bigint, int) as
-- addresses_remove: takes away the e-mail addresses and wishes for updates of some of a game's players, in the order of
-- their ids. Says the last of them, and how many there were.
-- $1 text game slug   $2 bigint player before the first one   $3 int players, at most
with chosen as materialized (
  select p.id
    from player p
   where p.game_id = (select g.id from game g where g.slug = $1) and p.id > $2
     and (p.email is not null or p.wants_updates)
   order by p.id
   limit $3::int
     for update
), blank as (
  update player p
     set email = null, wants_updates = false, updates_since = null, updates_source = null
    from chosen c
   where p.id = c.id
  returning p.id
)
select max(b.id), count(*) from blank b;
prepare admin_donations(text, timestamptz, uuid, bigint, int) as
-- admin_donations: a charity's donations before one of them, the newest first. Who gave anonymously is in no row, nor
-- when on its day in the charity's zone: such a donation stands where its day begins, after those by name, and those of
-- one day in the order of their random row ids. Its client's id may have the time in it, so another one stands for it.
-- $1 text charity slug   $2 timestamptz the row's time, or null   $3 uuid the row's id if it was given by name
-- $4 bigint its row id if anonymous   $5 int rows, 1...101
-- The page is read by its indexes first, and then its players.
with page as materialized (
  (select d.player_id, d.id, d.points, null::bigint as row_id, d.reached_at as shown_at, d.recorded_at
     from donation d
    where d.charity_id = (select c.id from charity c where c.slug = $1) and not d.anonymous
      and ($2::timestamptz is null
           or (d.reached_at, d.id) < ($2, coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')))
    order by d.reached_at desc, d.id desc
    limit $5::int)
   union all
  (select d.player_id, d.id, d.points, d.row_id, d.day_began_at, d.day_began_at
     from donation d
    where d.charity_id = (select c.id from charity c where c.slug = $1) and d.anonymous
      and ($2 is null or (d.day_began_at, d.row_id) < ($2, coalesce($4::bigint, 0)))
    order by d.day_began_at desc, d.row_id desc
    limit $5)
)
select case when d.row_id is null then d.id else md5('donation ' || d.row_id)::uuid end as id, d.row_id, d.points,
       case when m.reversed then 'reversed' when m.unfunded = d.points then 'unfunded' when m.unfunded > 0 then 'part'
            else 'funded' end as state,
       case when d.row_id is null then d.player_id end,
       case when d.row_id is null then (select g.slug from player p join game g on g.id = p.game_id
                                         where p.id = d.player_id) end,
       d.recorded_at, d.shown_at
  from page d left join donation_state m on m.player_id = d.player_id and m.id = d.id
 order by d.shown_at desc, d.row_id is not null, case when d.row_id is null then d.id end desc, d.row_id desc
 limit $5;
prepare admin_key_find(bytea, timestamptz) as
-- admin_key_find: an operator's key and what it may do; no row for one that is not known, revoked or beyond its end.
-- $1 bytea key hash   $2 timestamptz now
select k.id, k.public_id, k.name, k.scopes, u.used_on
  from game_key k left join key_use u on u.key_id = k.id
 where k.hash = $1 and k.kind = 'admin' and k.revoked_at is null and ($2 < k.expires_at) is not false;
prepare admin_ledger(bigint, timestamptz, uuid, int, bool) as
-- admin_ledger: the scores and donations before an instant of a player and of those who are one with it, the newest
-- first. What was given anonymously is there only for those who may know who gave it.
-- $1 bigint player   $2 timestamptz before, or null   $3 uuid of the row at that instant   $4 int rows, 1...101
-- $5 bool whether anonymous donations are shown
select r.kind, r.id, r.game, r.board, r.season, r.charity, r.points, r.earned, r.anonymous, r.played_at, r.reached_at,
       r.state
  from unnest(members($1)) o(player_id)
 cross join lateral (
         (select 'score' as kind, s.id, g.slug as game, b.slug as board, b.season, null as charity, s.points, s.earned,
                 null::boolean as anonymous, s.played_at, s.reached_at, coalesce(m.state, 'counted') as state
            from score s
            join board b on b.id = s.board_id
            join game g on g.id = b.game_id
            left join score_state m on m.player_id = s.player_id and m.id = s.id
           where s.player_id = o.player_id and ($2::timestamptz is null or (s.reached_at, s.id) < ($2, $3::uuid))
           order by s.reached_at desc, s.id desc
           limit $4::int)
          union all
         (select 'donation', d.id, null, null, null, c.slug, d.points, null, d.anonymous, null, d.reached_at,
                 case when m.reversed then 'reversed' when m.unfunded = d.points then 'unfunded'
                      when m.unfunded > 0 then 'part' else 'funded' end
            from donation d
            join charity c on c.id = d.charity_id
            left join donation_state m on m.player_id = d.player_id and m.id = d.id
           where d.player_id = o.player_id and ($2::timestamptz is null or (d.reached_at, d.id) < ($2, $3::uuid))
             and ($5 or not d.anonymous)
           order by d.reached_at desc, d.id desc
           limit $4::int)
       ) r
 order by r.reached_at desc, r.id desc
 limit $4::int;
prepare admin_player(bigint, bool) as
-- admin_player: what operators may know of a player, the personal part last; of rows at most a hundred thousand count.
-- A player who was merged has the ledgers and the wallet of the one whom it is one with.
-- $1 bigint player   $2 bool whether what was given anonymously counts among the donations
select p.id, g.slug, p.name, p.avatar, p.hidden, p.registered_at, m.survivor_id as merged_into,
       w.earned, w.voided, w.held, w.given,
       (select count(*) from (select from score s where s.player_id = any(members(p.id)) limit 100000) counted),
       (select count(*)
          from (select from donation d where d.player_id = any(members(p.id)) and ($2 or not d.anonymous)
                 limit 100000) counted),
       (select count(*) from device d where d.player_id = any(members(p.id))) as devices,
       p.email, p.fb_uid, p.country, p.wants_updates, p.updates_since, p.updates_source
  from player p
  join game g on g.id = p.game_id
  left join merge m on m.player_id = p.id
  join wallet w on w.player_id = coalesce(m.survivor_id, p.id)
 where p.id = $1;
prepare admin_players(text, text, bigint, bytea[], text, bigint, int) as
-- admin_players: players by one thing that is known of them, hidden ones too, by id. A name is looked for in each game
-- by an index, whatever its case; all players of that name are read, to be in order.
-- $1 text game slug, or null for all   $2 text name, or null   $3 bigint player, or null
-- $4 bytea[] hashes of a game's own id of the player, or null   $5 text e-mail, or null
-- $6 bigint player before the first one   $7 int rows, at least 1
select p.id, g.slug, p.name, p.registered_at, p.hidden
  from game g join player p on p.game_id = g.id and lower(p.name) = lower($2)
 where $2::text is not null and ($1::text is null or g.slug = $1) and p.id > $6
 union all
select p.id, g.slug, p.name, p.registered_at, p.hidden
  from player p join game g on g.id = p.game_id
 where $3::bigint is not null and p.id = $3 and ($1::text is null or g.slug = $1) and p.id > $6
 union all
select p.id, g.slug, p.name, p.registered_at, p.hidden
  from device d join player p on p.id = d.player_id join game g on g.id = p.game_id
 where $4::bytea[] is not null and d.hash = any($4) and ($1::text is null or g.slug = $1) and p.id > $6
 union all
select p.id, g.slug, p.name, p.registered_at, p.hidden
  from player p join game g on g.id = p.game_id
 where $5::text is not null and p.email is not null and lower(p.email) = lower($5)
   and ($1::text is null or g.slug = $1) and p.id > $6
 order by 1
 limit $7::int;
prepare admin_subscribers(bigint, int) as
-- admin_subscribers: those who asked for updates and left an e-mail address, by player; a page of `subscribers`.
-- $1 bigint player before the first one   $2 int rows, at least 1
select p.id, g.slug, p.name, p.email, p.updates_since, p.updates_source
  from player p join game g on g.id = p.game_id
 where p.wants_updates and p.email is not null and p.id > $1
   and not exists (select from merge m where m.player_id = p.id)
 order by p.id
 limit $2::int;
prepare board_add(text, text, text, text, bool, bigint, bigint, text, text, text, bigint, bigint, bigint, timestamptz, timestamptz, text, text, text, text, int, bigint, int, int, timestamptz) as
-- board_add: one more score board. Outcome: added, exists, no-game, bad-zone, bad-hold.
-- $1 text game slug   $2 text slug   $3 text name   $4 text policy   $5 bool lowest first
-- $6 bigint least points   $7 bigint most points   $8 text zone   $9 text ties   $10 text earns
-- $11 bigint earns fixed or null   $12 bigint earn max or null   $13 bigint earn day or null
-- $14 timestamptz opens or null   $15 timestamptz closes or null   $16 text display   $17 text unit or null
-- $18 text trust   $19 text times the 99th percentile above which a post is held, or null
-- $20 int posts a minute, or null   $21 bigint points a minute, or null   $22 int minutes for a verdict, or null
-- $23 int minutes to settle, or null   $24 timestamptz now
with judged as materialized (
  select g.id,
         case
           when g.id is null then 'no-game'
           when not is_zone($8) then 'bad-zone'
           when ($19::text::numeric < 1) <> $5::bool or $21::bigint is not null and $5::bool then 'bad-hold'
           when exists (select from board b where b.kind = 'score' and b.game_id = g.id and b.slug = $2) then 'exists'
           else 'added'
         end as outcome
    from (select 1) one left join game g on g.slug = $1
), made as (
  insert into board (
    kind, game_id, slug, name, policy, lowest_first, points_min, points_max, zone, ties,
    earns, earns_fixed, earn_max, earn_day, opens_at, closes_at, display, unit, trust,
    hold_above, hold_rate, hold_pace, judge, settle, added_at)
  select 'score', id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
         $19::text::numeric, $20, $21, $22, $23, $24
    from judged
   where outcome = 'added'
  on conflict do nothing
  returning id
)
select case when outcome = 'added' and not exists (select from made) then 'exists' else outcome end from judged;
prepare board_list(text, text) as
-- board_list: the boards that are played now, score boards by game first, then those of giving, with the version of
-- their settings.
-- $1 text game slug, or null for all   $2 text board slug, or null for all
select b.kind, g.slug, b.slug, b.season, b.name, b.policy, b.lowest_first, b.points_min, b.points_max, b.zone, b.ties,
       b.earns, b.earns_fixed, b.earn_max, b.earn_day, b.opens_at, b.closes_at, b.display, b.unit, b.trust,
       b.hold_above::text, b.hold_rate, b.hold_pace, b.judge, b.settle, b.xmin::text
  from board b left join game g on g.id = b.game_id
 where b.season_ended_at is null and ($1::text is null or g.slug = $1)
   and ($2::text is null or b.slug = $2)
 order by b.kind desc, g.slug, b.slug;
prepare board_reset(text, text, timestamptz) as
-- board_reset: ends the season that is played and begins the next one with the same settings.
-- tallies_lock has run earlier in this transaction, so that no post lands in a season that has ended.
-- A board that has closed would begin a season that takes nothing, so it keeps the one that it has.
-- Outcome: set, no-board, closed; the season that begins.
-- $1 text game slug   $2 text board slug   $3 timestamptz now
with judged as materialized (
  select b.id, b.season,
         case
           when b.id is null then 'no-board'
           when b.closes_at <= $3::timestamptz then 'closed'
           else 'set'
         end as outcome
    from (select 1) one
    left join (board b join game g on g.id = b.game_id and g.slug = $1)
           on b.kind = 'score' and b.slug = $2 and b.season_ended_at is null
), ended as (
  update board b
     set season_ended_at = $3
    from judged j
   where j.outcome = 'set' and b.id = j.id
  returning b.*
), begun as (
  insert into board (
    kind, game_id, slug, season, name, policy, lowest_first, points_min, points_max, zone, ties,
    earns, earns_fixed, earn_max, earn_day, opens_at, closes_at, display, unit, trust,
    hold_above, hold_rate, hold_pace, judge, settle, added_at)
  select kind, game_id, slug, season + 1, name, policy, lowest_first, points_min, points_max, zone, ties,
         earns, earns_fixed, earn_max, earn_day, case when opens_at > $3 then opens_at end, closes_at,
         display, unit, trust, hold_above, hold_rate, hold_pace, judge, settle, $3
    from ended
  returning id
), measured as (
  insert into board_measure (board_id, posts, percentile, measured_at, inherited)
  select n.id, m.posts, m.percentile, m.measured_at, true
    from begun n cross join ended e join board_measure m on m.board_id = e.id
)
select outcome, season + 1 from judged;
prepare board_set(text, text, text, text, bool, bigint, bigint, text, text, text, bigint, bool, bigint, bool, bigint, bool, timestamptz, bool, timestamptz, text, bool, text, text, text, bool, text, bool, int, bool, bigint, bool, int, bool, int) as
-- board_set: changes what is not null of the season that is played; order, policy and zone only before the first post.
-- The classic feed of best posts needs `default`/`high-scores` to keep the best, highest first.
-- Outcome: set, stale, no-board, bad-zone, bad-bounds, bad-times, bad-hold, fixed, classic.
-- $1 text game slug   $2 text slug   $3 text name   $4 text policy   $5 bool lowest first
-- $6 bigint least points   $7 bigint most points   $8 text zone   $9 text ties   $10 text earns
-- $11 bigint earns fixed, which goes with $10   $12 bool set earn max   $13 bigint earn max
-- $14 bool set earn day   $15 bigint earn day   $16 bool set opens   $17 timestamptz opens
-- $18 bool set closes   $19 timestamptz closes   $20 text display   $21 bool set unit   $22 text unit   $23 text trust
-- $24 text version that it must have, or null for any   $25 bool set hold above   $26 text hold above
-- $27 bool set hold rate   $28 int hold rate   $29 bool set hold pace   $30 bigint hold pace   $31 bool set judge
-- $32 int judge   $33 bool set settle   $34 int settle
with judged as materialized (
  select b.id,
         case
           when b.id is null then 'no-board'
           when b.xmin::text <> $24::text then 'stale'
           when $8::text is not null and not is_zone($8) then 'bad-zone'
           when coalesce($6, b.points_min) > coalesce($7, b.points_max) then 'bad-bounds'
           when case when $16 then $17::timestamptz else b.opens_at end
                >= case when $18 then $19::timestamptz else b.closes_at end then 'bad-times'
           when (case when $25 then $26::text::numeric else b.hold_above end < 1) <> coalesce($5, b.lowest_first)
             or coalesce($5, b.lowest_first) and case when $29 then $30::bigint else b.hold_pace end is not null
             then 'bad-hold'
           when $1 = 'default' and $2 = 'high-scores'
            and (coalesce($4, b.policy), coalesce($5, b.lowest_first)) <> (b.policy, b.lowest_first) then 'classic'
           when (coalesce($4, b.policy), coalesce($5, b.lowest_first), coalesce($8, b.zone))
                <> (b.policy, b.lowest_first, b.zone)
            and exists (select from tally t where t.board_id = b.id) then 'fixed'
           else 'set'
         end as outcome
    from (select 1) one
    left join (board b join game g on g.id = b.game_id and g.slug = $1)
           on b.kind = 'score' and b.slug = $2 and b.season_ended_at is null
), changed as (
  update board b
     set name = coalesce($3, b.name),
         policy = coalesce($4, b.policy),
         lowest_first = coalesce($5, b.lowest_first),
         points_min = coalesce($6, b.points_min),
         points_max = coalesce($7, b.points_max),
         zone = coalesce($8, b.zone),
         ties = coalesce($9, b.ties),
         earns = coalesce($10, b.earns),
         earns_fixed = case when $10 is null then b.earns_fixed else $11 end,
         earn_max = case when $12 then $13 else b.earn_max end,
         earn_day = case when $14 then $15 else b.earn_day end,
         opens_at = case when $16 then $17::timestamptz else b.opens_at end,
         closes_at = case when $18 then $19 else b.closes_at end,
         display = coalesce($20, b.display),
         unit = case when $21 then $22 else b.unit end,
         trust = coalesce($23, b.trust),
         hold_above = case when $25 then $26::text::numeric else b.hold_above end,
         hold_rate = case when $27 then $28 else b.hold_rate end,
         hold_pace = case when $29 then $30 else b.hold_pace end,
         judge = case when $31 then $32 else b.judge end,
         settle = case when $33 then $34 else b.settle end
    from judged j
   where j.outcome = 'set' and b.id = j.id
)
select outcome from judged;
prepare charity_add(text, text, text, text, text, text, bigint, timestamptz, timestamptz, text, timestamptz, int, bigint, bigint) as
-- charity_add: one more charity, and the board of those who give to it. Outcome: added, exists, name-taken, bad-zone.
-- $1 text slug   $2 text name   $3 text name folded   $4 text name's skeleton   $5 text url or null
-- $6 text description or null   $7 bigint goal or null   $8 timestamptz opens or null   $9 timestamptz closes or null
-- $10 text zone   $11 timestamptz now   $12 int minutes to take a donation back   $13 bigint cap of a day or null
-- $14 bigint cap in all or null
with judged as materialized (
  select case
           when exists (select from charity c where c.slug = $1) then 'exists'
           when exists (
             select from charity c where $3 in (c.name_folded, c.slug) or c.name_folded = $1 or c.name_skeleton = $4
           ) then 'name-taken'
           when not is_zone($10) then 'bad-zone'
           else 'added'
         end as outcome
), made_board as (
  insert into board (kind, slug, name, policy, points_min, zone, added_at)
  select 'giving', $1, $2, 'sum', 1, $10, $11
    from judged
   where outcome = 'added'
  on conflict do nothing
  returning id
), made as (
  insert into charity (
    slug, name, name_folded, name_skeleton, url, description, goal, opens_at, closes_at, board_id, added_at,
    cooling_off, cap_day, cap_all)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, id, $11, $12, $13, $14
    from made_board
)
select case when outcome = 'added' and not exists (select from made_board) then 'exists' else outcome end from judged;
prepare charity_close(text, timestamptz) as
-- charity_close: takes no more donations from now on, also if it was to open later. Outcome: set, no-charity.
-- $1 text slug   $2 timestamptz now
with changed as (
  update charity
     set closes_at = least(closes_at, $2),
         opens_at = case when opens_at < least(closes_at, $2) then opens_at end
   where slug = $1
  returning id
)
select case when exists (select from changed) then 'set' else 'no-charity' end;
prepare charity_list(text) as
-- charity_list: charities by slug, with the version of their settings.
-- $1 text slug, or null for all
select c.slug, c.name, c.url, c.description, c.goal, c.opens_at, c.closes_at, b.zone,
       c.cooling_off, c.cap_day, c.cap_all,
       c.xmin::text || '-' || b.xmin::text
  from charity c join board b on b.id = c.board_id
 where $1::text is null or c.slug = $1
 order by c.slug;
prepare charity_lock(text) as
-- charity_lock: lets no other change of a charity's settings begin until the transaction ends.
-- $1 text slug
select c.id from charity c join board b on b.id = c.board_id where c.slug = $1 for update;
prepare charity_set(text, text, text, text, text, text, bool, bigint, bool, timestamptz, bool, timestamptz, text, int, bool, bigint, bool, bigint) as
-- charity_set: changes what is not null. charity_lock has run earlier in this transaction.
-- Outcome: set, stale, no-charity, name-taken, bad-times.
-- $1 text slug   $2 text name   $3 text name folded   $4 text name's skeleton   $5 text url, '' clears
-- $6 text description, '' clears   $7 bool set goal   $8 bigint goal   $9 bool set opens   $10 timestamptz opens
-- $11 bool set closes   $12 timestamptz closes   $13 text version that it must have, or null for any
-- $14 int minutes to take a donation back, or null   $15 bool set cap of a day   $16 bigint cap of a day
-- $17 bool set cap in all   $18 bigint cap in all
with judged as materialized (
  select c.id, c.board_id,
         case
           when c.id is null then 'no-charity'
           when c.xmin::text || '-' || b.xmin::text <> $13::text then 'stale'
           when $3::text is not null
            and exists (
              select from charity x where x.id <> c.id and ($3 in (x.name_folded, x.slug) or x.name_skeleton = $4)
            ) then 'name-taken'
           when case when $9 then $10::timestamptz else c.opens_at end
                >= case when $11 then $12::timestamptz else c.closes_at end then 'bad-times'
           else 'set'
         end as outcome
    from (select 1) one left join (charity c join board b on b.id = c.board_id) on c.slug = $1
), renamed as (
  update board b
     set name = $2::text
    from judged j
   where j.outcome = 'set' and $2::text is not null and b.id = j.board_id
), changed as (
  update charity c
     set name = coalesce($2::text, c.name),
         name_folded = coalesce($3::text, c.name_folded),
         name_skeleton = coalesce($4, c.name_skeleton),
         url = case when $5::text is null then c.url else nullif($5, '') end,
         description = case when $6::text is null then c.description else nullif($6, '') end,
         goal = case when $7 then $8 else c.goal end,
         opens_at = case when $9 then $10 else c.opens_at end,
         closes_at = case when $11 then $12 else c.closes_at end,
         cooling_off = coalesce($14, c.cooling_off),
         cap_day = case when $15 then $16 else c.cap_day end,
         cap_all = case when $17 then $18 else c.cap_all end
    from judged j
   where j.outcome = 'set' and c.id = j.id
)
select outcome from judged;
prepare game_add(text, text, text, text, timestamptz, text, text[], text[], bool) as
-- game_add: one more game. Outcome: added, exists.
-- $1 text slug   $2 text name   $3 text classic   $4 text salt or null   $5 timestamptz now   $6 text names
-- $7 text[] refused words   $8 text[] their skeletons   $9 bool whether it takes e-mail addresses
with made as (
  insert into game (slug, name, classic, salt, added_at, names, refused_words, refused_skeletons, takes_email)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (slug) do nothing
  returning id
)
select case when exists (select from made) then 'added' else 'exists' end;
prepare game_list(text) as
-- game_list: games by slug, with the version of their settings; a salt is a secret, so only whether there is one.
-- $1 text slug, or null for all
select g.slug, g.name, g.classic, g.salt is not null, g.names, g.refused_words, g.takes_email, g.xmin::text
  from game g
 where $1::text is null or g.slug = $1
 order by g.slug;
prepare game_lock(text) as
-- game_lock: lets no other change of a game's settings begin until the transaction ends, so that of two changes that
-- expect the same version one is told.
-- $1 text slug
select g.id from game g where g.slug = $1 for update;
prepare game_set(text, text, text, text, text, text, text[], text[], bool) as
-- game_set: changes what is not null; an empty salt takes the salt away. game_lock has run earlier in this transaction.
-- Outcome: set, stale, no-game.
-- $1 text slug   $2 text name or null   $3 text classic or null   $4 text salt, '' clears, or null
-- $5 text version that it must have, or null for any   $6 text names or null   $7 text[] refused words or null
-- $8 text[] their skeletons or null   $9 bool whether it takes e-mail addresses, or null
with changed as (
  update game
     set name = coalesce($2, name),
         classic = coalesce($3, classic),
         salt = case when $4::text is null then salt else nullif($4, '') end,
         names = coalesce($6, names),
         refused_words = coalesce($7, refused_words),
         refused_skeletons = coalesce($8, refused_skeletons),
         takes_email = coalesce($9, takes_email)
   where slug = $1 and ($5::text is null or xmin::text = $5)
  returning id
)
select case
         when exists (select from changed) then 'set'
         when exists (select from game g where g.slug = $1) then 'stale'
         else 'no-game'
       end;
prepare games_open as
-- games_open: the games in which whoever knows a device id speaks for the device.
select g.slug from game g where g.classic = 'open' order by g.slug;
prepare key_add(uuid, text, text, bytea, text, text[], timestamptz, timestamptz) as
-- key_add: one more key, of a game or of an operator; only its hash is kept. An id that is known answers with the key
-- that it names, so that who sends it again can be told.
-- Outcome: added, exists, no-game, token-taken, bad-expiry; the number of the key that has the id.
-- $1 uuid id   $2 text admin or game   $3 text game slug, or null of an operator   $4 bytea hash   $5 text name
-- $6 text[] scopes   $7 timestamptz expires or null   $8 timestamptz now
with judged as materialized (
  select g.id as game_id,
         case
           when exists (select from game_key k where k.public_id = $1) then 'exists'
           when $2 = 'game' and g.id is null then 'no-game'
           when exists (select from game_key k where k.hash = $4) then 'token-taken'
           when $7::timestamptz <= $8 then 'bad-expiry'
           else 'added'
         end as outcome
    from (select 1) one left join game g on $2 = 'game' and g.slug = $3
), made as (
  insert into game_key (public_id, kind, game_id, hash, name, scopes, expires_at, added_at)
  select $1, $2, game_id, $4, $5, $6, $7, $8
    from judged
   where outcome = 'added'
  on conflict do nothing
  returning id
)
-- A twin that came at the same moment has the id, or the token, when nothing was made.
select case when outcome = 'added' and not exists (select from made) then 'exists' else outcome end,
       coalesce((select id from made), (select k.id from game_key k where k.public_id = $1))
  from judged;
prepare key_list(text, text, uuid, int, int) as
-- key_list: keys in the order in which they were added, without their hashes, and the day of their last use.
-- $1 text admin or game, or null for both   $2 text game slug, or null for all   $3 uuid of one key, or null for all
-- $4 int number of the key before the first one   $5 int rows, at least 1
select k.id, k.public_id, k.kind, g.slug, k.name, k.scopes, k.added_at, k.expires_at, k.revoked_at, u.used_on
  from game_key k
  left join game g on g.id = k.game_id
  left join key_use u on u.key_id = k.id
 where ($1::text is null or k.kind = $1)
   and ($2::text is null or g.slug = $2)
   and ($3::uuid is null or k.public_id = $3)
   and k.id > $4
 order by k.id
 limit $5::int;
prepare key_revoke(uuid, timestamptz) as
-- key_revoke: ends the use of a key from now on. Outcome: set, exists when it had ended before, no-key.
-- $1 uuid id   $2 timestamptz now
with before as materialized (
  select k.id, k.revoked_at from game_key k where k.public_id = $1 for update
), changed as (
  update game_key k set revoked_at = $2 from before b where k.id = b.id and b.revoked_at is null
)
select case
         when not exists (select from before) then 'no-key'
         when exists (select from before b where b.revoked_at is null) then 'set'
         else 'exists'
       end;
prepare key_same(uuid, text, text, bytea, text, text[], timestamptz) as
-- key_same: whether the key of an id is the one that is sent again.
-- $1 uuid id   $2 text admin or game   $3 text game slug, or null of an operator   $4 bytea hash   $5 text name
-- $6 text[] scopes   $7 timestamptz expires or null
select exists (
  select from game_key k left join game g on g.id = k.game_id
   where k.public_id = $1 and k.kind = $2 and g.slug is not distinct from $3 and k.hash = $4 and k.name = $5
     and k.scopes = $6 and k.expires_at is not distinct from $7::timestamptz);
prepare key_use_note(bytea, date) as
-- key_use_note: notes the day on which a key was used; a day that is noted is not written again.
-- $1 bytea key hash   $2 date day
insert into key_use (key_id, used_on)
select k.id, $2 from game_key k where k.hash = $1
on conflict (key_id) do update set used_on = excluded.used_on where key_use.used_on < excluded.used_on;
prepare stats_days(date, date, timestamptz, timestamptz, bigint) as
-- stats_days: what happened on each day in UTC, the newest first. It reads every row of these days, by blocks, and no
-- more of each table than the bound: a row beyond it makes the answer null in `is_whole`.
-- $1 date first day   $2 date last day   $3 timestamptz its first instant   $4 timestamptz the instant after the last
-- $5 bigint rows that are read of each table
with posts as materialized (
  select (s.recorded_at at time zone 'UTC')::date as day, s.earned
    from score s
   where s.recorded_at >= $3 and s.recorded_at < $4
   limit $5::bigint + 1
), gifts as materialized (
  select (d.recorded_at at time zone 'UTC')::date as day, d.points
    from donation d
   where d.recorded_at >= $3 and d.recorded_at < $4
   limit $5::bigint + 1
), newcomers as materialized (
  select (p.registered_at at time zone 'UTC')::date as day
    from player p
   where p.registered_at >= $3 and p.registered_at < $4
   limit $5::bigint + 1
)
select x.day::date, coalesce(p.rows, 0), coalesce(g.rows, 0), coalesce(n.rows, 0), coalesce(p.earned, 0),
       coalesce(g.points, 0),
       greatest((select count(*) from posts), (select count(*) from gifts), (select count(*) from newcomers)) <= $5
         as is_whole
  from generate_series($1::date::timestamp, $2::date::timestamp, interval '1 day') x (day)
  left join (select day, count(*) as rows, sum(earned) as earned from posts group by day) p on p.day = x.day::date
  left join (select day, count(*) as rows, sum(points) as points from gifts group by day) g on g.day = x.day::date
  left join (select day, count(*) as rows from newcomers group by day) n on n.day = x.day::date
 order by x.day desc;
prepare subscribers as
-- subscribers: those who asked for updates and left an e-mail address, by when they asked.
select p.id, g.slug, p.name, p.email, p.updates_since, p.updates_source
  from player p join game g on g.id = p.game_id
 where p.wants_updates and p.email is not null
   and not exists (select from merge m where m.player_id = p.id)
 order by p.updates_since, p.id;
prepare audit_books as
-- audit_books: the closed days, added up again from the ledgers and the corrections up to the last of them, in all, of
-- each charity and of each game, and the log's last entry. Rows compared, rows that differ, one of them.
with span as materialized (
  select min(day) as first, max(day) as last, (max(day) + 1)::timestamp at time zone 'UTC' as until from book_day
), posts as materialized (
  select (s.recorded_at at time zone 'UTC')::date as day, b.game_id, sum(s.earned) as earned
    from score s
    join board b on b.id = s.board_id
   where s.recorded_at < (select until from span)
   group by (s.recorded_at at time zone 'UTC')::date, b.game_id
), gifts as materialized (
  select (d.recorded_at at time zone 'UTC')::date as day, d.charity_id, sum(d.points) as points
    from donation d
   where d.recorded_at < (select until from span)
   group by (d.recorded_at at time zone 'UTC')::date, d.charity_id
), moves as materialized (
  select (c.corrected_at at time zone 'UTC')::date as day, d.charity_id,
         coalesce(sum(c.points) filter (where c.kind in ('void', 'forfeit')), 0)
         - coalesce(sum(c.points) filter (where c.kind in ('unvoid', 'unforfeit')), 0) as voided,
         coalesce(sum(c.points) filter (where c.kind = 'hold'), 0)
         - coalesce(sum(c.points) filter (where c.kind = 'release'), 0) as held,
         coalesce(sum(c.points) filter (where c.kind = 'reverse'), 0)
         - coalesce(sum(c.points) filter (where c.kind = 'unreverse'), 0) as reversed,
         coalesce(sum(c.points) filter (where c.kind = 'unfund'), 0)
         - coalesce(sum(c.points) filter (where c.kind = 'fund'), 0) as unfunded
    from correction c
    left join donation d
      on d.player_id = c.player_id and d.id = c.subject and c.kind in ('reverse', 'unreverse', 'unfund', 'fund')
   where c.corrected_at < (select until from span)
   group by (c.corrected_at at time zone 'UTC')::date, d.charity_id
), entries as (
  select greatest((e.logged_at at time zone 'UTC')::date, (select first from span)) as day, max(e.n) as n
    from log_entry e
   where e.logged_at < (select until from span)
   group by greatest((e.logged_at at time zone 'UTC')::date, (select first from span))
), changes (day, earned, voided, held, given, unfunded, log_n) as (
  select day, earned, 0, 0, 0, 0, 0 from posts
   union all
  select day, 0, 0, 0, points, 0, 0 from gifts
   union all
  select day, 0, voided, held, - reversed, unfunded, 0 from moves
   union all
  select day, 0, 0, 0, 0, 0, n from entries
   union all
  select x.day::date, 0, 0, 0, 0, 0, 0
    from span s cross join generate_series(s.first::timestamp, s.last::timestamp, interval '1 day') x (day)
), days as (
  select day, sum(sum(earned)) over w as earned, sum(sum(voided)) over w as voided, sum(sum(held)) over w as held,
         sum(sum(given)) over w as given, sum(sum(unfunded)) over w as unfunded, max(max(log_n)) over w as log_n
    from changes
   group by day
  window w as (order by day)
), charities as (
  select charity_id, day, sum(sum(points)) over (partition by charity_id order by day) as points
    from (select charity_id, day, points from gifts
           union all
          select charity_id, day, - reversed - unfunded from moves where charity_id is not null) x
   group by charity_id, day
), games as (
  select game_id, day, sum(earned) over (partition by game_id order by day) as points from posts
), compared as (
  select 'day ' || day as name,
         (b.earned, b.voided, b.held, b.given, b.unfunded, b.log_n, b.log_hash)
         is distinct from (d.earned, d.voided, d.held, d.given, d.unfunded, d.log_n,
                           coalesce(e.hash, decode(repeat('00', 32), 'hex'))) as differs
    from book_day b full join days d using (day) left join log_entry e on e.n = d.log_n
   union all
  select 'charity ' || charity_id || ', day ' || day, b.points is distinct from c.points
    from book_charity b full join charities c using (charity_id, day)
   union all
  select 'game ' || game_id || ', day ' || day, b.points is distinct from g.points
    from book_game b full join games g using (game_id, day)
)
select count(*), count(*) filter (where differs), min(name) filter (where differs) from compared;
prepare audit_caps as
-- audit_caps: what was given to each charity that has a cap, less what was reversed, by GROUP BY over the donations.
-- Rows compared, rows that differ, one of them.
with compared as (
  select charity_id, day, coalesce(g.points, -1) <> coalesce(p.points, -1) as differs
    from charity_given g full join charity_given_proof p using (charity_id, day)
)
select count(*),
       count(*) filter (where differs),
       min('charity ' || charity_id || ', ' || day) filter (where differs)
  from compared;
prepare audit_charity_totals as
-- audit_charity_totals: what each charity received, by GROUP BY over the funded donations.
-- Rows compared, rows that differ, one of them.
with kept as (
  select t.charity_id, sum(t.points) as points, sum(t.contributors) as contributors, max(t.reached_at) as reached_at
    from charity_total t
   group by t.charity_id
), compared as (
  select charity_id,
         (k.points, k.contributors, k.reached_at) is distinct from (p.points, p.contributors::numeric, p.reached_at)
         as differs
    from kept k full join charity_total_proof p using (charity_id)
)
select count(*),
       count(*) filter (where differs),
       'charity ' || min(charity_id) filter (where differs)
  from compared;
prepare audit_funding as
-- audit_funding: of whoever gave more than there is to spend, the newest donations are unfunded by that much, and all
-- others of all players are funded. Rows compared, rows that differ, one of them.
with short as materialized (
  select w.player_id, greatest(0, - unspent(w)) as points
    from wallet w
   where unspent(w) < 0
      or exists (select
                   from ledger_owner o join donation_state m on m.player_id = o.player_id
                  where o.survivor_id = w.player_id)
), proof as (
  select s.player_id, d.id, coalesce(m.unfunded, 0) as kept, s.points as missing, d.points,
         sum(d.points) over (partition by s.player_id order by d.reached_at desc, d.id desc, d.player_id desc)
         - d.points as newer
    from short s
    join ledger_owner o on o.survivor_id = s.player_id
    join donation d on d.player_id = o.player_id
    left join donation_state m on m.player_id = d.player_id and m.id = d.id
   where not coalesce(m.reversed, false)
), compared as (
  select player_id, kept <> greatest(0, least(points, missing - newer)) as differs from proof
   union all
  select player_id, true from short s
   where points > 0 and not exists (select from proof p where p.player_id = s.player_id)
)
select count(*),
       count(*) filter (where differs),
       'player ' || min(player_id) filter (where differs)
  from compared;
prepare audit_giving_standings as
-- audit_giving_standings: every row of every giving board, by GROUP BY over the donations.
-- Rows compared, rows that differ, one of them.
with proof as (
  select g.board_id, g.row_id as player_id, sum(g.points) as points, max(g.reached_at) as reached_at
    from giving_ledger g
   group by g.board_id, g.row_id
), kept as (
  select s.board_id, s.player_id, s.points, s.reached_at, s.lowest_first
    from standing s join board b on b.id = s.board_id
   where b.kind <> 'score'
), compared as (
  select board_id, player_id,
         (k.points::numeric, k.reached_at, k.lowest_first) is distinct from (p.points, p.reached_at, false) as differs
    from kept k full join proof p using (board_id, player_id)
)
select count(*),
       count(*) filter (where differs),
       min('board ' || board_id || ', player ' || player_id) filter (where differs)
  from compared;
prepare audit_giving_tallies as
-- audit_giving_tallies: every day of every giving board, by GROUP BY over the donations.
-- Rows compared, rows that differ, one of them.
with proof as (
  select g.board_id, g.day, g.row_id as player_id, sum(g.points) as points, max(g.reached_at) as reached_at
    from giving_ledger g
   group by g.board_id, g.day, g.row_id
), kept as (
  select t.board_id, t.day, t.player_id, t.points, t.reached_at
    from tally t join board b on b.id = t.board_id
   where b.kind <> 'score'
), compared as (
  select board_id, day, player_id,
         (k.points::numeric, k.reached_at) is distinct from (p.points, p.reached_at) as differs
    from kept k full join proof p using (board_id, day, player_id)
)
select count(*),
       count(*) filter (where differs),
       min('board ' || board_id || ', ' || day || ', player ' || player_id) filter (where differs)
  from compared;
prepare audit_ledgers as
-- audit_ledgers: every ledger row belongs to a player and to a board or charity that exist.
-- Rows compared, rows that differ, one of them.
with ledger as (
  select s.player_id, s.id,
         exists (select from board b where b.id = s.board_id and b.kind = 'score')
         and exists (select from player p where p.id = s.player_id) as known
    from score s
   union all
  select d.player_id, d.id,
         exists (select from charity c where c.id = d.charity_id)
         and exists (select from player p where p.id = d.player_id)
    from donation d
)
select count(*),
       count(*) filter (where not known),
       min('player ' || player_id || ', id ' || id) filter (where not known)
  from ledger;
prepare audit_standings as
-- audit_standings: points and reached_at of every row of a score board, by GROUP BY over the ledger.
-- Rows compared, rows that differ, one of them.
with kept as (
  select s.board_id, s.player_id, s.points, s.reached_at, s.lowest_first
    from standing s left join board b on b.id = s.board_id
   where b.kind = 'score' or b.id is null    -- rows of a board that does not exist, too
), compared as (
  select board_id, player_id,
         (k.points::numeric, k.reached_at, k.lowest_first)
         is distinct from (l.points, l.reached_at, l.lowest_first) as differs
    from kept k full join ledger_standing l using (board_id, player_id)
)
select count(*),
       count(*) filter (where differs),
       min('board ' || board_id || ', player ' || player_id) filter (where differs)
  from compared;
prepare audit_states as
-- audit_states: which scores and donations do not count, by GROUP BY over the corrections, which are of ledger rows and
-- move what these earned. Rows compared, rows that differ, one of them.
with wrong as (
  select distinct c.player_id, c.subject as id, true as is_wrong
    from correction c
    left join score s on s.player_id = c.player_id and s.id = c.subject
    left join donation d on d.player_id = c.player_id and d.id = c.subject
   where c.kind in ('hold', 'release', 'void', 'unvoid') and c.points is distinct from s.earned
      or c.kind in ('reverse', 'unreverse') and c.points is distinct from d.points
), kept as (
  select player_id, id, state, 0::bigint as unfunded, false as reversed from score_state
   union all
  select player_id, id, null, unfunded, reversed from donation_state
), compared as (
  select player_id, id,
         coalesce(x.is_wrong, false)
         or (coalesce(p.voids, 0), coalesce(p.holds, 0), coalesce(p.reversals, 0), coalesce(p.unfunded, 0))
            is distinct from ((k.state is not distinct from 'voided')::int, (k.state is not distinct from 'held')::int,
                              coalesce(k.reversed, false)::int, coalesce(k.unfunded, 0)) as differs
    from kept k
    full join correction_proof p using (player_id, id)
    left join wrong x using (player_id, id)
)
select count(*),
       count(*) filter (where differs),
       min('player ' || player_id || ', id ' || id) filter (where differs)
  from compared;
prepare audit_tallies as
-- audit_tallies: points and reached_at of every day of a score board, by GROUP BY over the ledger.
-- Rows compared, rows that differ, one of them.
with kept as (
  select t.board_id, t.day, t.player_id, t.points, t.reached_at
    from tally t left join board b on b.id = t.board_id
   where b.kind = 'score' or b.id is null    -- rows of a board that does not exist, too
), compared as (
  select board_id, day, player_id,
         (k.points::numeric, k.reached_at) is distinct from (l.points, l.reached_at) as differs
    from kept k full join ledger_tally l using (board_id, day, player_id)
)
select count(*),
       count(*) filter (where differs),
       min('board ' || board_id || ', ' || day || ', player ' || player_id) filter (where differs)
  from compared;
prepare audit_wallets as
-- audit_wallets: every wallet's sums, added up again from the ledgers and the corrections; also players without a
-- wallet, and wallets without a player. Rows compared, rows that differ, one of them.
with compared as (
  select player_id,
         (w.earned::numeric, w.voided::numeric, w.held::numeric, w.given::numeric, w.merged, w.merges, w.holds)
         is distinct from (p.earned, p.voided, p.held, p.given, p.merged, p.merges, p.holds) as differs
    from wallet w full join wallet_proof p using (player_id)
)
select count(*),
       count(*) filter (where differs),
       'player ' || min(player_id) filter (where differs)
  from compared;
prepare repair_caps(text) as
-- repair_caps: makes what was given to charities that have a cap what the donations say, less what was reversed.
-- tallies_lock has run in this transaction. It brings how many rows it changed.
-- $1 text charity slug, or null for all
with asked as materialized (
  select c.id from charity c where $1::text is null or c.slug = $1
), proof as materialized (
  select p.charity_id, p.day, p.points from asked a join charity_given_proof p on p.charity_id = a.id
), gone as (
  delete from charity_given g
   using asked a
   where g.charity_id = a.id
     and not exists (select from proof p where p.charity_id = g.charity_id and p.day = g.day)
  returning 1
), put as (
  insert into charity_given as g (charity_id, day, points)
  select p.charity_id, p.day, p.points from proof p
  on conflict (charity_id, day) do update set points = excluded.points where g.points <> excluded.points
  returning 1
)
select (select count(*) from gone) + (select count(*) from put);
prepare repair_charity_totals as
-- repair_charity_totals: makes what each charity received what its funded donations say, in one part. tallies_lock has
-- run in this transaction. It brings how many parts it changed.
with proof as materialized (
  select charity_id, points, contributors, reached_at from charity_total_proof
), right_already as materialized (
  select t.charity_id
    from charity_total t join proof p using (charity_id)
   group by t.charity_id, p.points, p.contributors, p.reached_at
  having (sum(t.points), sum(t.contributors), max(t.reached_at))
         is not distinct from (p.points, p.contributors::numeric, p.reached_at)
), gone as (
  delete from charity_total t
   where t.charity_id not in (select charity_id from right_already)
     and (t.part > 0 or t.charity_id not in (select charity_id from proof))
  returning 1
), put as (
  insert into charity_total as t (charity_id, part, points, contributors, reached_at)
  select p.charity_id, 0, p.points, p.contributors, p.reached_at
    from proof p
   where p.charity_id not in (select charity_id from right_already)
  on conflict (charity_id, part) do update
     set points = excluded.points, contributors = excluded.contributors, reached_at = excluded.reached_at
  returning 1
)
select (select count(*) from gone) + (select count(*) from put);
prepare repair_donation_states as
-- repair_donation_states: makes the donations that are not funded those that the corrections say. tallies_lock has run
-- in this transaction. It brings how many it changed.
with proof as materialized (
  select p.player_id, p.id, p.reversals > 0 as reversed, p.unfunded
    from correction_proof p
   where p.reversals > 0 or p.unfunded > 0
), gone as (
  delete from donation_state m
   where not exists (select from proof p where p.player_id = m.player_id and p.id = m.id)
  returning 1
), put as (
  insert into donation_state as m (player_id, id, unfunded, reversed)
  select p.player_id, p.id, p.unfunded, p.reversed from proof p
  on conflict (player_id, id) do update set unfunded = excluded.unfunded, reversed = excluded.reversed
   where (m.unfunded, m.reversed) is distinct from (excluded.unfunded, excluded.reversed)
  returning 1
)
select (select count(*) from gone) + (select count(*) from put);
prepare repair_score_states as
-- repair_score_states: makes the scores that do not count those that the corrections say. tallies_lock has run in this
-- transaction. It brings how many it changed.
with proof as materialized (
  select p.player_id, p.id, case when p.voids > 0 then 'voided' else 'held' end as state
    from correction_proof p
   where p.voids > 0 or p.holds > 0
), gone as (
  delete from score_state m
   where not exists (select from proof p where p.player_id = m.player_id and p.id = m.id)
  returning 1
), put as (
  insert into score_state as m (player_id, id, state)
  select p.player_id, p.id, p.state from proof p
  on conflict (player_id, id) do update set state = excluded.state where m.state <> excluded.state
  returning 1
)
select (select count(*) from gone) + (select count(*) from put);
prepare repair_standings as
-- repair_standings: makes the rows of all boards what the ledgers say. tallies_lock has run in this transaction. It
-- brings how many it changed.
with proof as materialized (
  select board_id, player_id, points, reached_at, lowest_first from ledger_standing
   union all
  select board_id, row_id, sum(points), max(reached_at), lowest_first
    from giving_ledger
   group by board_id, row_id, lowest_first
), gone as (
  delete from standing s
   where not exists (select from proof p where p.board_id = s.board_id and p.player_id = s.player_id)
  returning 1
), put as (
  insert into standing as s (board_id, player_id, points, reached_at, lowest_first)
  select p.board_id, p.player_id, p.points, p.reached_at, p.lowest_first from proof p
  on conflict (board_id, player_id) do update
     set points = excluded.points, reached_at = excluded.reached_at, lowest_first = excluded.lowest_first
   where (s.points, s.reached_at, s.lowest_first)
         is distinct from (excluded.points, excluded.reached_at, excluded.lowest_first)
  returning 1
)
select (select count(*) from gone) + (select count(*) from put);
prepare repair_tallies as
-- repair_tallies: makes the rows of all days of all boards what the ledgers say. tallies_lock has run in this
-- transaction. It brings how many it changed.
with proof as materialized (
  select board_id, day, player_id, points, reached_at from ledger_tally
   union all
  select board_id, day, row_id, sum(points), max(reached_at) from giving_ledger group by board_id, day, row_id
), gone as (
  delete from tally t
   where not exists (
           select from proof p where p.board_id = t.board_id and p.day = t.day and p.player_id = t.player_id
         )
  returning 1
), put as (
  insert into tally as t (board_id, day, player_id, points, reached_at)
  select p.board_id, p.day, p.player_id, p.points, p.reached_at from proof p
  on conflict (board_id, day, player_id) do update
     set points = excluded.points, reached_at = excluded.reached_at
   where (t.points, t.reached_at) is distinct from (excluded.points, excluded.reached_at)
  returning 1
)
select (select count(*) from gone) + (select count(*) from put);
prepare repair_wallets as
-- repair_wallets: makes the sums of wallets what ledgers and corrections say, and adds wallets that are missing.
-- tallies_lock has run in this transaction, so nobody posts or gives. It brings how many it changed.
with put as (
  insert into wallet as w (player_id, earned, voided, held, given, merged, merges, holds)
  select p.player_id, p.earned, p.voided, p.held, p.given, p.merged, p.merges, p.holds
    from wallet_proof p order by p.player_id
  on conflict (player_id) do update
     set earned = excluded.earned, voided = excluded.voided, held = excluded.held, given = excluded.given,
         merged = excluded.merged, merges = excluded.merges, holds = excluded.holds
   where (w.earned, w.voided, w.held, w.given, w.merged, w.merges, w.holds)
         is distinct from (excluded.earned, excluded.voided, excluded.held, excluded.given, excluded.merged,
                           excluded.merges, excluded.holds)
  returning 1
)
select count(*) from put;
prepare book_charities(date) as
-- book_charities: what each charity had received by the end of a closed day, in the order of their slugs.
-- $1 date day
select c.slug, c.name, k.points
  from charity c
  join lateral (
         select b.points from book_charity b where b.charity_id = c.id and b.day <= $1 order by b.day desc limit 1
       ) k on true
 order by c.slug collate "C";
prepare book_close(date, date, timestamptz, timestamptz, timestamptz) as
-- book_close: closes the days in UTC that are over, from what was recorded on them, and says how many. It reads the
-- rows of these days once, whatever their number. Without a closed day the books begin on the day of the first score or
-- donation. The lock is held, and the sums go on from the last closed day.
-- $1 date first day, or null when none is closed   $2 date last day   $3 timestamptz where the first begins, or null
-- $4 timestamptz end of the last day   $5 timestamptz now
with posts as materialized (
  select (s.recorded_at at time zone 'UTC')::date as day, b.game_id, sum(s.earned) as earned
    from score s
    join board b on b.id = s.board_id
   where s.recorded_at >= coalesce($3::timestamptz, '-infinity') and s.recorded_at < $4
   group by (s.recorded_at at time zone 'UTC')::date, b.game_id
), gifts as materialized (
  select (d.recorded_at at time zone 'UTC')::date as day, d.charity_id, sum(d.points) as points
    from donation d
   where d.recorded_at >= coalesce($3::timestamptz, '-infinity') and d.recorded_at < $4
   group by (d.recorded_at at time zone 'UTC')::date, d.charity_id
), moves as materialized (
  select (c.corrected_at at time zone 'UTC')::date as day, d.charity_id,
         sum(case when c.kind in ('void', 'forfeit') then c.points
                  when c.kind in ('unvoid', 'unforfeit') then - c.points else 0 end) as voided,
         sum(case c.kind when 'hold' then c.points when 'release' then - c.points else 0 end) as held,
         sum(case c.kind when 'reverse' then c.points when 'unreverse' then - c.points else 0 end) as reversed,
         sum(case c.kind when 'unfund' then c.points when 'fund' then - c.points else 0 end) as unfunded
    from correction c
    left join donation d
      on d.player_id = c.player_id and d.id = c.subject and c.kind in ('reverse', 'unreverse', 'unfund', 'fund')
   where c.corrected_at >= coalesce($3::timestamptz, '-infinity') and c.corrected_at < $4
   group by (c.corrected_at at time zone 'UTC')::date, d.charity_id
), days as materialized (
  select x.day::date as day
    from generate_series(
           coalesce($1::date, least((select min(day) from posts), (select min(day) from gifts)))::timestamp,
           $2::date::timestamp, interval '1 day'
         ) x (day)
), before as materialized (
  select coalesce(max(b.earned), 0) as earned, coalesce(max(b.voided), 0) as voided, coalesce(max(b.held), 0) as held,
         coalesce(max(b.given), 0) as given, coalesce(max(b.unfunded), 0) as unfunded,
         coalesce(max(b.log_n), 0) as log_n
    from book_day b
   where b.day = (select max(day) from book_day)
), entries as (
  -- What was logged before the books began is in those of their first day.
  select greatest((e.logged_at at time zone 'UTC')::date, (select min(day) from days)) as day, max(e.n) as n
    from log_entry e
   where e.n > (select log_n from before) and e.logged_at < $4
   group by greatest((e.logged_at at time zone 'UTC')::date, (select min(day) from days))
), sums as (
  select d.day, b.earned + sum(coalesce(p.earned, 0)) over w as earned,
         b.voided + sum(coalesce(m.voided, 0)) over w as voided, b.held + sum(coalesce(m.held, 0)) over w as held,
         b.given + sum(coalesce(g.points, 0) - coalesce(m.reversed, 0)) over w as given,
         b.unfunded + sum(coalesce(m.unfunded, 0)) over w as unfunded,
         greatest(b.log_n, max(e.n) over w) as log_n
    from days d
   cross join before b
    left join (select day, sum(earned) as earned from posts group by day) p on p.day = d.day
    left join (select day, sum(points) as points from gifts group by day) g on g.day = d.day
    left join (select day, sum(voided) as voided, sum(held) as held, sum(reversed) as reversed,
                      sum(unfunded) as unfunded
                 from moves
                group by day) m on m.day = d.day
    left join entries e on e.day = d.day
  window w as (order by d.day)
), charities as (
  insert into book_charity (charity_id, day, points)
  select x.charity_id, x.day,
         coalesce((select b.points from book_charity b where b.charity_id = x.charity_id order by b.day desc limit 1),
                  0)
         + sum(sum(x.points)) over (partition by x.charity_id order by x.day)
    from (select charity_id, day, points from gifts
           union all
          select charity_id, day, - reversed - unfunded from moves where charity_id is not null) x
   group by x.charity_id, x.day
), games as (
  insert into book_game (game_id, day, points)
  select x.game_id, x.day,
         coalesce((select b.points from book_game b where b.game_id = x.game_id order by b.day desc limit 1), 0)
         + sum(x.earned) over (partition by x.game_id order by x.day)
    from posts x
), closed as (
  insert into book_day (day, earned, voided, held, given, unfunded, log_n, log_hash, closed_at)
  select s.day, s.earned, s.voided, s.held, s.given, s.unfunded, s.log_n,
         coalesce(e.hash, decode(repeat('00', 32), 'hex')), $5
    from sums s left join log_entry e on e.n = s.log_n
  returning 1
)
select count(*) from closed;
prepare book_find(date) as
-- book_find: what had been earned and given by the end of a closed day.
-- $1 date day
select b.day, b.earned, b.voided, b.held, b.given, b.unfunded, b.log_n, b.log_hash from book_day b where b.day = $1;
prepare book_games(date) as
-- book_games: what had been earned in each game by the end of a closed day, in the order of their slugs.
-- $1 date day
select g.slug, g.name, k.points
  from game g
  join lateral (
         select b.points from book_game b where b.game_id = g.id and b.day <= $1 order by b.day desc limit 1
       ) k on true
 order by g.slug collate "C";
prepare book_lock as
-- book_lock: lets nobody else close days until this transaction ends; false when somebody does so already.
-- A lock of the table would take the right to change the books, which nobody has.
select pg_try_advisory_xact_lock(1734964838, 2);
prepare book_patience(int) as
-- book_patience: how long a statement of this transaction may take. The first one to close days reads both ledgers.
-- $1 int milliseconds
select set_config('statement_timeout', $1::int::text, true);
prepare book_span as
-- book_span: the first and the last day that are closed, with every day between them; null when none is.
select min(b.day), max(b.day) from book_day b;
prepare demo_avatars(bytea[], bytea[], timestamptz) as
-- demo_avatars: pictures that many players share.
-- $1 bytea[] SHA-256s   $2 bytea[] PNGs   $3 timestamptz now
insert into avatar (sha256, png, added_at)
select v.sha256, v.png, $3
  from unnest($1::bytea[], $2::bytea[]) v(sha256, png)
on conflict (sha256) do nothing;
prepare demo_boards as
-- demo_boards: the score boards that are played now, each with the game it belongs to.
select g.slug, b.slug, g.id, b.id
  from board b join game g on g.id = b.game_id
 where b.kind = 'score' and b.season_ended_at is null
 order by b.id;
prepare demo_charities as
-- demo_charities: the charities' ids.
select slug, id from charity order by id;
prepare demo_charity_totals(bigint[]) as
-- demo_charity_totals: adds what charities received from new players, by GROUP BY over the donations.
-- $1 bigint[] players
insert into charity_total as c (charity_id, part, points, contributors, reached_at)
select d.charity_id, 0, sum(d.points), count(distinct d.player_id) filter (where not d.anonymous),
       max(d.reached_at) filter (where not d.anonymous)
  from donation d
 where d.player_id = any($1::bigint[])
 group by d.charity_id
 order by d.charity_id
on conflict (charity_id, part) do update
   set points = c.points + excluded.points,
       contributors = c.contributors + excluded.contributors,
       reached_at = greatest(c.reached_at, excluded.reached_at);
prepare demo_donations(bigint[], uuid[], int[], bigint[], bool[], timestamptz[]) as
-- demo_donations: the ledger of what they gave, with the day in the zone of each charity's board.
-- $1 bigint[] players   $2 uuid[] ids   $3 int[] charities   $4 bigint[] points   $5 bool[] anonymous
-- $6 timestamptz[] when
insert into donation (
  player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day, row_id, day_began_at)
select v.player_id, v.id, v.charity_id, v.points, v.anonymous, false, v.reached_at, v.reached_at,
       (v.reached_at at time zone b.zone)::date, case when v.anonymous then anonymous_row_id(v.id) end,
       case when v.anonymous then date_trunc('day', v.reached_at, b.zone) end
  from unnest($1::bigint[], $2::uuid[], $3::int[], $4::bigint[], $5::bool[], $6::timestamptz[])
       v(player_id, id, charity_id, points, anonymous, reached_at)
  join charity c on c.id = v.charity_id
  join board b on b.id = c.board_id;
prepare demo_giving_standings(bigint[]) as
-- demo_giving_standings: new players' standings on giving boards, by GROUP BY over the donations.
-- $1 bigint[] players
insert into standing (board_id, player_id, points, reached_at, lowest_first)
select g.board_id, g.row_id, sum(g.points), max(g.reached_at), g.lowest_first
  from giving_ledger g
 where g.player_id = any($1::bigint[])
 group by g.board_id, g.row_id, g.lowest_first
 order by g.board_id, g.row_id;
prepare demo_giving_tallies(bigint[]) as
-- demo_giving_tallies: new players' days on giving boards, by GROUP BY over the donations.
-- $1 bigint[] players
insert into tally (board_id, day, player_id, points, reached_at)
select g.board_id, g.day, g.row_id, sum(g.points), max(g.reached_at)
  from giving_ledger g
 where g.player_id = any($1::bigint[])
 group by g.board_id, g.day, g.row_id
 order by g.board_id, g.day, g.row_id;
prepare demo_hold_books as
-- demo_hold_books: waits until nobody closes days of the books, and lets nobody do so until this transaction ends.
select pg_advisory_xact_lock(1734964838, 2)::text;
prepare demo_precheck as
-- demo_precheck: whether a demo may be put here.
-- It asks whether anybody has played yet, and whether the first board still is what the migrations made, because the
-- demo earns by its rules.
select exists (select from player)
    or exists (select from wallet)
    or exists (select from score)
    or exists (select from donation),
       exists (
         select from board b join game g on g.id = b.game_id
          where b.kind = 'score' and g.slug = 'default' and b.slug = 'high-scores' and b.season_ended_at is null
            and b.policy = 'best' and not b.lowest_first
            and b.points_min = 1 and b.points_max = 9223372036854775807
            and b.earns = 'points' and b.earn_max is null and b.earn_day is null
            and b.opens_at is null and b.closes_at is null
       );
prepare demo_standings(bigint[]) as
-- demo_standings: new players' standings on score boards, as the ledger makes them.
-- $1 bigint[] players
insert into standing (board_id, player_id, points, reached_at, lowest_first)
select l.board_id, l.player_id, l.points, l.reached_at, l.lowest_first
  from ledger_standing l
 where l.player_id = any($1::bigint[])
 order by l.board_id, l.player_id;
prepare demo_tallies(bigint[]) as
-- demo_tallies: new players' days on score boards, as the ledger makes them.
-- $1 bigint[] players
insert into tally (board_id, day, player_id, points, reached_at)
select l.board_id, l.day, l.player_id, l.points, l.reached_at
  from ledger_tally l
 where l.player_id = any($1::bigint[])
 order by l.board_id, l.day, l.player_id;
prepare demo_wallets(bigint[]) as
-- demo_wallets: new players' wallets, added up from both ledgers.
-- $1 bigint[] players
insert into wallet (player_id, earned, given)
select p.player_id,
       coalesce((select sum(s.earned) from score s where s.player_id = p.player_id), 0),
       coalesce((select sum(d.points) from donation d where d.player_id = p.player_id), 0)
  from unnest($1::bigint[]) p(player_id);
prepare code_find(bytea, bytea, timestamptz) as
-- code_find: the player whose code this is, and the player to whom it has brought this device before.
-- A code that two players happen to have is nobody's.
-- $1 bytea code hash   $2 bytea device hash   $3 timestamptz now
select (select min(c.player_id)
          from code c
         where c.hash = $1 and (c.expires_at is null or c.expires_at > $3)
        having count(*) = 1),
       (select d.player_id from device d where d.hash = $2 and d.joined_by = $1);
prepare code_make(bytea, text, bytea, timestamptz, timestamptz) as
-- code_make: gives the player of a device a new code, which ends the former one of its kind. callers_lock has run in
-- this transaction.
-- $1 bytea token hash of the device   $2 text kind   $3 bytea code hash   $4 timestamptz now
-- $5 timestamptz from when it is no longer good, or null for never
insert into code (player_id, kind, hash, device, made_at, expires_at)
select d.player_id, $2, $3, d.hash, $4, $5
  from device d
 where d.token_hash = $1
on conflict (player_id, kind) do update
   set hash = excluded.hash, device = excluded.device, made_at = excluded.made_at, expires_at = excluded.expires_at
returning player_id;
prepare code_make_player(bigint, bytea, timestamptz, timestamptz) as
-- code_make_player: gives a player a new join code that an operator asked for, which ends the former one. No device has
-- asked for it, so none ends it. callers_lock has run in this transaction.
-- $1 bigint player   $2 bytea code hash   $3 timestamptz now   $4 timestamptz from when it is no longer good
insert into code (player_id, kind, hash, device, made_at, expires_at)
select coalesce(m.survivor_id, p.id), 'join', $2, decode(repeat('00', 32), 'hex'), $3, $4
  from player p
  left join merge m on m.player_id = p.id
 where p.id = $1
on conflict (player_id, kind) do update
   set hash = excluded.hash, device = excluded.device, made_at = excluded.made_at, expires_at = excluded.expires_at
returning player_id;
prepare device_cut(bytea, bytea) as
-- device_cut: cuts a device off from its player, with the codes that it asked for. callers_lock has run in this
-- transaction. No row when there is no such token.
-- Outcome: cut, no-device, last.
-- $1 bytea token hash of a device of the player   $2 bytea device hash
with
judged as materialized (
  select t.player_id,
         case
           when d.hash is null then 'no-device'
           when not exists (select from device o
                             where o.player_id = t.player_id and o.token_hash is not null and o.hash <> d.hash)
             then 'last'
           else 'cut'
         end as outcome
    from device t
    left join device d on d.hash = $2 and d.player_id = t.player_id and d.token_hash is not null
   where t.token_hash = $1
),
cut as (
  delete from device d using judged j where j.outcome = 'cut' and d.hash = $2
),
withdrawn as (
  delete from code c using judged j where j.outcome = 'cut' and c.player_id = j.player_id and c.device = $2
)
select j.outcome from judged j;
prepare device_join(bytea, bytea, bytea, bigint, bigint, text, timestamptz, date, bigint, bool, int) as
-- device_join: brings a device to the player of a code, which is used up by it. callers_lock has run in this
-- transaction for that player, and for the one whom the device has spoken for until now.
-- That one is left behind if it has no other device: what it told about itself is deleted, its profile is no longer
-- there, and nobody can join it. It stays as an id without any score or donation.
-- Outcome: joined, known (the code is of the device's own player, and stays), refused, has-history, or changed, when
-- what was judged before the locks were taken no longer holds. Who asks to be merged, despite a history, is answered
-- merge, with the code used up, or merge-limit; the merge itself is an act in the same transaction.
-- $1 bytea device hash   $2 bytea token hash   $3 bytea code hash   $4 bigint the player whose code it is
-- $5 bigint the player of the device, or null for a new one   $6 text name of the device or null   $7 timestamptz now
-- $8 date today   $9 bigint devices of a player, at most   $10 bool whether to merge a player with a history
-- $11 int merges of a player, at most
with
judged as materialized (
  select d.hash is null as is_new,
         case
           when d.player_id is distinct from $5::bigint or d.token_hash <> $2
             or exists (select from device o where o.token_hash = $2 and o.hash <> $1) then 'changed'
           when c.player_id is null then 'refused'
           when exists (select from wallet w where w.player_id in ($4, d.player_id) and w.banned) then 'refused'
           when d.player_id = $4 then 'known'
           when exists (select from score s where s.player_id = any(members(d.player_id)))
             or exists (select from donation g where g.player_id = any(members(d.player_id)))
             then case
                    when not $10::bool then 'has-history'
                    when (select w.merges from wallet w where w.player_id = $4) >= $11::int then 'merge-limit'
                    else 'merge'
                  end
           when (select count(*) from device o where o.player_id = $4) >= $9 then 'refused'
           else 'joined'
         end as outcome
    from (select 1) one
    left join device d on d.hash = $1
    left join code c on c.player_id = $4 and c.hash = $3 and (c.expires_at is null or c.expires_at > $7)
),
made as (
  insert into device (hash, player_id, token_hash, registered_at, name, seen_on, joined_by)
  select $1, $4, $2, $7, $6, $8, $3 from judged where outcome = 'joined' and is_new
  on conflict (hash) do nothing
  returning hash
),
moved as (
  update device d
     set player_id = $4, token_hash = $2, registered_at = $7, name = coalesce($6, d.name), seen_on = $8, joined_by = $3
    from judged j
   where j.outcome = 'joined' and not j.is_new and d.hash = $1
  returning d.hash
),
merged as (
  update device d
     set joined_by = $3, name = coalesce($6, d.name), seen_on = $8
    from judged j
   where j.outcome = 'merge' and d.hash = $1
  returning d.hash
),
used as (
  delete from code c
   where c.player_id = $4 and c.hash = $3
     and (exists (select from made) or exists (select from moved) or exists (select from merged))
),
left_behind as materialized (
  select $5 as player_id
    from moved
   where not exists (select from device o where o.player_id = $5 and o.hash <> $1)
),
withdrawn as (
  delete from code c using left_behind l where c.player_id = l.player_id
),
cleared as (
  update player p
     set email = null, fb_uid = null, country = null, avatar = null, unlisted = true,
         wants_updates = false, updates_since = null, updates_source = null
    from left_behind l
   where p.id = l.player_id
)
select case
         when j.outcome = 'joined' and not exists (select from made) and not exists (select from moved) then 'changed'
         else j.outcome
       end as outcome,
       p.id, p.name, p.wants_updates, p.avatar
  from judged j
  left join player p on p.id = $4;
prepare device_of_token(bytea) as
-- device_of_token: the device that a token belongs to, with its player and game, and whether the player may not write.
-- $1 bytea token hash
select d.hash, p.id, g.slug, w.banned
  from device d
  join player p on p.id = d.player_id
  join game g on g.id = p.game_id
  join wallet w on w.player_id = p.id
 where d.token_hash = $1;
prepare device_seen(bytea, bytea, text, date) as
-- device_seen: notes the day on which a device was seen, and its name, where they are others than before. It is about
-- the device alone, so no wallet is locked for it.
-- $1 bytea device hash   $2 bytea token hash   $3 text name or null   $4 date today
update device d
   set name = coalesce($3, d.name), seen_on = $4
 where d.hash = $1 and d.token_hash = $2
   and (d.seen_on is distinct from $4 or $3::text is not null and d.name is distinct from $3);
prepare devices_own(bytea) as
-- devices_own: the devices with a token that speak for the player of a token, in the order in which they came.
-- $1 bytea token hash
select d.hash, d.name, d.registered_at, d.seen_on, d.token_hash = $1 as is_this
  from device t
  join device d on d.player_id = t.player_id and d.token_hash is not null
 where t.token_hash = $1
 order by d.registered_at, d.hash;
prepare token_rotate(bytea, bytea, date) as
-- token_rotate: gives a device another token. callers_lock has run in this transaction. No row when there is no such
-- token.
-- Outcome: rotated, known (the token is the one that it has), taken (the token is another device's).
-- $1 bytea token hash   $2 bytea hash of the new token   $3 date today
with
judged as materialized (
  select d.hash,
         case
           when $1::bytea = $2::bytea then 'known'
           when exists (select from device o where o.token_hash = $2) then 'taken'
           else 'rotated'
         end as outcome
    from device d
   where d.token_hash = $1
),
rotated as (
  update device d
     set token_hash = $2, seen_on = $3
    from judged j
   where j.outcome = 'rotated' and d.hash = j.hash
)
select j.outcome, j.hash from judged j;
prepare boards_measure(text, text, timestamptz, timestamptz) as
-- boards_measure: measures anew what the scores are like of boards that hold by that. A season with fewer than 100
-- players goes by the measure of the season before, if there is one. One process at a time does it; it brings how many
-- it measured.
-- $1 text game slug, or null for all   $2 text board slug, or null for all
-- $3 timestamptz when the last measure was taken that is old enough   $4 timestamptz now
with alone as materialized (
  select pg_try_advisory_xact_lock(1734964838) as is_mine
), measured as (
  insert into board_measure as m (board_id, posts, percentile, measured_at)
  select b.id, p.posts, q.points, $4
    from alone a
    join game g on $1::text is null or g.slug = $1
    join board b on b.game_id = g.id and ($2::text is null or b.slug = $2)
    left join board_measure o on o.board_id = b.id
   cross join lateral (
           select count(*)::int as posts
             from (select 1
                     from standing t join score s on s.player_id = t.player_id and s.board_id = t.board_id
                    where t.board_id = b.id and coalesce(o.posts, 0) < 1000
                    limit 1000) x
         ) c
   cross join lateral (select greatest(c.posts, coalesce(o.posts, 0)) as posts) p
   cross join lateral (select count(*) as players from standing n where n.board_id = b.id) f
    left join lateral (
           select t.points
             from standing t
            where t.board_id = b.id
            order by t.order_key
           offset f.players / 100
            limit 1
         ) q on true
   where a.is_mine and b.kind = 'score' and b.season_ended_at is null
     and coalesce(b.hold_above, b.hold_rate, b.hold_pace) is not null
     and (o.measured_at is null or o.measured_at <= $3)
     and (f.players >= 100 or o.inherited is not true)
  on conflict (board_id) do update
     set posts = excluded.posts, measured_at = excluded.measured_at,
         percentile = excluded.percentile, inherited = false
  returning 1
)
select count(*) from measured;
prepare held_find(text, uuid) as
-- held_find: a score of a game that was held, by its item: whose row it is, whether it still is held and until when the
-- game may judge it, and what the game has said of it.
-- $1 text game slug   $2 uuid item
select h.player_id as owner_id, h.id, coalesce(m.state, 'counted') as state, h.why, h.judge_until, h.verdict
  from held_score h
  join score s on s.player_id = h.player_id and s.id = h.id
  join board b on b.id = s.board_id
  join game g on g.id = b.game_id
  left join score_state m on m.player_id = h.player_id and m.id = h.id
 where g.slug = $1 and h.item = $2;
prepare held_judge(bigint, uuid, text, bytea, timestamptz) as
-- held_judge: notes what a game says of a score that waits for it. A rule that holds it, too, does so still.
-- $1 bigint whose row the score is   $2 uuid score   $3 text verdict   $4 bytea hash of the key   $5 timestamptz now
update held_score h
   set judge_until = null, verdict = $3, judged_at = $5,
       judged_by = (select k.id from game_key k where k.hash = $4),
       why = case when h.why = '{judge}' then h.why else array_remove(h.why, 'judge') end
 where h.player_id = $1 and h.id = $2;
prepare held_let(bigint[], uuid[], timestamptz) as
-- held_let: lets scores wait for their game no more, and brings those that nothing else holds. The wallet is locked.
-- $1 bigint[] whose row each score is   $2 uuid[] score   $3 timestamptz now
with let as (
  update held_score h
     set judge_until = null, why = case when h.why = '{judge}' then h.why else array_remove(h.why, 'judge') end
    from unnest($1::bigint[], $2::uuid[]) v(player_id, id)
   where h.player_id = v.player_id and h.id = v.id and h.judge_until <= $3
  returning h.player_id, h.id, h.why
)
select l.player_id, l.id
  from let l join score_state m on m.player_id = l.player_id and m.id = l.id
 where l.why = '{judge}' and m.state = 'held';
prepare held_overdue(timestamptz, int) as
-- held_overdue: scores of which their game has said nothing in time, the longest overdue first.
-- $1 timestamptz now   $2 int rows
select h.player_id, h.id from held_score h where h.judge_until <= $1 order by h.judge_until, h.item limit $2::int;
prepare held_page(text, timestamptz, timestamptz, uuid, int) as
-- held_page: scores that wait for the verdict of their game, the soonest due first.
-- $1 text game slug   $2 timestamptz now   $3 timestamptz the instant before the first
-- $4 uuid the item at that instant   $5 int rows
select h.item, b.slug, s.player_id, s.id, s.points, s.played_at, n.detail, s.reached_at, h.judge_until
  from held_score h
  join score_state m on m.player_id = h.player_id and m.id = h.id and m.state = 'held'
  join score s on s.player_id = h.player_id and s.id = h.id
  join board b on b.id = s.board_id
  join game g on g.id = b.game_id
  left join score_note n on n.player_id = s.player_id and n.id = s.id
 where g.slug = $1 and h.judge_until > $2 and (h.judge_until, h.item) > ($3, $4)
 order by h.judge_until, h.item
 limit $5::int;
prepare boards_rules(text[], text[]) as
-- boards_rules: the boards of a batch's scores, by the season that is played, with the rules by which they take scores.
-- $1 text[] game slugs   $2 text[] board slugs
select d.n::int, b.id, b.ties, b.policy, b.lowest_first, b.points_min, b.points_max, b.opens_at, b.closes_at, b.earns,
       b.earns_fixed, b.earn_max, b.earn_day, b.trust,
       (extract(epoch from settle_time(b)) / 60)::int as settle, (b.hold_above * 1000)::bigint as hold_above,
       b.hold_rate, b.hold_pace, b.judge, coalesce(m.posts, 0) as posts, m.percentile
  from unnest($1::text[], $2::text[]) with ordinality d(game, board, n)
  join game g on g.slug = d.game
  join board b on b.kind = 'score' and b.game_id = g.id and b.slug = d.board and b.season_ended_at is null
  left join board_measure m on m.board_id = b.id;
prepare callers_identify(bytea[], bytea[], bytea[], bigint[], text[], bool[], timestamptz) as
-- callers_identify: finds the player for whom each row of a batch speaks, or why its caller may not speak for anybody,
-- and the device and the key's end on which the answer depends.
-- It runs before the transaction that locks these players, so a row that is refused locks nobody and takes no turn.
-- A token says more than a key with a player, and a key more than a device alone. A player who comes without any of
-- them was identified before.
-- $1 bytea[] token hash, or null   $2 bytea[] key hash, or null   $3 bytea[] device hash, or null
-- $4 bigint[] player that the row names, or null   $5 text[] game slug; a donation has one only of a device alone
-- $6 bool[] whether the row is a score, which belongs to its game's players   $7 timestamptz now
select case when v.token is null and v.device is null then coalesce(c.survivor_id, p.id) else p.id end as player_id,
       case
         when v.token is not null and p.id is null then 'unauthorized'
         when v.key is not null and k.id is null then 'unauthorized'
         when v.is_score and g.id is null then 'no-board'
         when v.is_score and k.game_id <> g.id then 'forbidden'
         when v.key is not null and not case when v.is_score then 'post' else 'donate' end = any(k.scopes)
           then 'scope'
         when v.is_score and v.token is not null and p.game_id <> g.id then 'unauthorized'
         when v.token is not null and coalesce(c.survivor_id, v.named_player) <> p.id then 'forbidden'
         -- A device that speaks for itself, by its id alone.
         when v.key is null and v.device is not null and g.classic <> 'open' then 'protocol-closed'
         when v.key is null and v.device is not null and d.token_hash is not null then 'token-needed'
         when p.id is null or p.name = '' or p.game_id <> k.game_id or v.is_score and p.game_id <> g.id then 'no-player'
         when v.key is null and v.device is not null and g.id is null then 'no-player'
       end as refusal,
       case when v.token is not null then t.hash else d.hash end as device,
       k.expires_at,
       -- The player of before a merge, under whose rows ids are looked for first.
       case
         when v.token is not null then coalesce(t.merged_from, p.id)
         when v.device is not null then coalesce(d.merged_from, p.id)
         else p.id
       end as own_id
  from unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bigint[], $5::text[], $6::bool[])
       with ordinality v(token, key, device, named_player, game, is_score, n)
  left join game g on g.slug = v.game
  left join game_key k on k.hash = v.key and k.kind = 'game' and k.revoked_at is null
                       and ($7::timestamptz < k.expires_at) is not false
  left join device t on t.token_hash = v.token
  left join device d on d.hash = v.device
  left join player p on p.id = case
                                 when v.token is not null then t.player_id
                                 when v.device is not null then d.player_id
                                 else v.named_player
                               end
  left join merge c on c.player_id = v.named_player
 order by v.n;
prepare callers_lock(bytea[], bytea[], bigint[]) as
-- callers_lock: takes the one lock for everything about a player, in key order, before the next statement's snapshot.
-- $1 bytea[] token hashes   $2 bytea[] device hashes   $3 bigint[] players
with locked as (
  select w.player_id
    from wallet w
   where w.player_id = any(array(
           select d.player_id from device d where d.token_hash = any($1::bytea[])
            union
           select d.player_id from device d where d.hash = any($2::bytea[])
            union
           select unnest($3::bigint[])
         ))
   order by w.player_id
     for update
)
select count(*) from locked;
prepare callers_outdated(bigint[], bigint[]) as
-- callers_outdated: for which players nobody speaks any more who did when the callers were identified: those who were
-- erased, and those with whom a caller's own player is no longer one. wallets_lock has run in this transaction, and
-- erasing and parting hold the same lock, so this statement sees each that came before.
-- $1 bigint[] players   $2 bigint[] the callers' own players, before they were merged
select v.player_id
  from unnest($1::bigint[], $2::bigint[]) v(player_id, own_id)
 -- As values these are looked up by their keys; as `exists` the whole tables might be read and hashed.
 where (select e.receipt is not null from erasure e where e.player_id = v.player_id)
    or v.own_id <> v.player_id
       and (select m.survivor_id from merge m where m.player_id = v.own_id) is distinct from v.player_id;
prepare caps_add(int[], date[], numeric[]) as
-- caps_add: adds donations to what was given to charities that have a cap. caps_lock has run earlier in this
-- transaction.
-- $1 int[] charity   $2 date[] day of its board   $3 numeric[] points
insert into charity_given as g (charity_id, day, points)
select v.charity_id, v.day, sum(v.points)
  from unnest($1::int[], $2::date[], $3::numeric[]) v(charity_id, day, points)
 group by v.charity_id, v.day
on conflict (charity_id, day) do update set points = g.points + excluded.points;
prepare caps_given(int[], date[]) as
-- caps_given: what was given on a day, and in all, to charities that have a cap, less what was reversed, and when that
-- day's next one begins. caps_lock has run earlier in this transaction.
-- $1 int[] charities, any of them more than once   $2 date[] day of each one's board
select v.charity_id, v.day, coalesce(sum(g.points) filter (where g.day = v.day), 0) as given_day,
       coalesce(sum(g.points), 0) as given_all,
       (v.day + 1)::timestamp at time zone b.zone as next_day_begins_at
  from (select distinct x.charity_id, x.day from unnest($1::int[], $2::date[]) x(charity_id, day)) v
  join charity c on c.id = v.charity_id
  join board b on b.id = c.board_id
  left join charity_given g on g.charity_id = v.charity_id
 group by v.charity_id, v.day, b.zone;
prepare caps_lock(int[]) as
-- caps_lock: lets nobody else give to some charities that have a cap, nor take back or give again what was given to
-- them, until the transaction ends. Wallets are locked before, and charities' totals after it.
-- $1 int[] charities
select c.id from charity c where c.id = any($1::int[]) order by c.id for no key update;
prepare charity_totals_add(int[], numeric[], bigint[], timestamptz[]) as
-- charity_totals_add: adds up what each charity received. Each transaction writes rows of a part that no other one
-- writes at the moment, so nobody waits for the row of a charity to which many give. Parts are tried from the first, so
-- the rows stay few. Charities come in the order of their ids, each once.
-- $1 int[] charity   $2 numeric[] points   $3 bigint[] new contributors   $4 timestamptz[] last arrival
insert into charity_total as c (charity_id, part, points, contributors, reached_at)
select v.charity_id,
       (select p.part
          from (select generate_series(0, 64) as part) p
         where p.part = 64 or pg_try_advisory_xact_lock(1734964837, p.part)
         limit 1),
       v.points, v.contributors, v.reached_at
  from unnest($1::int[], $2::numeric[], $3::bigint[], $4::timestamptz[]) v(charity_id, points, contributors, reached_at)
 order by v.charity_id
on conflict (charity_id, part) do update
   set points = c.points + excluded.points,
       contributors = c.contributors + excluded.contributors,
       reached_at = greatest(c.reached_at, excluded.reached_at);
prepare donations_add(bigint[], uuid[], int[], bigint[], bool[], timestamptz[], date[], bigint[], timestamptz[], timestamptz) as
-- donations_add: adds donations to the ledger.
-- $1 bigint[] player   $2 uuid[] id   $3 int[] charity   $4 bigint[] points   $5 bool[] no client id
-- $6 timestamptz[] arrival   $7 date[] day of the charity's board   $8 bigint[] row id of an anonymous one, or null
-- $9 timestamptz[] when the day began of an anonymous one, or null   $10 timestamptz now
insert into donation (
  player_id, id, charity_id, points, anonymous, no_client_id, reached_at, day, row_id, day_began_at, recorded_at)
select v.player_id, v.id, v.charity_id, v.points, v.row_id is not null, v.no_client_id, v.reached_at, v.day, v.row_id,
       v.day_began_at, $10
  from unnest($1::bigint[], $2::uuid[], $3::int[], $4::bigint[], $5::bool[], $6::timestamptz[], $7::date[],
              $8::bigint[], $9::timestamptz[])
       v(player_id, id, charity_id, points, no_client_id, reached_at, day, row_id, day_began_at);
prepare donations_before(bigint[], text[], text[], uuid[], timestamptz[]) as
-- donations_before: the charity of each donation of a batch, and what is there before it: whether the player has given
-- to it by name, and whether the ledger has a row under the id. It brings a row id, too, for an anonymous donation.
-- wallets_lock has run earlier in this transaction.
-- The charity is found by its slug, else by its folded name.
-- $1 bigint[] player   $2 text[] charity   $3 text[] charity, folded, or null   $4 uuid[] id
-- $5 timestamptz[] arrival
select c.id, c.slug, c.opens_at, c.closes_at, b.id as board_id, b.ties, (v.reached_at at time zone b.zone)::date as day,
       date_trunc('day', v.reached_at, b.zone) as day_began_at, anonymous_row_id(gen_random_uuid()) as row_id,
       c.cap_day, c.cap_all,
       (
         select o.id
           from board o
          where o.kind = 'giving' and o.slug = 'overall' and o.game_id is null and o.season_ended_at is null
       ) as overall_board_id,
       exists (
         select 1 from standing s where s.board_id = b.id and s.player_id = v.player_id
       ) as has_given,
       k.id is not null as is_known
  from unnest($1::bigint[], $2::text[], $3::text[], $4::uuid[], $5::timestamptz[])
       with ordinality v(player_id, charity, folded, id, reached_at, n)
  left join charity c on c.id = coalesce(
         (select x.id from charity x where x.slug = v.charity),
         (select x.id from charity x where x.name_folded = v.folded)
       )
  left join board b on b.id = c.board_id
  left join donation k on k.player_id = v.player_id and k.id = v.id
 order by v.n;
prepare donations_recall(bigint[], uuid[], int[], bigint[], bool[], timestamptz[], bigint[]) as
-- donations_recall: the rows of the ledger that the few donations may repeat that come under a known id or without one.
-- A row without the client's own id repeats the equal row that arrived within 60 s of it. Ids are looked for among the
-- rows of all players who are one, those of the caller's own player first.
-- Whether it is anonymous is what was first sent.
-- $1 bigint[] player   $2 uuid[] id, or null without the client's own   $3 int[] charity, or null   $4 bigint[] points
-- $5 bool[] anonymous   $6 timestamptz[] arrival   $7 bigint[] the caller's own player
select k.id, k.charity_id, k.points, k.anonymous and not k.anonymised as anonymous, k.row_id, k.reached_at,
       coalesce(m.reversed, false) as reversed
  from unnest($1::bigint[], $2::uuid[], $3::int[], $4::bigint[], $5::bool[], $6::timestamptz[], $7::bigint[])
       with ordinality v(player_id, id, charity_id, points, anonymous, reached_at, own_id, n)
 cross join lateral (select members(v.player_id) as owners) o
  left join lateral (
         select e.player_id, e.id
           from donation e
          where v.id is not null and e.player_id = any(o.owners) and e.id = v.id
          order by e.player_id = v.own_id desc, e.player_id
          limit 1
       ) i on true
  left join lateral (
         select e.player_id, e.id
           from donation e
          where v.id is null
            and e.no_client_id
            and e.player_id = any(o.owners)
            and e.charity_id = v.charity_id
            and e.points = v.points
            and (e.anonymous and not e.anonymised) = v.anonymous
            and e.reached_at between v.reached_at - interval '60 seconds' and v.reached_at + interval '60 seconds'
          order by e.reached_at desc
          limit 1
       ) q on true
  left join donation k on k.player_id = coalesce(i.player_id, q.player_id) and k.id = coalesce(i.id, q.id)
  left join donation_state m on m.player_id = k.player_id and m.id = k.id
 order by v.n;
prepare own_before(bigint[], int[], timestamptz) as
-- own_before: what is told to players of whom some scores are held, or were voided while they were: their places on the
-- boards of the scores of a batch, which nobody else sees, and what they earned in secret. wallets_lock has run earlier
-- in this transaction.
-- $1 bigint[] player of each score   $2 int[] its board, or null   $3 timestamptz now
select y.points::bigint, y.reached_at, (s.held + s.voided)::bigint as secret
  from unnest($1::bigint[], $2::int[]) with ordinality v(player_id, board_id, n)
 cross join lateral secret_points(v.player_id, $3) s
  left join lateral own_standing(v.player_id, v.board_id, null, null, $3) y on true
 order by v.n;
prepare posts_before(bigint[], int[], int[]) as
-- posts_before: when players posted to boards whose rules go by that: their last post, and the earliest of as many as a
-- board takes in a minute. wallets_lock has run earlier in this transaction.
-- $1 bigint[] player of each score   $2 int[] its board   $3 int[] posts that the board takes in a minute, at least 1
select max(t.at) as last, case when count(t.at) = v.posts then min(t.at) end as earliest
  from unnest($1::bigint[], $2::int[], $3::int[]) with ordinality v(player_id, board_id, posts, n)
  left join lateral (
         select r.at
           from post_times p cross join unnest(p.posted_at) r(at)
          where p.board_id = v.board_id and p.player_id = any(members(v.player_id))
          order by r.at desc
          limit v.posts
       ) t on true
 group by v.n, v.posts
 order by v.n;
prepare posts_time(bigint[], int[], int[], timestamptz[]) as
-- posts_time: notes when players posted to boards whose rules go by that. The wallets are locked.
-- $1 bigint[] player   $2 int[] board   $3 int[] posts that the board takes in a minute, at least 1
-- $4 timestamptz[] when
insert into post_times as t (board_id, player_id, posted_at)
select v.board_id, v.player_id, array[v.at]
  from unnest($1::bigint[], $2::int[], $3::int[], $4::timestamptz[]) v(player_id, board_id, posts, at)
on conflict (board_id, player_id) do update
   set posted_at = (t.posted_at || excluded.posted_at)[
         greatest(1, cardinality(t.posted_at) + 2 - (
           select v.posts
             from unnest($1::bigint[], $2::int[], $3::int[]) v(player_id, board_id, posts)
            where v.player_id = t.player_id and v.board_id = t.board_id)):];
prepare score_notes_add(bigint[], uuid[], text[], text[]) as
-- score_notes_add: adds what few scores bring besides their points.
-- $1 bigint[] player   $2 uuid[] id   $3 text[] name, or null   $4 text[] detail, or null
insert into score_note (player_id, id, name, detail)
select v.player_id, v.id, v.name, v.detail
  from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[])
       v(player_id, id, name, detail);
prepare scores_add(bigint[], uuid[], int[], bigint[], bigint[], bool[], bool[], timestamptz[], timestamptz[], date[], timestamptz) as
-- scores_add: adds scores to the ledger.
-- $1 bigint[] player   $2 uuid[] id   $3 int[] board   $4 bigint[] points   $5 bigint[] earned   $6 bool[] improved
-- $7 bool[] no client id   $8 timestamptz[] played at, or null   $9 timestamptz[] arrival   $10 date[] day
-- $11 timestamptz now
insert into score (
  player_id, id, board_id, points, earned, improved, no_client_id, played_at, reached_at, day, recorded_at)
select v.player_id, v.id, v.board_id, v.points, v.earned, v.improved, v.no_client_id, v.played_at,
       v.reached_at, v.day, $11
  from unnest($1::bigint[], $2::uuid[], $3::int[], $4::bigint[], $5::bigint[], $6::bool[], $7::bool[],
              $8::timestamptz[], $9::timestamptz[], $10::date[])
       v(player_id, id, board_id, points, earned, improved, no_client_id, played_at, reached_at, day);
prepare scores_before(text[], text[], bigint[], int[], uuid[], timestamptz[]) as
-- scores_before: what is there before each score of a batch: the player's place on the board and on the day, and
-- whether the ledger has a row under the id. wallets_lock has run earlier in this transaction.
-- $1 text[] game slug of each board   $2 text[] its slug
-- $3 bigint[] player of each score   $4 int[] its board among those, from 1   $5 uuid[] id   $6 timestamptz[] arrival
with boards as materialized (
  select d.n, b.id, b.zone
    from unnest($1::text[], $2::text[]) with ordinality d(game, board, n)
    join game g on g.slug = d.game
    join board b on b.kind = 'score' and b.game_id = g.id and b.slug = d.board and b.season_ended_at is null
)
select v.day, s.points as standing, s.reached_at as standing_reached, t.points as tally, t.reached_at as tally_reached,
       k.id is not null as is_known
  from (
         select u.player_id, u.id, u.n, b.id as board_id, (u.reached_at at time zone b.zone)::date as day
           from unnest($3::bigint[], $4::int[], $5::uuid[], $6::timestamptz[])
                with ordinality u(player_id, board, id, reached_at, n)
           left join boards b on b.n = u.board
       ) v
  left join standing s on s.board_id = v.board_id and s.player_id = v.player_id
  left join tally t on t.board_id = v.board_id and t.day = v.day and t.player_id = v.player_id
  left join score k on k.player_id = v.player_id and k.id = v.id
 order by v.n;
prepare scores_hold(bigint[], uuid[], text[], bigint[], timestamptz[], timestamptz[], timestamptz) as
-- scores_hold: keeps scores that were just recorded out of all rankings, and what they earned from being given. The
-- wallets are locked, and each is of one of the scores at most.
-- $1 bigint[] player   $2 uuid[] id   $3 text[] why, with spaces between   $4 bigint[] earned
-- $5 timestamptz[] until when the game may judge it, or null   $6 timestamptz[] until when its owner is not told
-- $7 timestamptz now
with held as materialized (
  select v.*
    from unnest($1::bigint[], $2::uuid[], $3::text[], $4::bigint[], $5::timestamptz[], $6::timestamptz[])
         v(player_id, id, why, earned, judge_until, secret_until)
), marked as (
  insert into score_state (player_id, id, state) select h.player_id, h.id, 'held' from held h
), listed as (
  insert into held_score (player_id, id, item, why, held_at, judge_until)
  select h.player_id, h.id, gen_random_uuid(), string_to_array(h.why, ' '), $7, h.judge_until from held h
), noted as (
  insert into correction (player_id, n, kind, subject, points, act, corrected_at)
  select h.player_id, (select coalesce(max(k.n), 0) from correction k where k.player_id = h.player_id) + 1, 'hold',
         h.id, h.earned, null, $7
    from held h
)
update wallet w
   set held = w.held + h.earned, holds = w.holds + 1, secret_until = greatest(w.secret_until, h.secret_until)
  from held h
 where w.player_id = h.player_id;
prepare scores_recall(bigint[], int[], uuid[], bigint[], timestamptz[], text[], date[], bigint[], timestamptz) as
-- scores_recall: what the ledger remembers of the few scores whose judgement depends on more than the places before
-- them: those that may repeat an earlier row, and those of boards whose earning looks back. What a voided score earned
-- makes no difference to what another one earns, once its player is told that it is voided.
-- A row without the client's own id repeats the equal row that arrived within 60 s of it. Ids are looked for among the
-- rows of all players who are one, those of the caller's own player first. The row's state and the player's place are
-- what the player is told; the place is there, too, as it is when scores are held that others do not see.
-- $1 bigint[] player   $2 int[] board, or null   $3 uuid[] id, or null without the client's own   $4 bigint[] points
-- $5 timestamptz[] arrival   $6 text[] name it came with, or null   $7 date[] day of the board, or null
-- $8 bigint[] the caller's own player   $9 timestamptz now
select k.id, k.board_id, g.slug as game, b.slug as board, b.ties, k.points, k.earned, k.improved, k.played_at,
       k.reached_at, n.detail, coalesce(h.points, s.points) as standing,
       coalesce(told_state(x, $9), 'counted') as state, h.order_key as own_key, h.reached_at as own_reached,
       v.player_id as own_row,
       -- A classic row earns nothing when an equal one earned that UTC day.
       exists (
         select 1
           from score e
          where e.player_id = any(o.owners)
            and e.board_id = v.board_id
            and e.points = v.points
            and e.earned > 0
            and not exists (
                  select from score_state m
                   where m.player_id = e.player_id and m.id = e.id and m.state = 'voided'
                     and told_state(m, $9) = 'voided')
            and e.reached_at >= date_trunc('day', v.reached_at at time zone 'UTC') at time zone 'UTC'
            and e.reached_at < (date_trunc('day', v.reached_at at time zone 'UTC') + interval '1 day')
                               at time zone 'UTC'
       ) as has_earned_equal,
       (
         select max(e.points * a.sign) * a.sign
           from score e
          where e.player_id = any(o.owners)
            and e.board_id = v.board_id
            and not exists (
                  select from score_state m
                   where m.player_id = e.player_id and m.id = e.id and m.state = 'voided'
                     and told_state(m, $9) = 'voided')
       ) as best,
       (
         -- The hours around the day are for the index. Where clocks go back at 1:00, as on the Azores, its midnight
         -- comes twice.
         select coalesce(sum(e.earned), 0)::bigint
           from score e
          where e.player_id = any(o.owners)
            and e.board_id = v.board_id
            and e.reached_at between (v.day::timestamp at time zone a.zone) - interval '3 hours'
                                 and ((v.day + 1)::timestamp at time zone a.zone) + interval '3 hours'
            and coalesce(e.day, (e.reached_at at time zone a.zone)::date) = v.day
            and not exists (
                  select from score_state m
                   where m.player_id = e.player_id and m.id = e.id and m.state = 'voided'
                     and told_state(m, $9) = 'voided')
       ) as earned_on_day
  from unnest($1::bigint[], $2::int[], $3::uuid[], $4::bigint[], $5::timestamptz[], $6::text[], $7::date[],
              $8::bigint[])
       with ordinality v(player_id, board_id, id, points, reached_at, name, day, own_id, n)
 cross join lateral (select members(v.player_id) as owners) o
  left join board a on a.id = v.board_id
  left join lateral (
         select e.player_id, e.id
           from score e
          where v.id is not null and e.player_id = any(o.owners) and e.id = v.id
          order by e.player_id = v.own_id desc, e.player_id
          limit 1
       ) i on true
  left join lateral (
         select e.player_id, e.id
           from score e left join score_note m on m.player_id = e.player_id and m.id = e.id
          where v.id is null
            and e.no_client_id
            and e.player_id = any(o.owners)
            and e.board_id = v.board_id
            and e.points = v.points
            and m.name is not distinct from v.name
            and e.reached_at between v.reached_at - interval '60 seconds' and v.reached_at + interval '60 seconds'
          order by e.reached_at desc
          limit 1
       ) q on true
  left join score k on k.player_id = coalesce(i.player_id, q.player_id) and k.id = coalesce(i.id, q.id)
  left join score_note n on n.player_id = k.player_id and n.id = k.id
  left join score_state x on x.player_id = k.player_id and x.id = k.id
  left join board b on b.id = k.board_id
  left join game g on g.id = b.game_id
  left join standing s on s.board_id = k.board_id and s.player_id = v.player_id
  left join wallet w on w.player_id = v.player_id
  left join lateral (
         select y.points::bigint as points, y.reached_at, y.order_key
           from own_standing(v.player_id, k.board_id, null, null, $9) y
          where w.holds > 0 or w.secret_until > $9
       ) h on true
 order by v.n;
prepare settling_before(bigint[], bigint[], timestamptz) as
-- settling_before: how much of what players are told they can give is too new for it, and when as much may be given as
-- each of them wants to. wallets_lock has run earlier in this transaction.
-- $1 bigint[] player of each donation   $2 bigint[] its points   $3 timestamptz now
select k.settling, k.remaining, r.ready_at
  from unnest($1::bigint[], $2::bigint[]) with ordinality v(player_id, points, n)
  join wallet w on w.player_id = v.player_id
 -- Once for each player: as functions of rows they would run for each score.
 cross join lateral (
         select settling_points(w, $3) as settling, told_left(w, $3) as remaining offset 0
       ) k
  left join lateral (
         select min(t.settles_at) as ready_at
           from (select s.reached_at + settle_time(b) as settles_at,
                        sum(s.earned) over (order by s.reached_at + settle_time(b) desc
                                            range between unbounded preceding and current row exclude group) as later
                   from score s
                   join board b on b.id = s.board_id
                   left join score_state m on m.player_id = s.player_id and m.id = s.id
                  where s.player_id = any(members(w.player_id))
                    and s.reached_at > $3 - (select max(settle_time(x)) from board x where x.kind = 'score')
                    and s.reached_at + settle_time(b) > $3
                    and (m.state is null
                         or exists (select from held_score h where h.player_id = s.player_id and h.id = s.id))) t
          where k.remaining - coalesce(t.later, 0) >= v.points
       ) r on true
 order by v.n;
prepare standings_add(int[], bigint[], bigint[], timestamptz[], bool[]) as
-- standings_add: adds the first places of players on boards.
-- $1 int[] board   $2 bigint[] player   $3 bigint[] points   $4 timestamptz[] reached   $5 bool[] whether low is good
insert into standing (board_id, player_id, points, reached_at, lowest_first)
select v.board_id, v.player_id, v.points, v.reached_at, v.lowest_first
  from unnest($1::int[], $2::bigint[], $3::bigint[], $4::timestamptz[], $5::bool[])
       v(board_id, player_id, points, reached_at, lowest_first);
prepare standings_give(int[], bigint[], bigint[], timestamptz[]) as
-- standings_give: adds donations to the places on the giving boards, where high is good.
-- $1 int[] board   $2 bigint[] row id   $3 bigint[] points   $4 timestamptz[] arrival
insert into standing as s (board_id, player_id, points, reached_at, lowest_first)
select v.board_id, v.player_id, v.points, v.reached_at, false
  from unnest($1::int[], $2::bigint[], $3::bigint[], $4::timestamptz[])
       v(board_id, player_id, points, reached_at)
on conflict (board_id, player_id) do update
   set points = s.points + excluded.points, reached_at = greatest(s.reached_at, excluded.reached_at);
prepare standings_move(int[], bigint[], bigint[], timestamptz[]) as
-- standings_move: changes the places of players on boards. Whoever runs it has locked the wallets, so the rows are
-- there and are nobody else's.
-- $1 int[] board   $2 bigint[] player   $3 bigint[] points   $4 timestamptz[] reached
update standing s
   set points = v.points, reached_at = v.reached_at
  from unnest($1::int[], $2::bigint[], $3::bigint[], $4::timestamptz[]) v(board_id, player_id, points, reached_at)
 where s.board_id = v.board_id and s.player_id = v.player_id;
prepare tallies_add(int[], date[], bigint[], bigint[], timestamptz[]) as
-- tallies_add: adds the first places of players on a day.
-- $1 int[] board   $2 date[] day   $3 bigint[] player   $4 bigint[] points   $5 timestamptz[] reached
insert into tally (board_id, day, player_id, points, reached_at)
select v.board_id, v.day, v.player_id, v.points, v.reached_at
  from unnest($1::int[], $2::date[], $3::bigint[], $4::bigint[], $5::timestamptz[])
       v(board_id, day, player_id, points, reached_at);
prepare tallies_give(int[], date[], bigint[], bigint[], timestamptz[]) as
-- tallies_give: adds donations to the days of the giving boards.
-- $1 int[] board   $2 date[] day   $3 bigint[] row id   $4 bigint[] points   $5 timestamptz[] arrival
insert into tally as t (board_id, day, player_id, points, reached_at)
select v.board_id, v.day, v.player_id, v.points, v.reached_at
  from unnest($1::int[], $2::date[], $3::bigint[], $4::bigint[], $5::timestamptz[])
       v(board_id, day, player_id, points, reached_at)
on conflict (board_id, day, player_id) do update
   set points = t.points + excluded.points, reached_at = greatest(t.reached_at, excluded.reached_at);
prepare tallies_move(int[], date[], bigint[], bigint[], timestamptz[]) as
-- tallies_move: changes the places of players on a day. Whoever runs it has locked the wallets, so the rows are there
-- and are nobody else's.
-- $1 int[] board   $2 date[] day   $3 bigint[] player   $4 bigint[] points   $5 timestamptz[] reached
update tally t
   set points = v.points, reached_at = v.reached_at
  from unnest($1::int[], $2::date[], $3::bigint[], $4::bigint[], $5::timestamptz[])
       v(board_id, day, player_id, points, reached_at)
 where t.board_id = v.board_id and t.day = v.day and t.player_id = v.player_id;
prepare wallets_earn(bigint[], bigint[], timestamptz[]) as
-- wallets_earn: adds what scores earned to the wallets, which wallets_lock has locked.
-- $1 bigint[] player   $2 bigint[] earned   $3 timestamptz[] when that may be given, or null for at once
update wallet w
   set earned = w.earned + v.earned, settles_at = greatest(w.settles_at, v.settles_at)
  from unnest($1::bigint[], $2::bigint[], $3::timestamptz[]) v(player_id, earned, settles_at)
 where w.player_id = v.player_id;
prepare wallets_give(bigint[], bigint[]) as
-- wallets_give: takes donations out of the wallets, which wallets_lock has locked.
-- $1 bigint[] player   $2 bigint[] points
update wallet w
   set given = w.given + v.points
  from unnest($1::bigint[], $2::bigint[]) v(player_id, points)
 where w.player_id = v.player_id;
prepare wallets_lock(bigint[]) as
-- wallets_lock: takes the one lock for everything about a player, before the statements that read what is there.
-- Locks are taken in key order. A player whom somebody else has locked is left out and judged later, so whoever holds
-- a lock for long delays that player alone.
-- $1 bigint[] players
select w.player_id, w.earned, w.voided + w.held + w.given as spent, w.banned, w.merged, w.merges > 0 as has_merged,
       w.holds, w.secret_until, w.settles_at
  from wallet w
 where w.player_id = any($1::bigint[])
 order by w.player_id
   for update skip locked;
prepare log_add(bigint, timestamptz, uuid, text, text, text, text, bytea, bytea) as
-- log_add: adds an entry to the log.
-- $1 bigint number   $2 timestamptz now   $3 uuid act, or null   $4 text actor   $5 text deed   $6 text subject
-- $7 text numbers   $8 bytea hash of the words, or null   $9 bytea hash
insert into log_entry (n, logged_at, act, actor, deed, subject, numbers, words_hash, hash)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9);
prepare log_chain as
-- log_chain: every entry of the log in its order, with its words as far as they are there, and whether it tells who
-- gave anonymously.
select e.n, e.logged_at, e.act, e.actor, e.deed, e.subject, e.numbers, e.words_hash, e.hash, e.salt, e.reason, e.name,
       e.is_about_anonymous
  from logged_entry e
 order by e.n;
prepare log_last as
-- log_last: the number and the hash of the log's last entry, which nobody else can follow until this transaction ends.
select e.n, e.hash from log_entry e order by e.n desc limit 1;
prepare log_lock as
-- log_lock: lets nobody else write into the log until this transaction ends. It is the last lock that is taken.
-- A lock of the table would take the right to change the log, which nobody has.
select pg_advisory_xact_lock(1734964838, 1)::text;
prepare log_page(bigint, int) as
-- log_page: entries of the log with their words, the newest first, and whether they tell who gave anonymously.
-- $1 bigint number before which, or null   $2 int rows, 1...101
select e.n, e.logged_at, e.act, e.actor, e.deed, e.subject, e.numbers, e.words_hash, e.hash, e.salt, e.reason, e.name,
       e.is_about_anonymous
  from logged_entry e
 where $1::bigint is null or e.n < $1
 order by e.n desc
 limit $2::int;
prepare log_words_add(bigint, bytea, text, text, text) as
-- log_words_add: adds the words of an entry of the log.
-- $1 bigint number   $2 bytea salt   $3 text reason   $4 text new name, or null   $5 text former name, or null
insert into log_words (n, salt, reason, name, former) values ($1, $2, $3, $4, $5);
prepare log_words_erase(bigint[]) as
-- log_words_erase: erases the words of the log's entries about acts on some players. The entries keep their hashes.
-- $1 bigint[] players
delete from log_words w using act a where a.player_id = any($1::bigint[]) and w.n = a.n;
prepare avatar_png(bytea) as
-- avatar_png: one picture, and whether a visible player uses it.
-- $1 bytea SHA-256
select a.png, exists (select from player p where p.avatar = a.sha256 and not p.hidden) from avatar a where a.sha256 = $1;
prepare avatars_png(bytea[]) as
-- avatars_png: pictures by their content's hash; those that are not there are left out.
-- $1 bytea[] SHA-256s
select a.sha256, a.png from avatar a where a.sha256 = any($1::bytea[]);
prepare caller_find(bytea, bytea, bytea, bigint, text, timestamptz) as
-- caller_find: finds the player whom a caller speaks for; who may is judged as in `score_batch`.
-- Outcome: known, unauthorized, forbidden, no-player.
-- $1 bytea token hash, or null   $2 bytea key hash, or null   $3 bytea device hash, or null   $4 bigint player, or null
-- $5 text game slug, or null for any   $6 timestamptz now
select case
         when $1::bytea is not null and p.id is null then 'unauthorized'
         when $2::bytea is not null and k.game_id is null then 'unauthorized'
         when $5::text is not null and g.id is null then 'no-player'
         when k.game_id <> g.id then 'forbidden'
         when $1 is not null and p.game_id <> g.id then 'unauthorized'
         when $1 is not null and coalesce(c.survivor_id, $4::bigint) <> p.id then 'forbidden'
         when p.id is null or p.name = '' or p.game_id <> k.game_id then 'no-player'
         else 'known'
       end as outcome,
       case when $1 is null and $3::bytea is null then coalesce(c.survivor_id, p.id) else p.id end,
       -- The player of before a merge, under whose rows ids are looked for first.
       coalesce(case when $1 is not null then t.merged_from when $3::bytea is not null then d.merged_from end, p.id)
  from (select 1) one
  left join device t on t.token_hash = $1
  left join device d on d.hash = $3
  left join game_key k on k.hash = $2 and k.kind = 'game' and k.revoked_at is null
                      and ($6::timestamptz < k.expires_at) is not false
  left join player p on p.id = case
         when $1 is not null then t.player_id
         when $3::bytea is not null then d.player_id
         else $4
       end
  left join merge c on c.player_id = $4
  left join game g on g.slug = $5;
prepare classic_caller(text, bytea, text, text) as
-- classic_caller: the game of a classic call, with the salt of its token, and the player whom the device speaks for.
-- There is no player when the device is unknown, or has a token of its own.
-- Also whether the name looks like a charity's or holds a word that the game refuses, which no post may wear unless it
-- is the player's and was there first.
-- $1 text game slug   $2 bytea device hash or null   $3 text name or null   $4 text its skeleton or null
select g.id, g.slug, g.classic, g.salt, p.id,
       coalesce(p.asked_name, p.name) is distinct from $3
       and (exists (select from charity c where c.name_skeleton = $4)
            or g.names = 'filtered'
               and exists (select from unnest(g.refused_skeletons) w (skeleton) where strpos($4, w.skeleton) > 0))
  from game g
  left join device d on d.hash = $2 and d.token_hash is null
  left join player p on p.id = d.player_id
 where g.slug = $1;
prepare device_claim(bytea, bigint[], timestamptz, bool, bytea, text) as
-- device_claim: ties a device to a free player id, unless it is tied already; waits for whoever claims it just now.
-- It runs before the statement that registers, so that that one's snapshot sees who won. A token speaks for one device.
-- $1 bytea device hash   $2 bigint[] ids to choose from   $3 timestamptz now   $4 bool whether a new player may be made
-- $5 bytea token hash or null   $6 text name of the device or null
insert into device (hash, player_id, token_hash, registered_at, name, seen_on)
select $1, c.id, $5, $3, $6, ($3::timestamptz at time zone 'UTC')::date
  from unnest($2::bigint[]) with ordinality c(id, n)
 where $4
   and not exists (select from player p where p.id = c.id)
   and not exists (select from device d where d.token_hash = $5)
 order by c.n
 limit 1
on conflict (hash) do nothing;
prepare device_release(bytea) as
-- device_release: takes back a claim that led to no player, as when the name was refused.
-- $1 bytea device hash
delete from device d where d.hash = $1 and not exists (select from player p where p.id = d.player_id);
prepare donation_receipt(bigint, uuid, text, timestamptz) as
-- donation_receipt: what was recorded of a donation, its row of the charity's giving board, and what is left to give.
-- The player's own donation under the id comes before that of one who is one with it.
-- $1 bigint player   $2 uuid id   $3 text charity slug   $4 timestamptz now
select d.id, c.slug, b.id as board_id, b.ties, coalesce(d.row_id, w.player_id) as row_id, d.points,
       d.anonymous, d.reached_at, told_left(w, $4) as remaining, coalesce(m.unfunded, 0) as unfunded,
       coalesce(m.reversed, false) as reversed
  from donation d
  left join merge o on o.player_id = d.player_id
  join charity c on c.id = d.charity_id
  join board b on b.id = c.board_id
  join wallet w on w.player_id = coalesce(o.survivor_id, d.player_id)
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where d.player_id = any(members($1)) and d.id = $2 and c.slug = $3
 order by d.player_id = $1 desc, d.player_id
 limit 1;
prepare erasure_find(bigint) as
-- erasure_find: whether a player was erased; a row if so.
-- $1 bigint player
select e.player_id from erasure e where e.player_id = $1;
prepare erasure_of_token(bytea, timestamptz) as
-- erasure_of_token: the receipt of the player who was erased and whose token this was, for as long as it is told.
-- $1 bytea token hash   $2 timestamptz now
select t.receipt from erased_token t where t.token_hash = $1 and t.until > $2;
prepare erasures_page(timestamptz, bigint, int) as
-- erasures_page: who was erased, by id alone, the earliest first.
-- $1 timestamptz the instant before the first   $2 bigint the player at that instant   $3 int rows, at least 1
select e.player_id, e.receipt, e.erased_at
  from erasure e
 where (e.erased_at, e.player_id) > ($1, $2)
 order by e.erased_at, e.player_id
 limit $3::int;
prepare export_codes(bigint) as
-- export_codes: the codes that a player has made and no device has used.
-- $1 bigint player
select c.kind, c.made_at, c.expires_at from code c where c.player_id = $1 order by c.made_at, c.kind;
prepare export_donations(bigint, timestamptz, uuid, int) as
-- export_donations: a player's donations after an instant with everything that is kept of them, the oldest first.
-- $1 bigint player   $2 timestamptz after   $3 uuid of the donation at that instant   $4 int rows
select d.id, c.slug, d.points, d.anonymous, d.reached_at, coalesce(m.unfunded, 0) as unfunded,
       coalesce(m.reversed, false) as reversed, d.recorded_at
  from ledger_owner o
 cross join lateral (
         select r.*
           from donation r
          where r.player_id = o.player_id and (r.reached_at, r.id) > ($2, $3)
          order by r.reached_at, r.id
          limit $4::int
       ) d
  join charity c on c.id = d.charity_id
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where o.survivor_id = $1
 order by d.reached_at, d.id
 limit $4::int;
prepare export_player(bigint, timestamptz) as
-- export_player: everything that is kept of a player itself, for its export.
-- $1 bigint player   $2 timestamptz now
select p.id, coalesce(p.asked_name, p.name) as name, p.avatar, p.country, p.wants_updates, p.unlisted,
       w.earned, w.held - coalesce(s.held, 0)::bigint as held, told_left(w, $2) as remaining,
       settling_points(w, $2) as settling, w.given,
       (select count(*) from device d where d.player_id = p.id and d.token_hash is not null) as devices,
       case when p.asked_name is not null then p.name end as shown_name,
       g.slug, p.registered_at, p.email, p.fb_uid, p.updates_since, p.updates_source, p.hidden, a.png,
       w.voided - coalesce(s.voided, 0)::bigint as voided
  from player p
  join game g on g.id = p.game_id
  join wallet w on w.player_id = p.id
  left join lateral (select t.held, t.voided from secret_points(p.id, $2) t where w.secret_until > $2) s on true
  left join avatar a on a.sha256 = p.avatar
 where p.id = $1;
prepare export_reports(bigint, timestamptz, bigint, int) as
-- export_reports: what a player has reported of others after an instant, the oldest first.
-- $1 bigint who reports   $2 timestamptz after   $3 bigint who was reported at that instant   $4 int rows
select r.reported_at, r.player_id, r.why, r.text
  from report r
 where r.reporter_id = $1 and (r.reported_at, r.player_id) > ($2, $3)
 order by r.reported_at, r.player_id
 limit $4::int;
prepare export_scores(bigint, timestamptz, uuid, int, timestamptz) as
-- export_scores: a player's scores after an instant with everything that is kept of them, the oldest first.
-- $1 bigint player   $2 timestamptz after   $3 uuid of the score at that instant   $4 int rows   $5 timestamptz now
select s.id, g.slug, b.slug, b.season, s.points, s.earned, s.played_at, n.detail, s.reached_at,
       coalesce(told_state(m, $5), 'counted') as state, n.name, s.improved, s.recorded_at
  from ledger_owner o
 cross join lateral (
         select r.*
           from score r
          where r.player_id = o.player_id and (r.reached_at, r.id) > ($2, $3)
          order by r.reached_at, r.id
          limit $4::int
       ) s
  join board b on b.id = s.board_id
  join game g on g.id = b.game_id
  left join score_note n on n.player_id = s.player_id and n.id = s.id
  left join score_state m on m.player_id = s.player_id and m.id = s.id
 where o.survivor_id = $1
 order by s.reached_at, s.id
 limit $4::int;
prepare key_game(bytea, timestamptz) as
-- key_game: whose key this is, and what it may do; no row for one that is not known, revoked or beyond its end.
-- $1 bytea key hash   $2 timestamptz now
select g.slug, k.scopes
  from game_key k join game g on g.id = k.game_id
 where k.hash = $1 and k.revoked_at is null and ($2 < k.expires_at) is not false;
prepare own_profile(bigint, timestamptz) as
-- own_profile: what a player is told of itself, hidden or not; its e-mail address is in its export alone.
-- $1 bigint player   $2 timestamptz now
select p.id, coalesce(p.asked_name, p.name) as name, p.avatar, p.country, p.wants_updates, p.unlisted,
       w.earned,
       w.held - case
         when w.secret_until > $2 then (select s.held::bigint from secret_points(w.player_id, $2) s)
         else 0
       end as held,
       told_left(w, $2) as remaining, settling_points(w, $2) as settling, w.given,
       (select count(*) from device d where d.player_id = p.id and d.token_hash is not null) as devices,
       case when p.asked_name is not null then p.name end as shown_name
  from player p join wallet w on w.player_id = p.id
 where p.id = $1;
prepare own_standing(bigint, int, date, date, timestamptz) as
-- own_standing: where a player is told that it stands on a board, or in a range of its days; nothing for one of whom
-- nothing is held, who stands where everybody sees it, and for one who is hidden.
-- $1 bigint player   $2 int board   $3 date first day, or null for all time   $4 date last day, or null
-- $5 timestamptz now
select y.order_key, y.reached_at, w.player_id
  from wallet w
  join player p on p.id = w.player_id and not p.hidden
 cross join lateral own_standing(w.player_id, $2, $3, $4, $5) y
 where w.player_id = $1 and (w.holds > 0 or w.secret_until > $5);
prepare player_bests(bigint) as
-- player_bests: where a player stands on the boards that are played now: points, and when they were reached.
-- $1 bigint player
select g.slug, b.slug, s.points, s.reached_at
  from player p join game g on g.id = p.game_id
  join board b on b.kind = 'score' and b.game_id = g.id and b.season_ended_at is null
  join standing s on s.board_id = b.id and s.player_id = p.id
 where p.id = $1
 order by b.slug;
prepare player_donation_totals(bigint, bool) as
-- player_donation_totals: what a player gave to each charity, and what of it anonymously, as only the player may see.
-- $1 bigint player   $2 bool the anonymous ones too
select c.slug, x.points, x.anonymous
  from (select c.id, s.points, false as anonymous
          from charity c join standing s on s.board_id = c.board_id and s.player_id = $1
         union all
        select d.charity_id, sum(d.points)::bigint, true
          from funded_donation d
         where $2::bool and d.player_id = any(members($1)) and d.row_id is not null
         group by d.charity_id) x
  join charity c on c.id = x.id
 order by c.slug, x.anonymous;
prepare player_donations(bigint, timestamptz, uuid, int) as
-- player_donations: a player's own donations before an instant, the newest first.
-- $1 bigint player   $2 timestamptz before, or null   $3 uuid of the donation at that instant   $4 int rows, 1...101
select d.id, c.slug, d.points, d.anonymous, d.reached_at, coalesce(m.unfunded, 0) as unfunded,
       coalesce(m.reversed, false) as reversed
  from ledger_owner o
 cross join lateral (
         select r.*
           from donation r
          where r.player_id = o.player_id and ($2::timestamptz is null or (r.reached_at, r.id) < ($2, $3::uuid))
          order by r.reached_at desc, r.id desc
          limit $4::int
       ) d
  join charity c on c.id = d.charity_id
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where o.survivor_id = $1
 order by d.reached_at desc, d.id desc
 limit $4::int;
prepare player_donations_newer(bigint, timestamptz, uuid, int) as
-- player_donations_newer: the nearest of a player's own donations after an instant, the oldest first.
-- $1 bigint player   $2 timestamptz after   $3 uuid of the donation at that instant   $4 int rows, 1...101
select d.id, c.slug, d.points, d.anonymous, d.reached_at, coalesce(m.unfunded, 0) as unfunded,
       coalesce(m.reversed, false) as reversed
  from ledger_owner o
 cross join lateral (
         select r.*
           from donation r
          where r.player_id = o.player_id and (r.reached_at, r.id) > ($2, $3)
          order by r.reached_at, r.id
          limit $4::int
       ) d
  join charity c on c.id = d.charity_id
  left join donation_state m on m.player_id = d.player_id and m.id = d.id
 where o.survivor_id = $1
 order by d.reached_at, d.id
 limit $4::int;
prepare player_game(bigint) as
-- player_game: the game of a player who is neither hidden nor unlisted.
-- $1 bigint player
select g.slug, g.name
  from player p join game g on g.id = p.game_id
 where p.id = $1 and not p.hidden and not p.unlisted;
prepare player_profile(bigint, text, bool) as
-- player_profile: what anybody may see of a player; a hidden player is not there, and an unlisted one only where that
-- is asked for, as on a board.
-- $1 bigint player   $2 text the game's slug, or null for any   $3 bool unlisted ones too
select p.id, p.name, p.avatar
  from player p join game g on g.id = p.game_id
 where p.id = $1 and g.slug = coalesce($2, g.slug) and not p.hidden and ($3 or not p.unlisted) and p.name <> '';
prepare player_register(bytea, text, text, text, text, text, bool, text, bytea, bytea, bigint, timestamptz, bool, text, text, bytea, text, bool, bool) as
-- player_register: makes or updates the player whom a device speaks for.
-- It runs twice. The first time it only judges: who is refused, or changes nothing, needs no transaction, takes no lock
-- and writes nothing. The second time device_claim and callers_lock have run earlier in its transaction.
-- What is null was not said and keeps what is known; what is empty clears it. A name that looks like a charity's is
-- refused, unless the player had it before the charity did.
-- Access says how the caller may speak for the device:
--   classic    by its id, until it has a token;
--   token      with its own, which a device that the classic protocol made takes up while that protocol is open;
--   new-token  with one that is made now, which is good for a new device only;
--   key        as the game, whose own id of the player the device is.
-- Without a device the token names it.
-- A known player whose name changes is told as renamed while renames are counted, so that the caller can count it.
-- $1 bytea device hash, or null   $2 text game slug, or null: the player's   $3 text name or null
-- $4 text skeleton of the name or null   $5 text e-mail, '' clears, or null   $6 text fb_uid, '' clears, or null
-- $7 bool wants updates or null   $8 text where that wish was said   $9 bytea avatar SHA-256, '' clears, or null
-- $10 bytea avatar PNG or null   $11 bigint the player that it must be, or null   $12 timestamptz now
-- $13 bool update a known player   $14 text country, '' clears, or null   $15 text access
-- $16 bytea token or key hash, or null   $17 text whether it may rename a known player: free, counted or refused
-- $18 bool write, not only judge   $19 bool whether the profile is unlisted, or null
with

-- The device that is spoken for; it is not called `device`, because other devices are asked for below.
spoken as materialized (
  select d.hash, d.player_id, d.token_hash, p.id is not null as known, coalesce(p.asked_name, p.name) as name, p.game_id
    from device d left join player p on p.id = d.player_id
   where d.hash = coalesce($1::bytea, (select o.hash from device o where o.token_hash = $16::bytea)) -- two indexes
),

-- Judges the access first, then the player, then the name.
judged as materialized (
  select d.hash, d.player_id, d.known, d.token_hash is null as is_free, g.id as game_id, n.is_rename,
         coalesce(h.names = 'approved', false) as is_approving, coalesce(h.takes_email, true) as takes_email,
         case
           when $1 is not null and g.id is null then 'no-game'
           when $15::text = 'key' and k.game_id is null then 'unauthorized'
           when $15 = 'key' and k.game_id <> g.id then 'forbidden'
           when $15 = 'key' and not 'register' = any(k.scopes) then 'scope'
           when $15 = 'token' and d.token_hash is null
            and exists (select from device o where o.token_hash = $16) then 'unauthorized'
           when $15 = 'token' and d.hash is not null and d.token_hash is null
            and g.classic <> 'open' then 'unauthorized'
           when $15 = 'token' and d.token_hash <> $16 then 'unauthorized'
           when $15 = 'token' and $1 is null and d.hash is null then 'unauthorized'
           when $15 = 'new-token' and d.hash is not null and d.token_hash is distinct from $16 then 'unauthorized'
           when $15 = 'classic' and d.token_hash is not null then 'token-needed'
           when d.player_id is null and $11::bigint is not null then 'wrong-device'
           when d.player_id is null then 'no-name'
           when $11::bigint is not null and $11::bigint <> d.player_id then 'wrong-device'
           when d.known and w.banned then 'banned'
           when $9::bytea is not null and exists (select from refused_avatar r where r.sha256 = $9)
             then 'picture-refused'
           when (not d.known or $13) and $3::text is not null and d.name is distinct from $3
            and exists (select from charity c where c.name_skeleton = $4) then 'name-refused'
           when (not d.known or $13) and $3::text is not null and d.name is distinct from $3 and h.names = 'filtered'
            and exists (select from unnest(h.refused_skeletons) w (skeleton) where strpos($4, w.skeleton) > 0)
             then 'name-refused'
           when n.is_rename and $17::text = 'refused' then 'too-many-renames'
           when d.known then 'known'
           else 'registered'
         end as outcome
    from (select 1) one
    left join spoken d on true
    left join wallet w on w.player_id = d.player_id
    left join game g on g.slug = $2
    left join game h on h.id = coalesce(d.game_id, g.id)
    left join game_key k on k.hash = $16 and k.revoked_at is null and $15 = 'key'
                        and ($12 < k.expires_at) is not false
    left join lateral (select d.known and $13::bool and d.name <> $3::text as is_rename) n on true
),

-- What a known player becomes, and whether that is anything else than before: a row that is written without a change
-- would make everybody who follows the players read it again.
after as materialized (
  select p.id, a.name, a.asked_name, a.email, a.fb_uid, a.wants_updates, a.updates_since, a.updates_source, a.avatar,
         a.country, a.unlisted,
         (p.name, p.asked_name, p.email, p.fb_uid, p.wants_updates, p.updates_since, p.updates_source, p.avatar,
          p.country, p.unlisted)
         is distinct from
         (a.name, a.asked_name, a.email, a.fb_uid, a.wants_updates, a.updates_since, a.updates_source, a.avatar,
          a.country, a.unlisted)
         as differs
    from judged j
    join player p on p.id = j.player_id
   cross join lateral (
           select case when j.is_approving or p.name_waits then p.name else coalesce($3, p.name) end as name,
                  case
                    when $3::text is null then p.asked_name
                    when j.is_approving or p.name_waits then nullif($3, p.name)
                  end as asked_name,
                  case
                    when $5::text is null or not j.takes_email and $5 <> '' then p.email
                    else nullif($5, '')
                  end as email,
                  case when $6::text is null then p.fb_uid else nullif($6, '') end as fb_uid,
                  coalesce($7, p.wants_updates) as wants_updates,
                  -- A wish that is said again keeps when and where it was said first; who takes it back has no such
                  -- time.
                  case
                    when $7 and not p.wants_updates then $12::timestamptz
                    when $7 or $7 is null then p.updates_since
                  end as updates_since,
                  case
                    when $7 and not p.wants_updates then $8
                    when $7 or $7 is null then p.updates_source
                  end as updates_source,
                  case when $9::bytea is null then p.avatar else nullif($9, '') end as avatar,
                  case when $14::text is null then p.country else nullif($14, '') end as country,
                  coalesce($19, p.unlisted) as unlisted
         ) a
   where j.outcome = 'known' and $13
),

-- Writes the token, the picture, and the new or the changed player.
bound as (
  update device d
     set token_hash = $16
    from judged j
   where $18::bool and j.outcome = 'known' and j.is_free and $15 = 'token' and d.hash = j.hash
),
picture as (
  insert into avatar (sha256, png, added_at)
  select $9, $10, $12
    from judged
   where $18 and $10::bytea is not null and (outcome = 'registered' or exists (select 1 from after where differs))
  on conflict (sha256) do nothing
),
made as (
  insert into player (
    id, game_id, name, asked_name, asked_at, email, fb_uid, wants_updates, updates_since, updates_source, avatar,
    country, registered_at)
  select player_id, game_id, case when is_approving then waiting_name(player_id) else $3 end,
         case when is_approving then $3 end, case when is_approving then $12::timestamptz end,
         case when takes_email then nullif($5, '') end, nullif($6, ''),
         coalesce($7, false), case when $7 then $12::timestamptz end, case when $7 then $8 end,
         nullif($9, ''), nullif($14, ''), $12
    from judged
   where $18 and outcome = 'registered'
  returning id, coalesce(asked_name, name) as name, wants_updates, avatar
),
made_wallet as (
  insert into wallet (player_id) select id from made
),
changed as (
  update player p
     set name = a.name, asked_name = a.asked_name,
         asked_at = case
                      when a.asked_name is null then null
                      when a.asked_name is distinct from p.asked_name then $12
                      else p.asked_at
                    end,
         email = a.email, fb_uid = a.fb_uid,
         wants_updates = a.wants_updates, updates_since = a.updates_since, updates_source = a.updates_source,
         avatar = a.avatar, country = a.country, unlisted = a.unlisted
    from after a
   where $18 and a.differs and p.id = a.id
)

-- Answers: what became of it, the player, and whether anything of a known player or device changes by it.
select case when j.outcome = 'known' and j.is_rename and $17 = 'counted' then 'renamed' else j.outcome end as outcome,
       j.player_id,
       coalesce(m.name, a.asked_name, a.name, p.asked_name, p.name) as name,
       coalesce(m.wants_updates, a.wants_updates, p.wants_updates) as wants_updates,
       case
         when m.id is not null then m.avatar
         when a.id is not null then a.avatar
         else p.avatar
       end as avatar,
       coalesce(a.differs, false) or (j.outcome = 'known' and j.is_free and $15 = 'token') as changes
  from judged j
  left join made m on true
  left join after a on true
  left join player p on p.id = j.player_id;
prepare player_scores(bigint, timestamptz, uuid, int, timestamptz) as
-- player_scores: a player's own scores before an instant, the newest first.
-- $1 bigint player   $2 timestamptz before, or null   $3 uuid of the score at that instant   $4 int rows, 1...101
-- $5 timestamptz now
select s.id, g.slug, b.slug, b.season, s.points, s.earned, s.played_at, n.detail, s.reached_at,
       coalesce(told_state(m, $5), 'counted') as state
  from ledger_owner o
 cross join lateral (
         select r.*
           from score r
          where r.player_id = o.player_id and ($2::timestamptz is null or (r.reached_at, r.id) < ($2, $3::uuid))
          order by r.reached_at desc, r.id desc
          limit $4::int
       ) s
  join board b on b.id = s.board_id
  join game g on g.id = b.game_id
  left join score_note n on n.player_id = s.player_id and n.id = s.id
  left join score_state m on m.player_id = s.player_id and m.id = s.id
 where o.survivor_id = $1
 order by s.reached_at desc, s.id desc
 limit $4::int;
prepare player_scores_newer(bigint, timestamptz, uuid, int, timestamptz) as
-- player_scores_newer: the nearest of a player's own scores after an instant, the oldest first.
-- $1 bigint player   $2 timestamptz after   $3 uuid of the score at that instant   $4 int rows, 1...101
-- $5 timestamptz now
select s.id, g.slug, b.slug, b.season, s.points, s.earned, s.played_at, n.detail, s.reached_at,
       coalesce(told_state(m, $5), 'counted') as state
  from ledger_owner o
 cross join lateral (
         select r.*
           from score r
          where r.player_id = o.player_id and (r.reached_at, r.id) > ($2, $3)
          order by r.reached_at, r.id
          limit $4::int
       ) s
  join board b on b.id = s.board_id
  join game g on g.id = b.game_id
  left join score_note n on n.player_id = s.player_id and n.id = s.id
  left join score_state m on m.player_id = s.player_id and m.id = s.id
 where o.survivor_id = $1
 order by s.reached_at, s.id
 limit $4::int;
prepare players_idle(bigint, timestamptz, int) as
-- players_idle: looks at some players in the order of their ids, and says which have not called since a time: none of
-- their devices has registered, and nothing was posted or given for them. Those who are one with another player go with
-- that one.
-- $1 bigint player before the first one   $2 timestamptz since when   $3 int rows
select p.id,
       p.name <> ''
       and p.registered_at < $2::timestamptz
       and not exists (select from merge m where m.player_id = p.id)
       and not exists (select
                         from device d
                        where d.player_id = p.id
                          and (d.registered_at >= $2 or d.seen_on >= ($2 at time zone 'UTC')::date))
       and not exists (select from score s where s.player_id = p.id and s.reached_at >= $2)
       and not exists (select from donation d where d.player_id = p.id and d.reached_at >= $2) as is_idle
  from player p
 where p.id > $1
 order by p.id
 limit $3::int;
prepare report_add(bigint, bigint, text, text, timestamptz) as
-- report_add: keeps what one player reports of another, once. callers_lock has run in this transaction for the one who
-- is reported. No row when there is no such player, or it is hidden or was erased.
-- $1 bigint who is reported   $2 bigint who reports   $3 text why   $4 text words or null   $5 timestamptz now
with
judged as materialized (
  select p.id, exists (select from report r where r.player_id = $1 and r.reporter_id = $2) as is_known
    from player p
   where p.id = $1 and not p.hidden and p.name <> ''
),
added as (
  insert into report (player_id, reporter_id, why, text, reported_at)
  select j.id, $2, $3, $4, $5 from judged j where not j.is_known
)
select j.is_known from judged j;
prepare score_receipt(bigint, uuid, text, text, timestamptz) as
-- score_receipt: what was recorded of a score, and what stands on its board and in the wallet now. The player's own
-- score under the id comes before that of one who is one with it.
-- What is held is told as `told_state` says, and the place is the player's own.
-- $1 bigint player   $2 uuid id   $3 text game slug   $4 text board slug   $5 timestamptz now
select w.player_id, s.id, g.slug, b.slug, b.id as board_id, b.ties, b.season, s.points, s.earned,
       s.played_at, n.detail, s.reached_at,
       coalesce(h.points,
                (select t.points from standing t where t.board_id = s.board_id and t.player_id = w.player_id)) as best,
       s.improved, told_left(w, $5) as remaining, coalesce(told_state(m, $5), 'counted') as state,
       h.order_key as own_key, h.reached_at as own_reached, w.player_id as own_row
  from score s
  left join merge o on o.player_id = s.player_id
  join board b on b.id = s.board_id
  join game g on g.id = b.game_id
  join wallet w on w.player_id = coalesce(o.survivor_id, s.player_id)
  left join score_note n on n.player_id = s.player_id and n.id = s.id
  left join score_state m on m.player_id = s.player_id and m.id = s.id
  left join lateral (
         select y.points::bigint as points, y.reached_at, y.order_key
           from own_standing(w.player_id, s.board_id, null, null, $5) y
          where w.holds > 0 or w.secret_until > $5
       ) h on true
 where s.player_id = any(members($1)) and s.id = $2 and g.slug = $3 and b.slug = $4
 order by s.player_id = $1 desc, s.player_id
 limit 1;
prepare updates_end(bigint) as
-- updates_end: ends a player's wish for updates by e-mail; what was never asked for, or is ended, stays as it is.
-- $1 bigint player
update player set wants_updates = false, updates_since = null, updates_source = null
 where id = $1 and wants_updates;
prepare best_posts(int, int) as
-- best_posts: the best single posts of a board that keeps the best, each with the name it came with, else the player's.
-- The name that it came with is not shown where names wait for approval.
-- Whoever has one of the n best posts is among the n best players: only their n best posts are read, player by player.
-- $1 int board   $2 int rows, 1...100
select coalesce(case when g.names <> 'approved' and not best.name_waits then n.name end, best.name) as name,
       r.points, r.reached_at
  from (select s.player_id, p.name, p.name_waits
          from standing s join player p on p.id = s.player_id
         where s.board_id = $1 and not p.hidden
         order by s.order_key, s.reached_at, s.player_id
         limit $2::int) best
  join board b on b.id = $1
  join game g on g.id = b.game_id
 cross join lateral (
         select x.player_id, x.id, x.points, x.reached_at
           from counted_score x
          where x.player_id = any(members(best.player_id)) and x.board_id = $1
          order by x.points * b.sign desc, x.reached_at, x.id
          limit $2::int
       ) r
  left join score_note n on n.player_id = r.player_id and n.id = r.id
 order by r.points * b.sign desc, r.reached_at, best.player_id, r.id
 limit $2::int;
prepare board_find(text, text, int, timestamptz) as
-- board_find: one season of a score board, and what day it is there.
-- $1 text game slug   $2 text board slug   $3 int season, or null for the one played now   $4 timestamptz now
select b.id, b.kind, b.slug, b.name, b.policy, b.lowest_first, b.ties, b.zone,
       b.opens_at, b.closes_at, b.season_ended_at, b.points_min, b.points_max, b.display, b.unit,
       ($4::timestamptz at time zone b.zone)::date as today
  from board b join game g on g.id = b.game_id
 where b.kind = 'score' and g.slug = $1 and b.slug = $2
   and case when $3::int is null then b.season_ended_at is null else b.season = $3 end;
prepare board_own_position(int, bigint, timestamptz, bigint) as
-- board_own_position: where a place would be that a player is told, instead of the one that everybody sees, on a board,
-- all time of its season. It brings what `board_positions` says of one, and how many rows there would be in all.
-- $1 int board   $2 bigint order key   $3 timestamptz reached   $4 bigint player
with others as not materialized (
  select s.order_key, s.reached_at, s.player_id, s.points
    from standing s
   where s.board_id = $1 and s.player_id <> $4
     and not exists (select from player p where p.hidden and p.id = s.player_id)
)
select (select count(*) from others o where (o.order_key, o.reached_at, o.player_id) < ($2, $3, $4)) + 1 as position,
       (select count(*) from others o where o.order_key < $2) + 1 as shared,
       (select count(*) from others o where o.order_key = $2) + 1 as equals,
       (select o.points::numeric from others o where (o.order_key, o.reached_at, o.player_id) < ($2, $3, $4)
         order by o.order_key desc, o.reached_at desc, o.player_id desc limit 1) as above,
       (select o.points::numeric from others o where o.order_key < $2
         order by o.order_key desc, o.reached_at desc, o.player_id desc limit 1) as better,
       (select count(*) from others) + 1 as size
 where not exists (select from player p where p.hidden and p.id = $4);
prepare board_page(int, bigint, bigint, timestamptz, bigint, int, bigint, int) as
-- board_page: neighbouring rows of a board, all time of its season: some before a key of its order, some from it on.
-- The key is given, or it is a player's own; a player without a row has no page. Hidden players are nowhere.
-- Each row brings the position of the page's first row, and the position at which that row's equals begin.
-- Ask for one row more than is shown: it tells whether there are more, and whether the last one shown is tied.
-- The index alone finds the rows, however far down they are. `audit` proves the rollup that is read here.
-- $1 int board   $2 bigint player whose row is the key, or null   $3 bigint order key   $4 timestamptz reached
-- $5 bigint row id   $6 int rows before the key, 0...101   $7 bigint rows to skip from the key on
-- $8 int rows from there on, 1...101
with hidden as materialized (
  select h.order_key, h.reached_at, h.player_id from hidden_standing h where h.board_id = $1
), anchor as materialized (
  select $3::bigint as order_key, $4::timestamptz as reached_at, $5::bigint as player_id where $2::bigint is null
   union all
  select s.order_key, s.reached_at, s.player_id
    from standing s
   where s.board_id = $1 and s.player_id = $2 and s.player_id not in (select player_id from hidden)
   limit 1
), page as materialized (
  select b.order_key, b.reached_at, b.player_id
    from anchor a
   cross join lateral (
           select s.order_key, s.reached_at, s.player_id
             from standing s
            where s.board_id = $1
              and (s.order_key, s.reached_at, s.player_id) < (a.order_key, a.reached_at, a.player_id)
              and s.player_id not in (select player_id from hidden)
            order by s.order_key desc, s.reached_at desc, s.player_id desc
            limit $6::int
         ) b
   union all
  select f.order_key, f.reached_at, f.player_id
    from anchor a
   cross join lateral (
           select s.order_key, s.reached_at, s.player_id
             from standing s
            where s.board_id = $1
              and (s.order_key, s.reached_at, s.player_id) >= (a.order_key, a.reached_at, a.player_id)
              and s.player_id not in (select player_id from hidden)
            order by s.order_key, s.reached_at, s.player_id
            limit $8::int offset $7
         ) f
), first as (
  select order_key, reached_at, player_id from page order by order_key, reached_at, player_id limit 1
), counted as materialized (
  select (select count(*) from standing s where s.board_id = $1 and s.order_key < f.order_key) - h.better as better,
         (select count(*)
            from standing s
           where s.board_id = $1
             and s.order_key = f.order_key
             and (s.reached_at, s.player_id) < (f.reached_at, f.player_id)) - h.equals_before as equals_before,
         (select b.sign from board b where b.id = $1) as sign
    from first f
   cross join lateral (
           select count(*) filter (where h.order_key < f.order_key) as better,
                  count(*) filter (where h.order_key = f.order_key
                                     and (h.reached_at, h.player_id) < (f.reached_at, f.player_id)) as equals_before
             from hidden h
         ) h
)
select g.player_id, p.name, p.avatar, (g.order_key * - c.sign)::numeric as points, g.reached_at, g.order_key::numeric,
       c.better + c.equals_before + 1 as position, c.better + 1 as shared
  from page g
 cross join counted c
 -- The limit makes the planner look up each player: not knowing how long the page is, it would read them all.
 left join lateral (select p.name, p.avatar from player p where p.id = g.player_id limit 1) p on true
 order by g.order_key, g.reached_at, g.player_id;
prepare board_points_position(int, bigint) as
-- board_points_position: where a post made now would stand on a board, all time of its season.
-- It brings the position, and the position at which its equals begin.
-- $1 int board   $2 bigint order key
with hidden as materialized (
  select h.order_key from hidden_standing h where h.board_id = $1
)
select (select count(*) from standing s where s.board_id = $1 and s.order_key <= $2)
     - (select count(*) from hidden h where h.order_key <= $2) + 1 as position,
       (select count(*) from standing s where s.board_id = $1 and s.order_key < $2)
     - (select count(*) from hidden h where h.order_key < $2) + 1 as shared;
prepare board_positions(int, bigint[]) as
-- board_positions: where some players stand on a board, all time of its season, best first.
-- Who has no row, or is hidden, is left out.
-- Each row brings its position, the position at which its equals begin, how many equals there are (itself too),
-- the points of the row above, and the next better points.
-- $1 int board   $2 bigint[] row ids: players, or negative those of anonymous donations
with hidden as materialized (
  select h.order_key, h.reached_at, h.player_id from hidden_standing h where h.board_id = $1
),
-- Each player's row beside that of the next better one who is asked for, so that the rows between are counted once.
asked as materialized (
  select s.player_id, p.name, p.avatar, s.points, s.reached_at, s.order_key,
         lag(s.order_key, 1, -9223372036854775808) over best_first as last_key,
         lag(s.reached_at, 1, '-infinity') over best_first as last_reached,
         lag(s.player_id, 1, 0::bigint) over best_first as last_id
    from standing s left join player p on p.id = s.player_id
   where s.board_id = $1 and s.player_id = any($2::bigint[]) and p.hidden is not true
  window best_first as (order by s.order_key, s.reached_at, s.player_id)
), counted as (
  select a.*,
         (select count(*)
            from standing s
           where s.board_id = $1
             and (s.order_key, s.reached_at, s.player_id) >= (a.last_key, a.last_reached, a.last_id)
             and (s.order_key, s.reached_at, s.player_id) < (a.order_key, a.reached_at, a.player_id))
       - (select count(*)
            from hidden h
           where (h.order_key, h.reached_at, h.player_id) >= (a.last_key, a.last_reached, a.last_id)
             and (h.order_key, h.reached_at, h.player_id) < (a.order_key, a.reached_at, a.player_id)) as since_last,
         (select count(*)
            from standing s
           where s.board_id = $1
             and s.order_key = a.order_key
             and (s.reached_at, s.player_id) < (a.reached_at, a.player_id))
       - (select count(*)
            from hidden h
           where h.order_key = a.order_key
             and (h.reached_at, h.player_id) < (a.reached_at, a.player_id)) as equals_before,
         (select count(*) from standing s where s.board_id = $1 and s.order_key = a.order_key)
       - (select count(*) from hidden h where h.order_key = a.order_key) as equals
    from asked a
), positioned as (
  select c.*, sum(since_last) over (order by order_key, reached_at, player_id)::bigint + 1 as position from counted c
)
select t.player_id, t.name, t.avatar, t.points::numeric, t.reached_at, t.order_key::numeric,
       t.position, t.position - t.equals_before as shared, t.equals,
       (select s.points::numeric
          from standing s
         where s.board_id = $1
           and (s.order_key, s.reached_at, s.player_id) < (t.order_key, t.reached_at, t.player_id)
           and s.player_id not in (select player_id from hidden)
         order by s.order_key desc, s.reached_at desc, s.player_id desc
         limit 1) as above,
       (select s.points::numeric
          from standing s
         where s.board_id = $1
           and s.order_key < t.order_key
           and s.player_id not in (select player_id from hidden)
         order by s.order_key desc, s.reached_at desc, s.player_id desc
         limit 1) as better
  from positioned t
 order by t.position;
prepare board_seasons(text, text) as
-- board_seasons: the seasons of a score board, the newest first.
-- $1 text game slug   $2 text board slug
select b.season, b.season_ended_at
  from board b join game g on g.id = b.game_id
 where b.kind = 'score' and g.slug = $1 and b.slug = $2
 order by b.season desc;
prepare board_size(int) as
-- board_size: how many players stand on a board, all time of its season; hidden ones do not.
-- $1 int board
select (select count(*) from standing s where s.board_id = $1)
     - (select count(*) from hidden_standing h where h.board_id = $1);
prepare charities_top(timestamptz) as
-- charities_top: all charities by points received, best first, also those that received nothing.
-- It reads the few rows that add up what each received. Who gave anonymously is no contributor.
-- $1 timestamptz now
select c.id, c.slug, c.name, coalesce(sum(t.points), 0) as points,
       coalesce(sum(t.contributors), 0)::bigint as contributors,
       max(t.reached_at) as reached_at, c.goal, c.url, c.description,
       c.opens_at, c.closes_at, c.closes_at <= $1::timestamptz as final, c.cooling_off, c.cap_day, c.cap_all
  from charity c left join charity_total t on t.charity_id = c.id
 group by c.id
 order by points desc, max(t.reached_at) nulls last, c.id;
prepare charity_days(text) as
-- charity_days: what each day brought to a charity, the earliest day first, from the tallies of its board.
-- $1 text the charity's slug
select t.day, sum(t.points)
  from charity c join tally t on t.board_id = c.board_id
 where c.slug = $1
 group by t.day
 order by t.day;
prepare charity_games(text, int) as
-- charity_games: what the players of each game gave to a charity by name, the most first.
-- $1 text the charity's slug   $2 int rows
select g.slug, g.name, s.points
  from (select p.game_id, sum(s.points) as points
          from charity c join standing s on s.board_id = c.board_id and s.player_id > 0
          join player p on p.id = s.player_id
         where c.slug = $1
         group by p.game_id) s
  join game g on g.id = s.game_id
 order by s.points desc, g.slug
 limit $2::int;
prepare charity_largest(text) as
-- charity_largest: the largest funded donation to a charity, of equal ones the earliest; not that of a hidden player,
-- unless it is anonymous.
-- $1 text the charity's slug
select case when not d.anonymous then p.id end, case when not d.anonymous then p.name end,
       case when not d.anonymous then p.avatar end,
       c.slug, c.name, d.points, coalesce(d.day_began_at, d.reached_at), case when d.anonymous then d.day end
  from charity c
  join funded_donation d on d.charity_id = c.id
  left join merge o on o.player_id = d.player_id
  join player p on p.id = coalesce(o.survivor_id, d.player_id) and (d.anonymous or not p.hidden)
 where c.slug = $1
 order by d.points desc, coalesce(d.day_began_at, d.reached_at), d.row_id, case when not d.anonymous then d.id end
 limit 1;
prepare donations_newest(text, int) as
-- donations_newest: the newest funded donations to one charity or to all, the newest first; those of hidden players are
-- left out, unless they are anonymous. Of an anonymous donation nobody learns who gave it, nor when on its day in the
-- charity's zone: it stands where its day begins, and those of one day in the order of their random row ids.
-- $1 text the charity's slug, or null for all   $2 int rows, 1...50
select d.player_id, d.name, d.avatar, c.slug, c.name, d.points, d.shown_at, d.day
  from charity c
 cross join lateral (
         (select p.id as player_id, p.name, p.avatar, d.points, d.reached_at as shown_at, null::date as day, d.id,
                 null::bigint as row_id
            from funded_donation d
            left join merge o on o.player_id = d.player_id
            join player p on p.id = coalesce(o.survivor_id, d.player_id)
           where d.charity_id = c.id and not d.anonymous and not p.hidden
           order by d.reached_at desc, d.id desc
           limit $2::int)
          union all
         (select null, null, null, d.points, d.day_began_at, d.day, null, d.row_id
            from funded_donation d
           where d.charity_id = c.id and d.anonymous
           order by d.day_began_at desc, d.row_id desc
           limit $2::int)
       ) d
 where $1::text is null or c.slug = $1
 order by d.shown_at desc, d.id, d.row_id desc
 limit $2::int;
prepare games_listed as
-- games_listed: the boards that are played now, each with its game, and games without boards, in the order of their
-- slugs.
select g.slug, g.name, b.slug, b.name
  from game g left join board b on b.game_id = g.id and b.kind = 'score' and b.season_ended_at is null
 order by g.slug, b.slug;
prepare giving_board_find(text, timestamptz) as
-- giving_board_find: the board of all contributors ('overall'), or a charity's by its slug, and what day it is there.
-- $1 text slug   $2 timestamptz now
select b.id, b.kind, b.slug, b.name, b.policy, b.lowest_first, b.ties, b.zone,
       coalesce(c.opens_at, b.opens_at), coalesce(c.closes_at, b.closes_at), b.season_ended_at,
       b.points_min, b.points_max, b.display, b.unit, ($2::timestamptz at time zone b.zone)::date as today
  from board b left join charity c on c.board_id = b.id
 where b.kind = 'giving' and b.game_id is null and b.slug = $1 and b.season_ended_at is null;
prepare player_summaries(bigint[]) as
-- player_summaries: what rankings show of some players beside their points.
-- $1 bigint[] players
select p.id, p.name, p.avatar from player p where p.id = any($1::bigint[]);
prepare player_summaries_page(bigint, int) as
-- player_summaries_page: what rankings show of players beside their points, player by player in the order of their ids.
-- $1 bigint the player before the first   $2 int rows
select p.id, p.name, p.avatar from player p where p.id > $1::bigint order by p.id limit $2::int;
prepare players_named(text, text, int, int) as
-- players_named: players of a game with this name, in any case, who stand on a board, best first; hidden and
-- unlisted ones are not there. Of a name that more than a thousand share only a thousand are looked at.
-- $1 text the game's slug   $2 text name   $3 int board   $4 int rows, 1...20
select n.id
  from (select p.id
          from player p join game g on g.id = p.game_id
         where g.slug = $1 and lower(p.name) = lower($2) and not p.hidden and not p.unlisted
         limit 1000) n
  join standing s on s.board_id = $3 and s.player_id = n.id
 order by s.order_key, s.reached_at, s.player_id
 limit $4::int;
prepare window_own_position(int, date, date, bigint, timestamptz, bigint) as
-- window_own_position: where a place would be that a player is told, instead of the one that everybody sees, in a range
-- of days on a board. It brings what `board_own_position` brings.
-- $1 int board   $2 date first day   $3 date last day   $4 bigint order key   $5 timestamptz reached   $6 bigint player
with others as materialized (
  select w.order_key, w.reached_at, w.player_id, w.points from window_standing($1, $2, $3) w where w.player_id <> $6
)
select (select count(*)
          from others o
         where (o.order_key, o.reached_at, o.player_id) < ($4::bigint, $5, $6)) + 1 as position,
       (select count(*) from others o where o.order_key < $4::bigint) + 1 as shared,
       (select count(*) from others o where o.order_key = $4::bigint) + 1 as equals,
       (select o.points from others o where (o.order_key, o.reached_at, o.player_id) < ($4::bigint, $5, $6)
         order by o.order_key desc, o.reached_at desc, o.player_id desc limit 1) as above,
       (select o.points from others o where o.order_key < $4::bigint
         order by o.order_key desc, o.reached_at desc, o.player_id desc limit 1) as better,
       (select count(*) from others) + 1 as size
 where not exists (select from player p where p.hidden and p.id = $6);
prepare window_points_position(int, date, date, bigint) as
-- window_points_position: where a post made now would stand in a range of days on a board.
-- It brings the position, and the position at which its equals begin.
-- $1 int board   $2 date first day   $3 date last day   $4 bigint order key
select count(*) filter (where w.order_key <= $4::bigint) + 1 as position,
       count(*) filter (where w.order_key < $4::bigint) + 1 as shared
  from window_standing($1, $2, $3) w;
prepare window_rows(int, date, date, text, bigint, numeric, timestamptz, bigint, bigint[], int) as
-- window_rows: rows of a range of days on a board, best first; which ones, the row selection says.
-- `from` a position on; `after` a key; the nearest `before` a key, with the row that follows them; the nearest `around`
-- a player; or those of some `players`.
-- Each row brings what `board_positions` says of one, and how many rows there are in all. Hidden players are nowhere.
-- $1 int board   $2 date first day   $3 date last day   $4 text row selection: from, after, before, around, players
-- $5 bigint position   $6 numeric order key   $7 timestamptz reached   $8 bigint row id   $9 bigint[] row ids
-- $10 int rows, 1...101; around: on either side
with positioned as materialized (
  select w.*,
         row_number() over best_first as position,
         rank() over by_points as shared,
         count(*) over (partition by w.order_key) as equals,
         count(*) over () as size,
         lag(w.points) over best_first as above
    from window_standing($1, $2, $3) w
  window best_first as (order by w.order_key, w.reached_at, w.player_id),
         by_points as (order by w.order_key)
), span as materialized (
  select case $4::text
           when 'from' then $5::bigint
           when 'after' then 1 + (
             select count(*)
               from positioned
              where (order_key, reached_at, player_id) <= ($6::numeric, $7::timestamptz, $8::bigint))
           when 'before' then 1 - $10::int + (
             select count(*)
               from positioned
              where (order_key, reached_at, player_id) < ($6::numeric, $7::timestamptz, $8::bigint))
           when 'around' then (select position from positioned where player_id = $8) - $10::int
         end as first_shown,
         case $4::text
           when 'around' then 2 * $10::int + 1
           when 'before' then $10::int + 1
           else $10::int
         end as rows
)
select t.player_id, p.name, p.avatar, t.points, t.reached_at, t.order_key, t.position, t.shared, t.equals, t.above,
       case when $4 = 'players' then (select b.points from positioned b where b.position = t.shared - 1) end as better,
       t.size
  from positioned t cross join span n left join player p on p.id = t.player_id
 where case when $4 = 'players' then t.player_id = any($9::bigint[])
            else t.position >= n.first_shown and t.position - n.first_shown < n.rows
       end
 order by t.position;
prepare window_size(int, date, date) as
-- window_size: how many players stand on a board in a range of days; hidden ones do not.
-- $1 int board   $2 date first day   $3 date last day
select count(*) from window_standing($1, $2, $3);
prepare window_span(int, date, date) as
-- window_span: when a range of days begins and ends on a board: its first instant, and the first one after it.
-- Where clocks go back at 1:00, as on the Azores, midnight comes twice and `at time zone` means the second one: so a
-- day begins at the earliest half hour that belongs to it.
-- $1 int board   $2 date first day   $3 date last day
select (select min(t)
          from generate_series(-4, 0) n,
               lateral (select $2::date::timestamp at time zone b.zone + n * interval '30 minutes') m(t)
         where (t at time zone b.zone)::date >= $2),
       (select min(t)
          from generate_series(-4, 0) n,
               lateral (select ($3::date + 1)::timestamp at time zone b.zone + n * interval '30 minutes') m(t)
         where (t at time zone b.zone)::date > $3)
  from board b where b.id = $1;
prepare boards_followed as
-- boards_followed: the boards of players whose season is played, and how they order.
select b.id, b.policy, b.lowest_first, b.kind = 'giving'
  from board b
 where b.kind in ('score', 'giving') and b.season_ended_at is null;
prepare callers_published as
-- callers_published: whether the publication says when a device, a key or a game has changed, or players were merged.
-- One that an older server made does not.
select count(*) = 4
  from pg_publication_tables p
 where p.pubname = 'causeboard' and p.schemaname = 'public' and p.tablename in ('device', 'game_key', 'game', 'merge');
prepare marker_emit(text) as
-- marker_emit: writes a commit marker into the log, in a commit of its own.
-- Whoever has followed the stream up to it has seen every commit before it.
-- $1 text commit marker
select pg_logical_emit_message(true, 'causeboard', $1::text)::text;
prepare players_erased as
-- players_erased: the players who were erased.
select e.player_id from erasure e;
prepare players_hidden as
-- players_hidden: the players who are hidden from all rankings.
select p.id from player p where p.hidden;
prepare players_merged as
-- players_merged: the players who are one with another player, and with whom.
select m.player_id, m.survivor_id from merge m;
prepare snapshot_parameters(int, date, date) as
-- snapshot_parameters: which rows the copies of this transaction bring, since COPY takes no parameters.
-- The copies may take their time, and memory to sort in.
-- $1 int board   $2 date first day   $3 date last day
select set_config('causeboard.board', $1::int::text, true),
       set_config('causeboard.first_day', $2::date::text, true),
       set_config('causeboard.last_day', $3::date::text, true),
       set_config('statement_timeout', '0', true),
       set_config('work_mem', '64MB', true);
prepare database_settings as
-- database_settings: settings that decide what a post costs, how much log is kept and whether another server fits; one
-- row for each that this login may read.
-- Its name, as SHOW prints it, its number in bytes, milliseconds or as it is (null for a word), and, where it bounds
-- sessions of replication, how many there are now.
select s.name,
       current_setting(s.name),
       case when s.vartype = 'integer'
            then s.setting::bigint * case s.unit when '8kB' then 8192 when 'kB' then 1024 when 'MB' then 1048576
                                                 when 's' then 1000 when 'min' then 60000 else 1 end
       end,
       case s.name when 'max_replication_slots' then (select count(*) from pg_replication_slots)
                   when 'max_wal_senders' then (select count(*) from pg_stat_replication)
       end
  from pg_settings s
 where s.name in ('autovacuum', 'checkpoint_timeout', 'jit', 'max_replication_slots', 'max_slot_wal_keep_size',
                  'max_wal_senders', 'max_wal_size', 'shared_buffers', 'wal_compression')
 order by s.name;
prepare database_state as
-- database_state: whether the database takes no writes, as a standby, and the number of its newest migration.
select pg_is_in_recovery() or current_setting('transaction_read_only')::bool, max(number) from migration;
prepare durability as
-- durability: the settings that decide whether what was committed outlasts a crash.
-- fsync, full_page_writes, this session's synchronous_commit, and whether commits can wait for standbys.
select current_setting('fsync')::bool,
       current_setting('full_page_writes')::bool,
       current_setting('synchronous_commit'),
       current_setting('synchronous_standby_names') <> '';
prepare lock_holders as
-- lock_holders: who holds a lock on a table here, the longest first: what a migration may be waiting for.
-- The process, its role, its application, and for how many seconds its transaction is open, if that may be seen.
select a.pid, a.usename::text, a.application_name, extract(epoch from clock_timestamp() - min(a.xact_start))::bigint
  from pg_locks l
  join pg_class c on c.oid = l.relation
  join pg_class m on m.oid = to_regclass('migration') and m.relnamespace = c.relnamespace
  join pg_stat_activity a on a.pid = l.pid
 where l.granted
   and l.pid <> pg_backend_pid()
   and l.database = (select d.oid from pg_database d where d.datname = current_database())
 group by a.pid, a.usename, a.application_name
 order by min(a.xact_start), a.pid
 limit 3;
prepare migration_patience(int) as
-- migration_patience: how long this transaction waits for a lock. Whoever asks for a table while a migration waits for
-- it waits behind the migration, so it gives way soon and tries again.
-- $1 int milliseconds
select set_config('lock_timeout', $1::int::text, true);
prepare migration_record(int, text, bytea, timestamptz, int) as
-- migration_record: records that one more migration was applied.
-- $1 int number   $2 text name   $3 bytea SHA-256 of its text   $4 timestamptz now   $5 int compatible since
insert into migration (number, name, checksum, applied_at, compatible_since) values ($1, $2, $3, $4, $5);
prepare migrations_applied as
-- migrations_applied: the migrations that have been applied, in order, and the number of the oldest newest migration
-- with which a server may go on after each. The list of an older server lacks that column, so it is read by its name.
select m.number, m.name, m.checksum, coalesce((to_jsonb(m) ->> 'compatible_since')::int, m.number)
  from migration m
 order by m.number;
prepare migrations_exist as
-- migrations_exist: whether anything was ever migrated here, and whether the list says since when servers are
-- compatible, as that of an older server does not.
select to_regclass('migration') is not null,
       exists (
         select from pg_attribute a
          where a.attrelid = to_regclass('migration') and a.attname = 'compatible_since' and not a.attisdropped
       );
prepare migrations_lock as
-- migrations_lock: one migrator at a time; ends with the transaction.
-- The number is the ASCII of "cause".
select pg_advisory_xact_lock(426836358245);
prepare schema_compatible as
-- schema_compatible: the newest migration that has been applied, and the one that a server must know to go on here.
select max(m.number), max(coalesce(m.compatible_since, m.number)) from migration m;
prepare secret_claim(bytea, timestamptz) as
-- secret_claim: writes the fingerprint of the first server's secret; nobody ever replaces it.
-- $1 bytea fingerprint   $2 timestamptz now
insert into installation (secret_fingerprint, installed_at) values ($1, $2) on conflict (one) do nothing;
prepare secret_fingerprint as
-- secret_fingerprint: the fingerprint of the secret under which this database's hashes were made.
select secret_fingerprint from installation;
prepare server_role_check as
-- server_role_check: whether this session is held to append-only ledgers and an append-only log.
-- The current role, and whether it could change or delete a row of one of them.
select current_user::text,
       (
         select bool_or(has_table_privilege(t.name, p.privilege))
           from unnest(array['score', 'donation', 'correction', 'log_entry']) t(name)
          cross join unnest(array['update', 'delete', 'truncate']) p(privilege)
       );
prepare server_version as
-- server_version: PostgreSQL's version, as 150018, and whether it takes no writes, as a standby does.
select current_setting('server_version_num')::int,
       pg_is_in_recovery() or current_setting('transaction_read_only')::bool;
