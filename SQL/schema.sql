-- What the migrations make, as pg_dump writes it; recorded by RECORD_SCHEMA=1 swift test --filter SchemaTests.

CREATE FUNCTION public.anonymous_row_id(random uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ('-1'::integer - (((('x'::text || "right"(replace((random)::text, '-'::text, ''::text), 16)))::bit(64))::bigint & '4611686018427387903'::bigint));

CREATE FUNCTION public.avatar_replace() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  insert into former_avatar (player_id, sha256)
  select old.id, a.sha256 from avatar a where a.sha256 = old.avatar
  on conflict do nothing;
  return null;
end $$;

CREATE FUNCTION public.caller_leave() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  player bigint;
begin
  if tg_table_name = 'device' then
    player = old.player_id;
  elsif tg_table_name = 'merge' then
    player = old.survivor_id;
  else
    player = new.player_id;
  end if;
  update wallet w set callers_left = w.callers_left + 1 where w.player_id = player;
  return null;
end $$;

CREATE FUNCTION public.held_score_terms() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  select b.game_id, coalesce(new.secret_until, s.reached_at + settle_time(b))
    into new.game_id, new.secret_until
    from score s join board b on b.id = s.board_id
   where s.player_id = new.player_id and s.id = new.id;
  return new;
end $$;

CREATE FUNCTION public.is_zone(zone text) RETURNS boolean
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (EXISTS (SELECT FROM pg_timezone_names z WHERE ((z.name = is_zone.zone) AND (z.name !~ '^(posix/|Factory)'::text))));

CREATE TABLE public.merge (
    player_id bigint NOT NULL,
    into_id bigint NOT NULL,
    survivor_id bigint NOT NULL,
    act uuid NOT NULL,
    merged_at timestamp with time zone NOT NULL,
    CONSTRAINT merge_check CHECK (((player_id <> into_id) AND (player_id <> survivor_id)))
);

CREATE FUNCTION public.members(player_id bigint) RETURNS bigint[]
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (SELECT array_append(ARRAY(SELECT m.player_id FROM public.merge m WHERE (m.survivor_id = s.id)), s.id) AS array_append FROM (SELECT COALESCE((SELECT m.survivor_id FROM public.merge m WHERE (m.player_id = members.player_id)), members.player_id) AS id) s);

CREATE TABLE public.board (
    id integer NOT NULL,
    kind text NOT NULL,
    game_id integer,
    slug text NOT NULL,
    season integer DEFAULT 1 NOT NULL,
    season_ended_at timestamp with time zone,
    name text NOT NULL,
    policy text NOT NULL,
    lowest_first boolean DEFAULT false NOT NULL,
    sign smallint GENERATED ALWAYS AS (
CASE
    WHEN lowest_first THEN '-1'::integer
    ELSE 1
END) STORED NOT NULL,
    points_min bigint DEFAULT '-9007199254740991'::bigint NOT NULL,
    points_max bigint DEFAULT '9007199254740991'::bigint NOT NULL,
    zone text DEFAULT 'UTC'::text NOT NULL,
    ties text DEFAULT 'first'::text NOT NULL,
    earns text DEFAULT 'none'::text NOT NULL,
    earns_fixed bigint,
    earn_max bigint,
    earn_day bigint,
    opens_at timestamp with time zone,
    closes_at timestamp with time zone,
    added_at timestamp with time zone NOT NULL,
    display text DEFAULT 'number'::text NOT NULL,
    unit text,
    trust text DEFAULT 'open'::text NOT NULL,
    hold_above numeric,
    hold_rate integer,
    hold_pace bigint,
    judge integer,
    settle integer,
    details text DEFAULT 'private'::text NOT NULL,
    CONSTRAINT board_details_check CHECK ((details = ANY (ARRAY['private'::text, 'public'::text]))),
    CONSTRAINT board_details_policy_check CHECK (((details = 'private'::text) OR (policy <> 'sum'::text))),
    CONSTRAINT board_display_check CHECK ((display = ANY (ARRAY['number'::text, 'seconds'::text, 'milliseconds'::text]))),
    CONSTRAINT board_earn_day_check CHECK ((earn_day >= 0)),
    CONSTRAINT board_earn_max_check CHECK ((earn_max >= 0)),
    CONSTRAINT board_earns_check CHECK ((earns = ANY (ARRAY['points'::text, 'improvement'::text, 'fixed'::text, 'none'::text]))),
    CONSTRAINT board_earns_fixed_check CHECK ((((earns = 'fixed'::text) = (earns_fixed IS NOT NULL)) AND (earns_fixed >= 0))),
    CONSTRAINT board_game_id_check CHECK (((kind = 'score'::text) = (game_id IS NOT NULL))),
    CONSTRAINT board_giving_check CHECK (((kind = 'score'::text) OR ((policy = 'sum'::text) AND (NOT lowest_first)))),
    CONSTRAINT board_hold_above_check CHECK (((hold_above > (0)::numeric) AND (hold_above <= (1000000)::numeric) AND ((hold_above < (1)::numeric) = lowest_first))),
    CONSTRAINT board_hold_pace_check CHECK (((hold_pace IS NULL) OR ((hold_pace >= 1) AND (NOT lowest_first)))),
    CONSTRAINT board_hold_rate_check CHECK (((hold_rate >= 1) AND (hold_rate <= 600))),
    CONSTRAINT board_judge_check CHECK (((judge >= 1) AND (judge <= 1440))),
    CONSTRAINT board_kind_check CHECK ((kind = ANY (ARRAY['score'::text, 'giving'::text, 'charity'::text]))),
    CONSTRAINT board_name_check CHECK ((name <> ''::text)),
    CONSTRAINT board_opens_at_check CHECK ((opens_at < closes_at)),
    CONSTRAINT board_points_check CHECK (((points_min >= '-9223372036854775807'::bigint) AND (points_min <= points_max))),
    CONSTRAINT board_policy_check CHECK ((policy = ANY (ARRAY['best'::text, 'latest'::text, 'sum'::text]))),
    CONSTRAINT board_season_check CHECK ((season >= 1)),
    CONSTRAINT board_settle_check CHECK (((settle >= 0) AND (settle <= 10080))),
    CONSTRAINT board_slug_check CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text)),
    CONSTRAINT board_ties_check CHECK ((ties = ANY (ARRAY['first'::text, 'shared'::text]))),
    CONSTRAINT board_trust_check CHECK ((trust = ANY (ARRAY['open'::text, 'signed'::text, 'server'::text]))),
    CONSTRAINT board_unit_check CHECK (((unit <> ''::text) AND (char_length(unit) <= 16))),
    CONSTRAINT board_zone_check CHECK (((kind <> 'giving'::text) OR (slug <> 'overall'::text) OR (zone = 'UTC'::text)))
);

CREATE TABLE public.held_score (
    player_id bigint NOT NULL,
    id uuid NOT NULL,
    item uuid NOT NULL,
    why text[] NOT NULL,
    held_at timestamp with time zone NOT NULL,
    judge_until timestamp with time zone,
    verdict text,
    judged_by integer,
    judged_at timestamp with time zone,
    game_id integer,
    secret_until timestamp with time zone,
    CONSTRAINT held_score_judged_check CHECK ((((verdict IS NULL) = (judged_by IS NULL)) AND ((verdict IS NULL) = (judged_at IS NULL)) AND ((verdict IS NULL) OR (judge_until IS NULL)))),
    CONSTRAINT held_score_verdict_check CHECK ((verdict = ANY (ARRAY['clear'::text, 'void'::text]))),
    CONSTRAINT held_score_why_check CHECK (((cardinality(why) >= 1) AND (why <@ ARRAY['above'::text, 'rate'::text, 'pace'::text, 'judge'::text, 'operator'::text])))
);

CREATE TABLE public.score (
    player_id bigint NOT NULL,
    id uuid NOT NULL,
    board_id integer NOT NULL,
    points bigint NOT NULL,
    earned bigint NOT NULL,
    no_client_id boolean NOT NULL,
    played_at timestamp with time zone,
    reached_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    improved boolean NOT NULL,
    day date
)
WITH (autovacuum_vacuum_insert_scale_factor='0', autovacuum_vacuum_insert_threshold='500000', autovacuum_freeze_min_age='0', autovacuum_analyze_scale_factor='0.02');

CREATE TABLE public.score_state (
    player_id bigint NOT NULL,
    id uuid NOT NULL,
    state text NOT NULL,
    CONSTRAINT score_state_state_check CHECK ((state = ANY (ARRAY['held'::text, 'voided'::text])))
);

CREATE TABLE public.standing (
    board_id integer NOT NULL,
    player_id bigint NOT NULL,
    points bigint NOT NULL,
    reached_at timestamp with time zone NOT NULL,
    lowest_first boolean NOT NULL,
    order_key bigint GENERATED ALWAYS AS (
CASE
    WHEN lowest_first THEN points
    ELSE (- points)
END) STORED NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05');

COMMENT ON COLUMN public.standing.player_id IS 'negative: what the player gave anonymously';

CREATE TABLE public.tally (
    board_id integer NOT NULL,
    day date NOT NULL,
    player_id bigint NOT NULL,
    points bigint NOT NULL,
    reached_at timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05');

ALTER TABLE ONLY public.tally REPLICA IDENTITY FULL;

COMMENT ON COLUMN public.tally.player_id IS 'negative: what the player gave anonymously';

CREATE FUNCTION public.own_standing(of_player bigint, of_board integer, first_day date, last_day date, at timestamp with time zone) RETURNS TABLE(points numeric, reached_at timestamp with time zone, order_key numeric)
    LANGUAGE sql STABLE PARALLEL SAFE
    BEGIN ATOMIC
 WITH posts AS (
          SELECT (s.points)::numeric AS points,
             s.reached_at
            FROM public.standing s
           WHERE ((s.board_id = own_standing.of_board) AND (s.player_id = own_standing.of_player) AND (own_standing.first_day IS NULL))
         UNION ALL
          SELECT t.points,
             t.reached_at
            FROM public.tally t
           WHERE ((t.board_id = own_standing.of_board) AND (t.player_id = own_standing.of_player) AND ((t.day >= own_standing.first_day) AND (t.day <= own_standing.last_day)))
         UNION ALL
          SELECT c.points,
             c.reached_at
            FROM (((( SELECT m.player_id,
                     m.id
                    FROM public.score_state m
                   WHERE ((m.player_id = ANY (public.members(own_standing.of_player))) AND (m.state = 'held'::text))
                  OFFSET 0)
                 UNION ALL
                  SELECT h.player_id,
                     h.id
                    FROM (( SELECT x.player_id,
                             x.id
                            FROM public.held_score x
                           WHERE ((x.player_id = ANY (public.members(own_standing.of_player))) AND (x.secret_until > own_standing.at))
                          OFFSET 0) h
                      JOIN public.score_state m ON (((m.player_id = h.player_id) AND (m.id = h.id) AND (m.state = 'voided'::text))))) k
              JOIN public.score c ON (((c.player_id = k.player_id) AND (c.id = k.id))))
              JOIN public.board d ON ((d.id = c.board_id)))
           WHERE ((c.board_id = own_standing.of_board) AND ((own_standing.first_day IS NULL) OR ((COALESCE(c.day, ((c.reached_at AT TIME ZONE d.zone))::date) >= own_standing.first_day) AND (COALESCE(c.day, ((c.reached_at AT TIME ZONE d.zone))::date) <= own_standing.last_day))))
         )
  SELECT l.points,
     l.reached_at,
     (l.points * ((- l.sign))::numeric)
    FROM ( SELECT GREATEST(('-9223372036854775807'::bigint)::numeric, LEAST(('9223372036854775807'::bigint)::numeric,
                 CASE b.policy
                     WHEN 'sum'::text THEN sum(p.points)
                     WHEN 'best'::text THEN (max((p.points * (b.sign)::numeric)) * (b.sign)::numeric)
                     ELSE (array_agg(p.points ORDER BY p.reached_at DESC, (p.points * (b.sign)::numeric) DESC))[1]
                 END)) AS points,
                 CASE b.policy
                     WHEN 'best'::text THEN (array_agg(p.reached_at ORDER BY (p.points * (b.sign)::numeric) DESC, p.reached_at))[1]
                     ELSE max(p.reached_at)
                 END AS reached_at,
             b.sign
            FROM (posts p
              JOIN public.board b ON ((b.id = own_standing.of_board)))
           GROUP BY b.policy, b.sign) l;
END;

CREATE TABLE public.donation (
    player_id bigint NOT NULL,
    id uuid NOT NULL,
    charity_id integer NOT NULL,
    points bigint NOT NULL,
    anonymous boolean NOT NULL,
    no_client_id boolean NOT NULL,
    reached_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    day date,
    row_id bigint,
    day_began_at timestamp with time zone,
    anonymised boolean DEFAULT false NOT NULL,
    CONSTRAINT donation_anonymous_check CHECK (
CASE
    WHEN anonymous THEN ((row_id < 0) AND (row_id IS NOT NULL) AND (day_began_at IS NOT NULL))
    ELSE ((row_id IS NULL) AND (day_began_at IS NULL) AND (NOT anonymised))
END),
    CONSTRAINT donation_points_check CHECK ((points >= 1))
)
WITH (autovacuum_vacuum_insert_scale_factor='0', autovacuum_vacuum_insert_threshold='500000', autovacuum_freeze_min_age='0', autovacuum_analyze_scale_factor='0.02');

COMMENT ON COLUMN public.donation.anonymised IS 'whether it was given by name, and turned anonymous later';

CREATE TABLE public.past_donation (
)
INHERITS (public.donation)
WITH (autovacuum_vacuum_insert_scale_factor='0', autovacuum_vacuum_insert_threshold='500000', autovacuum_freeze_min_age='0', autovacuum_analyze_scale_factor='0.02');

CREATE FUNCTION public.past_donations_move(players bigint[], before timestamp with time zone, rows_max integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    BEGIN ATOMIC
 WITH chosen AS (
          SELECT d.player_id,
             d.id
            FROM ONLY public.donation d
           WHERE ((d.player_id = ANY (past_donations_move.players)) AND (d.reached_at < past_donations_move.before))
           ORDER BY d.player_id, d.reached_at
          LIMIT past_donations_move.rows_max
         ), gone AS (
          DELETE FROM ONLY public.donation d
            USING chosen c
           WHERE ((d.player_id = c.player_id) AND (d.id = c.id))
           RETURNING d.player_id,
             d.id,
             d.charity_id,
             d.points,
             d.anonymous,
             d.no_client_id,
             d.reached_at,
             d.recorded_at,
             d.day,
             d.row_id,
             d.day_began_at,
             d.anonymised
         ), kept AS (
          INSERT INTO public.past_donation (player_id, id, charity_id, points, anonymous, no_client_id, reached_at, recorded_at, day, row_id, day_began_at, anonymised)  SELECT g.player_id,
                     g.id,
                     g.charity_id,
                     g.points,
                     g.anonymous,
                     g.no_client_id,
                     g.reached_at,
                     g.recorded_at,
                     g.day,
                     g.row_id,
                     g.day_began_at,
                     g.anonymised
                    FROM gone g
                   ORDER BY g.player_id, g.reached_at
           RETURNING 1 AS "?column?"
         )
  SELECT count(*) AS count
    FROM kept;
END;

CREATE TABLE public.past_score (
)
INHERITS (public.score)
WITH (autovacuum_vacuum_insert_scale_factor='0', autovacuum_vacuum_insert_threshold='500000', autovacuum_freeze_min_age='0', autovacuum_analyze_scale_factor='0.02');

CREATE FUNCTION public.past_scores_move(players bigint[], before timestamp with time zone, rows_max integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    BEGIN ATOMIC
 WITH chosen AS (
          SELECT s.player_id,
             s.id
            FROM ONLY public.score s
           WHERE ((s.player_id = ANY (past_scores_move.players)) AND (s.reached_at < past_scores_move.before))
           ORDER BY s.player_id, s.reached_at
          LIMIT past_scores_move.rows_max
         ), gone AS (
          DELETE FROM ONLY public.score s
            USING chosen c
           WHERE ((s.player_id = c.player_id) AND (s.id = c.id))
           RETURNING s.player_id,
             s.id,
             s.board_id,
             s.points,
             s.earned,
             s.no_client_id,
             s.played_at,
             s.reached_at,
             s.recorded_at,
             s.improved,
             s.day
         ), kept AS (
          INSERT INTO public.past_score (player_id, id, board_id, points, earned, no_client_id, played_at, reached_at, recorded_at, improved, day)  SELECT g.player_id,
                     g.id,
                     g.board_id,
                     g.points,
                     g.earned,
                     g.no_client_id,
                     g.played_at,
                     g.reached_at,
                     g.recorded_at,
                     g.improved,
                     g.day
                    FROM gone g
                   ORDER BY g.player_id, g.reached_at
           RETURNING 1 AS "?column?"
         )
  SELECT count(*) AS count
    FROM kept;
END;

CREATE FUNCTION public.points_after(policy text, sign smallint, points_before bigint, reached_before timestamp with time zone, points bigint, reached_at timestamp with time zone) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (points_before IS NULL) THEN points WHEN (policy = 'sum'::text) THEN (points_before + points) WHEN (policy = 'best'::text) THEN CASE WHEN ((points * sign) > (points_before * sign)) THEN points ELSE points_before END WHEN (ROW(reached_at, (points * sign)) >= ROW(reached_before, (points_before * sign))) THEN points ELSE points_before END;

CREATE FUNCTION public.post_time_copy() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  update wallet w
     set (timed_boards, timed_at) = (
           select array_agg(r.board_id order by r.at, r.board_id),
                  array_agg(r.at order by r.at, r.board_id)
             from (select u.board_id, u.at
                     from unnest(w.timed_boards, w.timed_at) u(board_id, at)
                    where u.board_id <> new.board_id
                    union all
                  (select u.board_id, u.at
                     from unnest(w.timed_boards, w.timed_at) u(board_id, at)
                    where u.board_id = new.board_id
                      and u.at > new.posted_at[cardinality(new.posted_at)] - interval '1 minute'
                    order by u.at desc
                    limit 599)              -- as many as any board takes in a minute, with the new one
                    union all
                   select new.board_id, new.posted_at[cardinality(new.posted_at)]) r(board_id, at))
   where w.player_id = new.player_id;
  return null;
end $$;

CREATE FUNCTION public.reached_after(policy text, sign smallint, points_before bigint, reached_before timestamp with time zone, points bigint, reached_at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN ((points_before IS NULL) OR (policy <> 'best'::text)) THEN GREATEST(reached_before, reached_at) WHEN ((points * sign) > (points_before * sign)) THEN reached_at WHEN (points = points_before) THEN LEAST(reached_before, reached_at) ELSE reached_before END;

CREATE TABLE public.report (
    player_id bigint NOT NULL,
    reporter_id bigint NOT NULL,
    why text NOT NULL,
    text text,
    reported_at timestamp with time zone NOT NULL,
    dismissed_by uuid,
    source bigint,
    CONSTRAINT report_text_check CHECK (((octet_length(text) >= 1) AND (octet_length(text) <= 4000))),
    CONSTRAINT report_why_check CHECK ((why = ANY (ARRAY['name'::text, 'picture'::text, 'cheating'::text, 'other'::text])))
);

COMMENT ON COLUMN public.report.player_id IS 'who is reported';

COMMENT ON COLUMN public.report.dismissed_by IS 'the act that dismissed it';

COMMENT ON COLUMN public.report.source IS 'keyed hash of the network that it came from; null when that is unknown';

CREATE VIEW public.report_place AS
 SELECT r.player_id,
    r.reporter_id,
    r.reported_at,
    r.text,
    r.dismissed_by,
    row_number() OVER (PARTITION BY r.player_id ORDER BY (r.dismissed_by IS NOT NULL), (r.round > 1), LEAST(r.from_oldest, r.from_newest), r.from_oldest) AS place
   FROM ( SELECT w.player_id,
            w.reporter_id,
            w.reported_at,
            w.text,
            w.dismissed_by,
            row_number() OVER (PARTITION BY w.player_id, (w.dismissed_by IS NOT NULL), w.source ORDER BY w.reported_at, w.reporter_id) AS round,
            row_number() OVER (PARTITION BY w.player_id ORDER BY w.reported_at, w.reporter_id) AS from_oldest,
            row_number() OVER (PARTITION BY w.player_id ORDER BY w.reported_at DESC, w.reporter_id DESC) AS from_newest
           FROM public.report w
          WHERE (w.text IS NOT NULL)) r;

CREATE FUNCTION public.report_words(of_player bigint) RETURNS text[]
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (SELECT array_agg(p.text ORDER BY p.reported_at, p.reporter_id) AS array_agg FROM public.report_place p WHERE ((p.player_id = report_words.of_player) AND (p.dismissed_by IS NULL) AND (p.place <= 20)));

CREATE FUNCTION public.save_erase() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  delete from save s where s.player_id = new.player_id;
  return null;
end $$;

CREATE FUNCTION public.secret_points(of_player bigint, at timestamp with time zone) RETURNS TABLE(held numeric, voided numeric)
    LANGUAGE sql STABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT COALESCE(sum(s.earned) FILTER (WHERE (m.state = 'held'::text)), (0)::numeric) AS "coalesce",
     COALESCE(sum(s.earned) FILTER (WHERE (m.state = 'voided'::text)), (0)::numeric) AS "coalesce"
    FROM ((( SELECT x.player_id,
             x.id
            FROM public.held_score x
           WHERE ((x.player_id = ANY (public.members(secret_points.of_player))) AND (x.secret_until > secret_points.at))
          OFFSET 0) h
      JOIN public.score_state m ON (((m.player_id = h.player_id) AND (m.id = h.id))))
      JOIN public.score s ON (((s.player_id = h.player_id) AND (s.id = h.id))));
END;

CREATE FUNCTION public.settle_time(b public.board) RETURNS interval
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN make_interval(mins => COALESCE((b).settle, CASE WHEN (COALESCE((b).hold_above, ((b).hold_rate)::numeric, ((b).hold_pace)::numeric, ((b).judge)::numeric) IS NULL) THEN 0 ELSE 10 END));

CREATE TABLE public.wallet (
    player_id bigint NOT NULL,
    earned bigint DEFAULT 0 NOT NULL,
    voided bigint DEFAULT 0 NOT NULL,
    held bigint DEFAULT 0 NOT NULL,
    given bigint DEFAULT 0 NOT NULL,
    banned boolean DEFAULT false NOT NULL,
    merged boolean DEFAULT false NOT NULL,
    merges integer DEFAULT 0 NOT NULL,
    parted boolean DEFAULT false NOT NULL,
    holds integer DEFAULT 0 NOT NULL,
    settles_at timestamp with time zone,
    secret_until timestamp with time zone,
    callers_left integer DEFAULT 0 NOT NULL,
    timed_boards integer[],
    timed_at timestamp with time zone[],
    CONSTRAINT wallet_books_check CHECK ((((earned >= 0) AND (earned <= '9007199254740991'::bigint)) AND (given >= 0) AND ((given <= earned) OR parted) AND (voided >= 0) AND (held >= 0) AND ((voided + held) <= earned))),
    CONSTRAINT wallet_holds_check CHECK ((holds >= 0)),
    CONSTRAINT wallet_timed_check CHECK ((NOT (cardinality(timed_boards) IS DISTINCT FROM cardinality(timed_at))))
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05');

COMMENT ON COLUMN public.wallet.merges IS 'how many players are one with this one';

COMMENT ON COLUMN public.wallet.holds IS 'how many scores are held';

COMMENT ON COLUMN public.wallet.settles_at IS 'when the newest points may be given; null or past when all may';

COMMENT ON COLUMN public.wallet.secret_until IS 'until when some score is held, or voided after that, and its owner is not told';

COMMENT ON COLUMN public.wallet.callers_left IS 'how often somebody ceased to speak for the player';

COMMENT ON COLUMN public.wallet.timed_boards IS 'the board of each post at timed_at';

COMMENT ON COLUMN public.wallet.timed_at IS 'when the player posted to boards whose rules go by times: to each last, and in the minute before; those of one board ascend';

CREATE FUNCTION public.unspent(w public.wallet) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((((w).earned - (w).voided) - (w).held) - (w).given);

CREATE FUNCTION public.told_left(w public.wallet, at timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN GREATEST((0)::bigint, (public.unspent(w) + CASE WHEN ((w).secret_until > at) THEN (SELECT ((s.held + s.voided))::bigint AS int8 FROM public.secret_points((told_left.w).player_id, told_left.at) s(held, voided)) ELSE (0)::bigint END));

CREATE FUNCTION public.settling_points(w public.wallet, at timestamp with time zone) RETURNS bigint
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN CASE WHEN ((w).settles_at > at) THEN (LEAST((public.told_left(w, at))::numeric, (SELECT COALESCE(sum(s.earned), (0)::numeric) AS "coalesce" FROM ((public.score s JOIN public.board b ON ((b.id = s.board_id))) LEFT JOIN public.score_state m ON (((m.player_id = s.player_id) AND (m.id = s.id)))) WHERE ((s.player_id = ANY (public.members((settling_points.w).player_id))) AND (s.reached_at > (settling_points.at - (SELECT max(public.settle_time(x.*)) AS max FROM public.board x WHERE (x.kind = 'score'::text)))) AND ((s.reached_at + public.settle_time(b.*)) > settling_points.at) AND ((m.state IS NULL) OR ((SELECT h.id FROM public.held_score h WHERE ((h.player_id = s.player_id) AND (h.id = s.id)) LIMIT 1) IS NOT NULL))))))::bigint ELSE (0)::bigint END;

CREATE VIEW public.owner_score AS
 SELECT m.player_id,
    m.id,
    s.board_id,
    s.points,
    s.earned,
    s.reached_at,
    COALESCE(s.day, ((s.reached_at AT TIME ZONE b.zone))::date) AS day,
    m.state,
    h.secret_until
   FROM (((public.score_state m
     JOIN public.held_score h ON (((h.player_id = m.player_id) AND (h.id = m.id))))
     JOIN public.score s ON (((s.player_id = m.player_id) AND (s.id = m.id))))
     JOIN public.board b ON ((b.id = s.board_id)));

CREATE FUNCTION public.told_state(m public.score_state, at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN COALESCE((SELECT 'counted'::text FROM public.owner_score o WHERE ((o.player_id = (told_state.m).player_id) AND (o.id = (told_state.m).id) AND (o.secret_until > told_state.at))), (m).state);

CREATE FUNCTION public.waiting_name(player_id bigint) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ('Player '::text || lpad(((player_id % (10000)::bigint))::text, 4, '0'::text));

CREATE FUNCTION public.window_standing_with_hidden(of_board integer, first_day date, last_day date) RETURNS TABLE(player_id bigint, points numeric, reached_at timestamp with time zone, order_key numeric)
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
  select l.player_id, l.points, l.reached_at, l.points * -l.sign
    from (select t.player_id, b.sign,
                 case b.policy when 'sum' then sum(t.points)
                               when 'best' then (max(t.points * b.sign) * b.sign)::numeric
                               else ((array_agg(t.points order by t.reached_at desc) filter (where b.policy = 'latest'))[1])::numeric end as points,
                 case b.policy when 'best' then (array_agg(t.reached_at order by t.points * b.sign desc, t.reached_at) filter (where b.policy = 'best'))[1]
                               else max(t.reached_at) end as reached_at
            from tally t join board b on b.id = t.board_id
           where t.board_id = of_board and t.day between first_day and last_day
           group by t.player_id, b.policy, b.sign) l
$$;

CREATE TABLE public.player (
    id bigint NOT NULL,
    game_id integer NOT NULL,
    name text NOT NULL,
    email text,
    fb_uid text,
    wants_updates boolean DEFAULT false NOT NULL,
    updates_since timestamp with time zone,
    updates_source text,
    avatar bytea,
    hidden boolean DEFAULT false NOT NULL,
    registered_at timestamp with time zone NOT NULL,
    country text,
    unlisted boolean DEFAULT false NOT NULL,
    asked_name text,
    asked_at timestamp with time zone,
    name_waits boolean DEFAULT false NOT NULL,
    CONSTRAINT player_asked_at_check CHECK (((asked_name IS NULL) = (asked_at IS NULL))),
    CONSTRAINT player_asked_name_check CHECK (((octet_length(asked_name) >= 1) AND (octet_length(asked_name) <= 1024))),
    CONSTRAINT player_avatar_check CHECK ((octet_length(avatar) = 32)),
    CONSTRAINT player_country_check CHECK ((country ~ '^[A-Z]{2}$'::text)),
    CONSTRAINT player_email_check CHECK ((octet_length(email) <= 254)),
    CONSTRAINT player_fb_uid_check CHECK ((octet_length(fb_uid) <= 256)),
    CONSTRAINT player_id_check CHECK (((id >= 1) AND (id <= '9007199254740991'::bigint))),
    CONSTRAINT player_name_check CHECK ((octet_length(name) <= 1024)),
    CONSTRAINT player_updates_check CHECK (((NOT wants_updates) OR ((updates_since IS NOT NULL) AND (updates_source IS NOT NULL))))
);

COMMENT ON COLUMN public.player.name IS 'what everybody sees; empty once the player was erased';

COMMENT ON COLUMN public.player.name_waits IS 'whether the next name that the player gives itself waits for approval';

CREATE FUNCTION public.window_standing(of_board integer, first_day date, last_day date) RETURNS TABLE(player_id bigint, points numeric, reached_at timestamp with time zone, order_key numeric)
    LANGUAGE sql STABLE PARALLEL SAFE
    BEGIN ATOMIC
 SELECT w.player_id,
     w.points,
     w.reached_at,
     w.order_key
    FROM public.window_standing_with_hidden(window_standing.of_board, window_standing.first_day, window_standing.last_day) w(player_id, points, reached_at, order_key)
   WHERE (NOT (EXISTS ( SELECT
            FROM public.player p
           WHERE (p.hidden AND (p.id = w.player_id)))));
END;

CREATE TABLE public.act (
    id uuid NOT NULL,
    kind text NOT NULL,
    player_id bigint,
    subject uuid,
    until timestamp with time zone,
    asked text NOT NULL,
    before bigint[] NOT NULL,
    after bigint[] NOT NULL,
    n bigint NOT NULL,
    undone_by uuid,
    acted_at timestamp with time zone NOT NULL,
    owner_id bigint,
    into_id bigint
);

CREATE TABLE public.avatar (
    sha256 bytea NOT NULL,
    png bytea NOT NULL,
    added_at timestamp with time zone NOT NULL,
    CONSTRAINT avatar_sha256_check CHECK ((octet_length(sha256) = 32))
);
ALTER TABLE ONLY public.avatar ALTER COLUMN png SET STORAGE EXTERNAL;

CREATE TABLE public.best_posts (
    player_id bigint NOT NULL,
    board_id integer NOT NULL,
    until timestamp with time zone NOT NULL,
    ids uuid[] NOT NULL
);

CREATE VIEW public.counted_score AS
 SELECT s.player_id,
    s.id,
    s.board_id,
    s.points,
    s.reached_at,
    s.day
   FROM public.score s
  WHERE (NOT (EXISTS ( SELECT
           FROM public.score_state m
          WHERE ((m.player_id = s.player_id) AND (m.id = s.id)))));

CREATE VIEW public.best_posts_proof AS
 SELECT k.player_id,
    k.board_id,
    k.until,
    COALESCE(l.ids, '{}'::uuid[]) AS ids
   FROM ((public.best_posts k
     JOIN public.board b ON ((b.id = k.board_id)))
     LEFT JOIN LATERAL ( SELECT array_agg(t.id ORDER BY (t.points * b.sign) DESC, t.reached_at, t.id) AS ids
           FROM ( SELECT s.id,
                    s.points,
                    s.reached_at
                   FROM public.counted_score s
                  WHERE ((s.player_id = k.player_id) AND (s.board_id = k.board_id) AND (s.reached_at < k.until))
                  ORDER BY (s.points * b.sign) DESC, s.reached_at, s.id
                 LIMIT 10) t) l ON (true));

ALTER TABLE public.board ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.board_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.board_measure (
    board_id integer NOT NULL,
    posts integer NOT NULL,
    percentile bigint,
    measured_at timestamp with time zone NOT NULL,
    inherited boolean DEFAULT false NOT NULL,
    CONSTRAINT board_measure_posts_check CHECK (((posts >= 0) AND (posts <= 1000)))
);

CREATE TABLE public.book_charity (
    charity_id integer NOT NULL,
    day date NOT NULL,
    points numeric NOT NULL
);

CREATE TABLE public.book_day (
    day date NOT NULL,
    earned numeric NOT NULL,
    voided numeric NOT NULL,
    held numeric NOT NULL,
    given numeric NOT NULL,
    unfunded numeric NOT NULL,
    log_n bigint NOT NULL,
    log_hash bytea NOT NULL,
    closed_at timestamp with time zone NOT NULL,
    CONSTRAINT book_day_log_hash_check CHECK ((octet_length(log_hash) = 32)),
    CONSTRAINT book_day_log_n_check CHECK ((log_n >= 0))
);

CREATE TABLE public.book_game (
    game_id integer NOT NULL,
    day date NOT NULL,
    points numeric NOT NULL
);

CREATE TABLE public.charity (
    id integer NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    name_folded text NOT NULL,
    name_skeleton text NOT NULL,
    url text,
    description text,
    goal bigint,
    opens_at timestamp with time zone,
    closes_at timestamp with time zone,
    board_id integer NOT NULL,
    added_at timestamp with time zone NOT NULL,
    cooling_off integer DEFAULT 0 NOT NULL,
    cap_day bigint,
    cap_all bigint,
    CONSTRAINT charity_cap_all_check CHECK ((cap_all >= 1)),
    CONSTRAINT charity_cap_day_check CHECK ((cap_day >= 1)),
    CONSTRAINT charity_cooling_off_check CHECK (((cooling_off >= 0) AND (cooling_off <= 43200))),
    CONSTRAINT charity_goal_check CHECK ((goal >= 1)),
    CONSTRAINT charity_name_check CHECK ((name <> ''::text)),
    CONSTRAINT charity_opens_at_check CHECK ((opens_at < closes_at)),
    CONSTRAINT charity_slug_check CHECK (((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text) AND (slug <> ALL (ARRAY['me'::text, 'top'::text, 'live'::text, 'overall'::text]))))
);

CREATE TABLE public.charity_given (
    charity_id integer NOT NULL,
    day date NOT NULL,
    points numeric NOT NULL,
    CONSTRAINT charity_given_points_check CHECK ((points >= (0)::numeric))
);

CREATE TABLE public.donation_state (
    player_id bigint NOT NULL,
    id uuid NOT NULL,
    unfunded bigint NOT NULL,
    reversed boolean NOT NULL,
    CONSTRAINT donation_state_check CHECK ((((unfunded > 0) AND (NOT reversed)) OR ((unfunded = 0) AND reversed)))
);

CREATE VIEW public.charity_given_proof AS
 SELECT d.charity_id,
    COALESCE(d.day, ((d.reached_at AT TIME ZONE b.zone))::date) AS day,
    sum(
        CASE
            WHEN m.reversed THEN (0)::bigint
            ELSE d.points
        END) AS points
   FROM (((public.charity c
     JOIN public.board b ON ((b.id = c.board_id)))
     JOIN public.donation d ON ((d.charity_id = c.id)))
     LEFT JOIN public.donation_state m ON (((m.player_id = d.player_id) AND (m.id = d.id))))
  WHERE ((c.cap_day IS NOT NULL) OR (c.cap_all IS NOT NULL))
  GROUP BY d.charity_id, COALESCE(d.day, ((d.reached_at AT TIME ZONE b.zone))::date);

ALTER TABLE public.charity ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.charity_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.charity_total (
    charity_id integer NOT NULL,
    part smallint NOT NULL,
    points numeric NOT NULL,
    contributors bigint NOT NULL,
    reached_at timestamp with time zone,
    CONSTRAINT charity_total_part_check CHECK (((part >= 0) AND (part <= 64)))
)
WITH (fillfactor='50');

CREATE VIEW public.funded_donation AS
 SELECT d.player_id,
    d.id,
    d.charity_id,
    (d.points - COALESCE(m.unfunded, (0)::bigint)) AS points,
    d.anonymous,
    d.reached_at,
    d.day,
    d.row_id,
    d.day_began_at
   FROM (public.donation d
     LEFT JOIN public.donation_state m ON (((m.player_id = d.player_id) AND (m.id = d.id))))
  WHERE ((NOT COALESCE(m.reversed, false)) AND (d.points > COALESCE(m.unfunded, (0)::bigint)));

CREATE VIEW public.charity_total_proof AS
 SELECT d.charity_id,
    sum(d.points) AS points,
    count(DISTINCT COALESCE(o.survivor_id, d.player_id)) FILTER (WHERE (NOT d.anonymous)) AS contributors,
    max(d.reached_at) FILTER (WHERE (NOT d.anonymous)) AS reached_at
   FROM (public.funded_donation d
     LEFT JOIN public.merge o ON ((o.player_id = d.player_id)))
  GROUP BY d.charity_id;

CREATE TABLE public.code (
    player_id bigint NOT NULL,
    kind text NOT NULL,
    hash bytea NOT NULL,
    device bytea NOT NULL,
    made_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone,
    log_entry bigint,
    CONSTRAINT code_device_check CHECK ((octet_length(device) = 32)),
    CONSTRAINT code_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT code_kind_check CHECK ((kind = ANY (ARRAY['join'::text, 'recovery'::text])))
);

COMMENT ON COLUMN public.code.device IS 'hash of the device that asked for it, with which it ends';

COMMENT ON COLUMN public.code.log_entry IS 'number of the log entry of the operator who asked for it; null when a device did';

CREATE TABLE public.correction (
    player_id bigint NOT NULL,
    n integer NOT NULL,
    kind text NOT NULL,
    subject uuid NOT NULL,
    points bigint NOT NULL,
    act uuid,
    corrected_at timestamp with time zone NOT NULL,
    CONSTRAINT correction_kind_check CHECK ((kind = ANY (ARRAY['hold'::text, 'release'::text, 'void'::text, 'unvoid'::text, 'unfund'::text, 'fund'::text, 'reverse'::text, 'unreverse'::text, 'forfeit'::text, 'unforfeit'::text]))),
    CONSTRAINT correction_points_check CHECK ((points >= 0))
)
WITH (autovacuum_vacuum_insert_scale_factor='0', autovacuum_vacuum_insert_threshold='500000', autovacuum_freeze_min_age='0', autovacuum_analyze_scale_factor='0.02');

COMMENT ON COLUMN public.correction.act IS 'null when no operator did it: when a player took a donation back, and when that or later points funded another one again; when a rule held a score, and when the game or time decided about it';

CREATE VIEW public.correction_proof AS
 SELECT c.player_id,
    c.subject AS id,
    COALESCE(sum(
        CASE c.kind
            WHEN 'void'::text THEN 1
            WHEN 'unvoid'::text THEN '-1'::integer
            ELSE NULL::integer
        END), (0)::bigint) AS voids,
    COALESCE(sum(
        CASE c.kind
            WHEN 'hold'::text THEN 1
            WHEN 'release'::text THEN '-1'::integer
            ELSE NULL::integer
        END), (0)::bigint) AS holds,
    COALESCE(sum(
        CASE c.kind
            WHEN 'reverse'::text THEN 1
            WHEN 'unreverse'::text THEN '-1'::integer
            ELSE NULL::integer
        END), (0)::bigint) AS reversals,
    (COALESCE(sum(
        CASE c.kind
            WHEN 'unfund'::text THEN c.points
            WHEN 'fund'::text THEN (- c.points)
            ELSE NULL::bigint
        END), (0)::numeric))::bigint AS unfunded
   FROM public.correction c
  GROUP BY c.player_id, c.subject;

CREATE TABLE public.device (
    hash bytea NOT NULL,
    player_id bigint NOT NULL,
    token_hash bytea,
    registered_at timestamp with time zone NOT NULL,
    name text,
    seen_on date,
    joined_by bytea,
    merged_from bigint,
    came_by text,
    owned_since timestamp with time zone,
    CONSTRAINT device_came_by_check CHECK ((came_by = ANY (ARRAY['code'::text, 'recovery'::text, 'operator'::text]))),
    CONSTRAINT device_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT device_joined_by_check CHECK ((octet_length(joined_by) = 32)),
    CONSTRAINT device_name_check CHECK (((octet_length(name) >= 1) AND (octet_length(name) <= 1024))),
    CONSTRAINT device_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

COMMENT ON COLUMN public.device.registered_at IS 'when it came to its player';

COMMENT ON COLUMN public.device.joined_by IS 'hash of the code that brought it there, so that the same call again is harmless';

COMMENT ON COLUMN public.device.came_by IS 'the kind of code that brought it; null for a device that registered by itself';

COMMENT ON COLUMN public.device.owned_since IS 'when the recovery code that brought it was made; null is registered_at';

CREATE TABLE public.erased_token (
    token_hash bytea NOT NULL,
    receipt uuid NOT NULL,
    until timestamp with time zone NOT NULL,
    CONSTRAINT erased_token_token_hash_check CHECK ((octet_length(token_hash) = 32))
);

CREATE TABLE public.erasure (
    player_id bigint NOT NULL,
    receipt uuid NOT NULL,
    erased_at timestamp with time zone NOT NULL
);

CREATE TABLE public.former_avatar (
    player_id bigint NOT NULL,
    sha256 bytea NOT NULL
);

CREATE TABLE public.game (
    id integer NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    classic text DEFAULT 'off'::text NOT NULL,
    salt text,
    added_at timestamp with time zone NOT NULL,
    names text DEFAULT 'open'::text NOT NULL,
    refused_words text[] DEFAULT '{}'::text[] NOT NULL,
    refused_skeletons text[] DEFAULT '{}'::text[] NOT NULL,
    takes_email boolean DEFAULT true NOT NULL,
    CONSTRAINT game_classic_check CHECK ((classic = ANY (ARRAY['open'::text, 'token'::text, 'off'::text]))),
    CONSTRAINT game_name_check CHECK ((name <> ''::text)),
    CONSTRAINT game_names_check CHECK ((names = ANY (ARRAY['open'::text, 'filtered'::text, 'approved'::text]))),
    CONSTRAINT game_refused_words_check CHECK (((cardinality(refused_words) <= 1000) AND (cardinality(refused_skeletons) = cardinality(refused_words)))),
    CONSTRAINT game_salt_check CHECK ((salt <> ''::text)),
    CONSTRAINT game_slug_check CHECK (((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text) AND (slug <> ALL (ARRAY['me'::text, 'top'::text, 'live'::text, 'overall'::text]))))
);

COMMENT ON COLUMN public.game.refused_skeletons IS 'what looks alike of each of the words that no name may have in it';

ALTER TABLE public.game ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.game_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.game_key (
    id integer NOT NULL,
    game_id integer,
    hash bytea NOT NULL,
    name text NOT NULL,
    added_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    public_id uuid DEFAULT gen_random_uuid() NOT NULL,
    kind text DEFAULT 'game'::text NOT NULL,
    scopes text[] DEFAULT '{register,post,donate}'::text[] NOT NULL,
    expires_at timestamp with time zone,
    CONSTRAINT game_key_game_id_check CHECK (((kind = 'game'::text) = (game_id IS NOT NULL))),
    CONSTRAINT game_key_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT game_key_kind_check CHECK ((kind = ANY (ARRAY['admin'::text, 'game'::text]))),
    CONSTRAINT game_key_name_check CHECK ((name <> ''::text)),
    CONSTRAINT game_key_scopes_check CHECK (((cardinality(scopes) >= 1) AND (cardinality(scopes) <= 64)))
);

ALTER TABLE public.game_key ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.game_key_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW public.giving_row AS
 SELECT b.id AS board_id,
    COALESCE(
        CASE
            WHEN (b.id = c.board_id) THEN d.day
            ELSE NULL::date
        END, ((d.reached_at AT TIME ZONE b.zone))::date) AS day,
    d.player_id,
    d.row_id,
    d.points,
        CASE
            WHEN (NOT d.anonymous) THEN d.reached_at
            WHEN (b.id = c.board_id) THEN d.day_began_at
            ELSE date_trunc('day'::text, d.reached_at, 'UTC'::text)
        END AS reached_at,
    b.lowest_first
   FROM ((public.funded_donation d
     JOIN public.charity c ON ((c.id = (d.charity_id + 0))))
     JOIN public.board b ON (((b.id = c.board_id) OR (b.id = ( SELECT o.id
           FROM public.board o
          WHERE ((o.kind = 'giving'::text) AND (o.slug = 'overall'::text)))))));

CREATE VIEW public.ledger_owner AS
 SELECT p.id AS player_id,
    p.id AS survivor_id
   FROM public.player p
  WHERE (NOT (EXISTS ( SELECT
           FROM public.merge m
          WHERE (m.player_id = p.id))))
UNION ALL
 SELECT m.player_id,
    m.survivor_id
   FROM public.merge m;

CREATE VIEW public.giving_ledger AS
 SELECT g.board_id,
    g.day,
    o.survivor_id AS player_id,
    COALESCE(g.row_id, o.survivor_id) AS row_id,
    g.points,
    g.reached_at,
    g.lowest_first
   FROM (public.ledger_owner o
     JOIN public.giving_row g ON ((g.player_id = o.player_id)));

CREATE VIEW public.hidden_standing AS
 SELECT s.board_id,
    s.order_key,
    s.reached_at,
    s.player_id
   FROM (public.player p
     JOIN public.standing s ON ((s.player_id = p.id)))
  WHERE p.hidden;

CREATE TABLE public.installation (
    one boolean DEFAULT true NOT NULL,
    secret_fingerprint bytea NOT NULL,
    installed_at timestamp with time zone NOT NULL,
    CONSTRAINT installation_one_check CHECK (one),
    CONSTRAINT installation_secret_fingerprint_check CHECK ((octet_length(secret_fingerprint) = 32))
);

CREATE TABLE public.key_use (
    key_id integer NOT NULL,
    used_on date NOT NULL
);

CREATE VIEW public.ledger_standing AS
 SELECT s.board_id,
    o.survivor_id AS player_id,
        CASE b.policy
            WHEN 'sum'::text THEN sum(s.points)
            WHEN 'best'::text THEN ((max((s.points * b.sign)) * b.sign))::numeric
            ELSE ((array_agg(s.points ORDER BY s.reached_at DESC, (s.points * b.sign) DESC) FILTER (WHERE (b.policy = 'latest'::text)))[1])::numeric
        END AS points,
        CASE b.policy
            WHEN 'best'::text THEN (array_agg(s.reached_at ORDER BY (s.points * b.sign) DESC, s.reached_at) FILTER (WHERE (b.policy = 'best'::text)))[1]
            ELSE max(s.reached_at)
        END AS reached_at,
    b.lowest_first
   FROM ((public.ledger_owner o
     JOIN public.counted_score s ON ((s.player_id = o.player_id)))
     JOIN public.board b ON ((b.id = s.board_id)))
  GROUP BY s.board_id, o.survivor_id, b.policy, b.sign, b.lowest_first;

CREATE VIEW public.ledger_tally AS
 SELECT s.board_id,
    COALESCE(s.day, ((s.reached_at AT TIME ZONE b.zone))::date) AS day,
    o.survivor_id AS player_id,
        CASE b.policy
            WHEN 'sum'::text THEN sum(s.points)
            WHEN 'best'::text THEN ((max((s.points * b.sign)) * b.sign))::numeric
            ELSE ((array_agg(s.points ORDER BY s.reached_at DESC, (s.points * b.sign) DESC) FILTER (WHERE (b.policy = 'latest'::text)))[1])::numeric
        END AS points,
        CASE b.policy
            WHEN 'best'::text THEN (array_agg(s.reached_at ORDER BY (s.points * b.sign) DESC, s.reached_at) FILTER (WHERE (b.policy = 'best'::text)))[1]
            ELSE max(s.reached_at)
        END AS reached_at
   FROM ((public.ledger_owner o
     JOIN public.counted_score s ON ((s.player_id = o.player_id)))
     JOIN public.board b ON ((b.id = s.board_id)))
  GROUP BY s.board_id, COALESCE(s.day, ((s.reached_at AT TIME ZONE b.zone))::date), o.survivor_id, b.policy, b.sign;

CREATE TABLE public.log_entry (
    n bigint NOT NULL,
    logged_at timestamp with time zone NOT NULL,
    act uuid,
    actor text NOT NULL,
    deed text NOT NULL,
    subject text NOT NULL,
    numbers text NOT NULL,
    words_hash bytea,
    hash bytea NOT NULL,
    CONSTRAINT log_entry_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT log_entry_n_check CHECK ((n >= 1)),
    CONSTRAINT log_entry_words_hash_check CHECK ((octet_length(words_hash) = 32))
)
WITH (autovacuum_vacuum_insert_scale_factor='0', autovacuum_vacuum_insert_threshold='500000', autovacuum_freeze_min_age='0', autovacuum_analyze_scale_factor='0.02');

CREATE TABLE public.log_key (
    one boolean DEFAULT true NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT log_key_key_check CHECK ((octet_length(key) = 32)),
    CONSTRAINT log_key_one_check CHECK (one)
);

CREATE TABLE public.log_words (
    n bigint NOT NULL,
    salt bytea NOT NULL,
    reason text NOT NULL,
    name text,
    former text,
    former_asked text,
    former_asked_at timestamp with time zone,
    former_waits boolean,
    CONSTRAINT log_words_salt_check CHECK ((octet_length(salt) = 32))
);

COMMENT ON COLUMN public.log_words.former IS 'the name before the player was renamed';

CREATE VIEW public.logged_entry AS
 SELECT e.n,
    e.logged_at,
    e.act,
    e.actor,
    e.deed,
    e.subject,
    e.numbers,
    e.words_hash,
    e.hash,
    w.salt,
    w.reason,
    w.name,
    x.player_id,
    (EXISTS ( SELECT
           FROM (( SELECT COALESCE(x.owner_id, u.owner_id) AS player_id,
                    ARRAY[x.subject, u.subject] AS ids
                   FROM (( SELECT 1 AS "?column?") one
                     LEFT JOIN public.act u ON ((u.id = x.subject)))) k
             CROSS JOIN LATERAL ( SELECT r.anonymous
                   FROM public.donation r
                  WHERE ((r.player_id = k.player_id) AND (r.id = ANY (k.ids)))
                 OFFSET 0) d)
          WHERE d.anonymous)) AS is_about_anonymous
   FROM ((public.log_entry e
     LEFT JOIN public.log_words w ON ((w.n = e.n)))
     LEFT JOIN public.act x ON ((x.n = e.n)));

CREATE TABLE public.migration (
    number integer NOT NULL,
    name text NOT NULL,
    checksum bytea NOT NULL,
    applied_at timestamp with time zone NOT NULL,
    compatible_since integer
);

CREATE TABLE public.post_times (
    board_id integer NOT NULL,
    player_id bigint NOT NULL,
    posted_at timestamp with time zone[] NOT NULL,
    CONSTRAINT post_times_posted_at_check CHECK (((cardinality(posted_at) >= 1) AND (cardinality(posted_at) <= 600)))
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_analyze_scale_factor='0.05', fillfactor='50');

CREATE VIEW public.queue_item AS
 SELECT (md5(((('name '::text || p.id) || ' '::text) || p.asked_name)))::uuid AS item,
    'name'::text AS kind,
    p.id AS player_id,
    NULL::uuid AS score_id,
    p.asked_name AS why,
    p.asked_at AS at,
    (1)::bigint AS times,
    NULL::text[] AS words,
    (1)::bigint AS sources
   FROM public.player p
  WHERE (p.asked_name IS NOT NULL)
UNION ALL
 SELECT (md5(((('report '::text || r.player_id) || ' '::text) || r.newest)))::uuid AS item,
    'report'::text AS kind,
    r.player_id,
    NULL::uuid AS score_id,
    r.why,
    r.oldest AS at,
    r.times,
    public.report_words(r.player_id) AS words,
    r.sources
   FROM ( SELECT w.player_id,
            max(w.reported_at) AS newest,
            min(w.reported_at) AS oldest,
            count(*) AS times,
            string_agg(DISTINCT w.why, ' '::text ORDER BY w.why) AS why,
            count(DISTINCT COALESCE(w.source, w.reporter_id)) AS sources
           FROM public.report w
          WHERE (w.dismissed_by IS NULL)
          GROUP BY w.player_id) r
UNION ALL
 SELECT h.item,
    'held'::text AS kind,
    h.player_id,
    h.id AS score_id,
    array_to_string(h.why, ' '::text) AS why,
    h.held_at AS at,
    1 AS times,
    NULL::text[] AS words,
    1 AS sources
   FROM (public.score_state m
     JOIN public.held_score h ON (((h.player_id = m.player_id) AND (h.id = m.id))))
  WHERE ((m.state = 'held'::text) AND ((h.why <> '{judge}'::text[]) OR (h.judge_until IS NULL)));

CREATE TABLE public.refused_avatar (
    sha256 bytea NOT NULL,
    refused_at timestamp with time zone NOT NULL,
    CONSTRAINT refused_avatar_sha256_check CHECK ((octet_length(sha256) = 32))
);

CREATE TABLE public.save (
    player_id bigint NOT NULL,
    slot text NOT NULL,
    revision integer NOT NULL,
    etag bytea NOT NULL,
    body bytea NOT NULL,
    saved_at timestamp with time zone NOT NULL,
    merged_from bigint,
    CONSTRAINT save_body_check CHECK ((octet_length(body) <= 65536)),
    CONSTRAINT save_etag_check CHECK ((octet_length(etag) = 16)),
    CONSTRAINT save_revision_check CHECK ((revision >= 1)),
    CONSTRAINT save_slot_check CHECK ((slot ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text))
);

CREATE TABLE public.score_note (
    player_id bigint NOT NULL,
    id uuid NOT NULL,
    name text,
    detail text
);

CREATE VIEW public.wallet_proof AS
 SELECT p.id AS player_id,
    COALESCE(e.points, (0)::numeric) AS earned,
    COALESCE(c.voided, (0)::numeric) AS voided,
    COALESCE(c.held, (0)::numeric) AS held,
    (COALESCE(g.points, (0)::numeric) - COALESCE(c.reversed, (0)::numeric)) AS given,
    (m.player_id IS NOT NULL) AS merged,
    COALESCE(n.merges, (0)::bigint) AS merges,
    COALESCE(c.holds, (0)::bigint) AS holds
   FROM (((((public.player p
     LEFT JOIN public.merge m ON ((m.player_id = p.id)))
     LEFT JOIN ( SELECT merge.survivor_id,
            count(*) AS merges
           FROM public.merge
          GROUP BY merge.survivor_id) n ON ((n.survivor_id = p.id)))
     LEFT JOIN ( SELECT o.survivor_id AS player_id,
            sum(s.earned) AS points
           FROM (public.ledger_owner o
             JOIN public.score s ON ((s.player_id = o.player_id)))
          GROUP BY o.survivor_id) e ON ((e.player_id = p.id)))
     LEFT JOIN ( SELECT o.survivor_id AS player_id,
            sum(d.points) AS points
           FROM (public.ledger_owner o
             JOIN public.donation d ON ((d.player_id = o.player_id)))
          GROUP BY o.survivor_id) g ON ((g.player_id = p.id)))
     LEFT JOIN ( SELECT o.survivor_id AS player_id,
            sum(
                CASE
                    WHEN (k.kind = ANY (ARRAY['void'::text, 'forfeit'::text])) THEN k.points
                    WHEN (k.kind = ANY (ARRAY['unvoid'::text, 'unforfeit'::text])) THEN (- k.points)
                    ELSE (0)::bigint
                END) AS voided,
            sum(
                CASE k.kind
                    WHEN 'hold'::text THEN k.points
                    WHEN 'release'::text THEN (- k.points)
                    ELSE (0)::bigint
                END) AS held,
            sum(
                CASE k.kind
                    WHEN 'reverse'::text THEN k.points
                    WHEN 'unreverse'::text THEN (- k.points)
                    ELSE (0)::bigint
                END) AS reversed,
            sum(
                CASE k.kind
                    WHEN 'hold'::text THEN 1
                    WHEN 'release'::text THEN '-1'::integer
                    ELSE 0
                END) AS holds
           FROM (public.ledger_owner o
             JOIN public.correction k ON ((k.player_id = o.player_id)))
          GROUP BY o.survivor_id) c ON ((c.player_id = p.id)));

ALTER TABLE ONLY public.past_donation ALTER COLUMN anonymised SET DEFAULT false;

ALTER TABLE ONLY public.act
    ADD CONSTRAINT act_n_key UNIQUE (n);

ALTER TABLE ONLY public.act
    ADD CONSTRAINT act_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.avatar
    ADD CONSTRAINT avatar_pkey PRIMARY KEY (sha256);

ALTER TABLE ONLY public.best_posts
    ADD CONSTRAINT best_posts_pkey PRIMARY KEY (player_id, board_id);

ALTER TABLE ONLY public.board
    ADD CONSTRAINT board_kind_game_id_slug_season_key UNIQUE NULLS NOT DISTINCT (kind, game_id, slug, season);

ALTER TABLE ONLY public.board_measure
    ADD CONSTRAINT board_measure_pkey PRIMARY KEY (board_id);

ALTER TABLE ONLY public.board
    ADD CONSTRAINT board_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.book_charity
    ADD CONSTRAINT book_charity_pkey PRIMARY KEY (charity_id, day);

ALTER TABLE ONLY public.book_day
    ADD CONSTRAINT book_day_pkey PRIMARY KEY (day);

ALTER TABLE ONLY public.book_game
    ADD CONSTRAINT book_game_pkey PRIMARY KEY (game_id, day);

ALTER TABLE ONLY public.charity
    ADD CONSTRAINT charity_board_id_key UNIQUE (board_id);

ALTER TABLE ONLY public.charity_given
    ADD CONSTRAINT charity_given_pkey PRIMARY KEY (charity_id, day);

ALTER TABLE ONLY public.charity
    ADD CONSTRAINT charity_name_folded_key UNIQUE (name_folded);

ALTER TABLE ONLY public.charity
    ADD CONSTRAINT charity_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.charity
    ADD CONSTRAINT charity_slug_key UNIQUE (slug);

ALTER TABLE ONLY public.charity_total
    ADD CONSTRAINT charity_total_pkey PRIMARY KEY (charity_id, part);

ALTER TABLE ONLY public.code
    ADD CONSTRAINT code_pkey PRIMARY KEY (player_id, kind);

ALTER TABLE ONLY public.correction
    ADD CONSTRAINT correction_pkey PRIMARY KEY (player_id, n);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.device
    ADD CONSTRAINT device_token_hash_key UNIQUE (token_hash);

ALTER TABLE public.donation
    ADD CONSTRAINT donation_day_check CHECK ((day IS NOT NULL)) NOT VALID;

ALTER TABLE ONLY public.donation
    ADD CONSTRAINT donation_pkey PRIMARY KEY (player_id, id);

ALTER TABLE ONLY public.donation_state
    ADD CONSTRAINT donation_state_pkey PRIMARY KEY (player_id, id);

ALTER TABLE ONLY public.erased_token
    ADD CONSTRAINT erased_token_pkey PRIMARY KEY (token_hash);

ALTER TABLE ONLY public.erasure
    ADD CONSTRAINT erasure_pkey PRIMARY KEY (player_id);

ALTER TABLE ONLY public.former_avatar
    ADD CONSTRAINT former_avatar_pkey PRIMARY KEY (player_id, sha256);

ALTER TABLE ONLY public.game_key
    ADD CONSTRAINT game_key_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.game_key
    ADD CONSTRAINT game_key_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.game_key
    ADD CONSTRAINT game_key_public_id_key UNIQUE (public_id);

ALTER TABLE ONLY public.game
    ADD CONSTRAINT game_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.game
    ADD CONSTRAINT game_slug_key UNIQUE (slug);

ALTER TABLE ONLY public.held_score
    ADD CONSTRAINT held_score_item_key UNIQUE (item);

ALTER TABLE ONLY public.held_score
    ADD CONSTRAINT held_score_pkey PRIMARY KEY (player_id, id);

ALTER TABLE ONLY public.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (one);

ALTER TABLE ONLY public.key_use
    ADD CONSTRAINT key_use_pkey PRIMARY KEY (key_id);

ALTER TABLE ONLY public.log_entry
    ADD CONSTRAINT log_entry_pkey PRIMARY KEY (n);

ALTER TABLE ONLY public.log_key
    ADD CONSTRAINT log_key_pkey PRIMARY KEY (one);

ALTER TABLE ONLY public.log_words
    ADD CONSTRAINT log_words_pkey PRIMARY KEY (n);

ALTER TABLE ONLY public.merge
    ADD CONSTRAINT merge_pkey PRIMARY KEY (player_id);

ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.past_donation
    ADD CONSTRAINT past_donation_pkey PRIMARY KEY (player_id, id);

ALTER TABLE ONLY public.past_score
    ADD CONSTRAINT past_score_pkey PRIMARY KEY (player_id, id);

ALTER TABLE ONLY public.player
    ADD CONSTRAINT player_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.post_times
    ADD CONSTRAINT post_times_pkey PRIMARY KEY (board_id, player_id);

ALTER TABLE ONLY public.refused_avatar
    ADD CONSTRAINT refused_avatar_pkey PRIMARY KEY (sha256);

ALTER TABLE ONLY public.report
    ADD CONSTRAINT report_pkey PRIMARY KEY (player_id, reporter_id);

ALTER TABLE ONLY public.save
    ADD CONSTRAINT save_pkey PRIMARY KEY (player_id, slot, revision);

ALTER TABLE ONLY public.score_note
    ADD CONSTRAINT score_note_pkey PRIMARY KEY (player_id, id);

ALTER TABLE ONLY public.score
    ADD CONSTRAINT score_pkey PRIMARY KEY (player_id, id);

ALTER TABLE ONLY public.score_state
    ADD CONSTRAINT score_state_pkey PRIMARY KEY (player_id, id);

ALTER TABLE ONLY public.standing
    ADD CONSTRAINT standing_pkey PRIMARY KEY (board_id, player_id);

ALTER TABLE ONLY public.tally
    ADD CONSTRAINT tally_pkey PRIMARY KEY (board_id, day, player_id);

ALTER TABLE ONLY public.wallet
    ADD CONSTRAINT wallet_pkey PRIMARY KEY (player_id);

CREATE INDEX act_player_id_n_idx ON public.act USING btree (player_id, n);

CREATE INDEX act_until_idx ON public.act USING btree (until) WHERE ((until IS NOT NULL) AND (undone_by IS NULL));

CREATE UNIQUE INDEX board_kind_game_id_slug_idx ON public.board USING btree (kind, game_id, slug) NULLS NOT DISTINCT WHERE (season_ended_at IS NULL);

CREATE INDEX code_expires_at_idx ON public.code USING btree (expires_at) WHERE (expires_at IS NOT NULL);

CREATE INDEX code_hash_idx ON public.code USING btree (hash);

CREATE INDEX correction_act_idx ON public.correction USING btree (act) WHERE (act IS NOT NULL);

CREATE INDEX correction_corrected_at_idx ON public.correction USING brin (corrected_at) WITH (autosummarize='on');

CREATE INDEX device_player_id_idx ON public.device USING btree (player_id);

CREATE INDEX donation_charity_id_day_began_at_idx ON public.donation USING btree (charity_id, day_began_at, row_id) WHERE anonymous;

CREATE INDEX donation_charity_id_reached_at_idx ON public.donation USING btree (charity_id, reached_at, id);

CREATE INDEX donation_player_id_reached_at_idx ON public.donation USING btree (player_id, reached_at);

CREATE INDEX donation_recorded_at_idx ON public.donation USING brin (recorded_at) WITH (autosummarize='on');

CREATE INDEX erased_token_until_idx ON public.erased_token USING btree (until);

CREATE INDEX erasure_erased_at_idx ON public.erasure USING btree (erased_at);

CREATE INDEX former_avatar_sha256_idx ON public.former_avatar USING btree (sha256);

CREATE INDEX game_key_game_id_idx ON public.game_key USING btree (game_id);

CREATE INDEX held_score_game_id_idx ON public.held_score USING btree (game_id, judge_until, item) WHERE (judge_until IS NOT NULL);

CREATE INDEX held_score_judge_until_idx ON public.held_score USING btree (judge_until, item) WHERE (judge_until IS NOT NULL);

CREATE INDEX held_score_secret_idx ON public.held_score USING btree (player_id, secret_until) WHERE (secret_until IS NOT NULL);

CREATE INDEX merge_survivor_id_idx ON public.merge USING btree (survivor_id);

CREATE INDEX past_donation_charity_id_day_began_at_idx ON public.past_donation USING btree (charity_id, day_began_at, row_id) WHERE anonymous;

CREATE INDEX past_donation_charity_id_reached_at_idx ON public.past_donation USING btree (charity_id, reached_at, id);

CREATE INDEX past_donation_player_id_reached_at_idx ON public.past_donation USING btree (player_id, reached_at);

CREATE INDEX past_donation_recorded_at_idx ON public.past_donation USING brin (recorded_at) WITH (autosummarize='on');

CREATE INDEX past_score_player_id_reached_at_idx ON public.past_score USING btree (player_id, reached_at);

CREATE INDEX past_score_recorded_at_idx ON public.past_score USING brin (recorded_at) WITH (autosummarize='on');

CREATE INDEX player_asked_at_idx ON public.player USING btree (asked_at, id) WHERE (asked_name IS NOT NULL);

CREATE INDEX player_avatar_idx ON public.player USING btree (avatar) WHERE (avatar IS NOT NULL);

CREATE INDEX player_email_idx ON public.player USING hash (lower(email)) WHERE (email IS NOT NULL);

CREATE INDEX player_game_id_lower_idx ON public.player USING btree (game_id, lower(name) text_pattern_ops);

CREATE INDEX player_hidden_idx ON public.player USING btree (id) WHERE hidden;

CREATE INDEX player_registered_at_idx ON public.player USING brin (registered_at) WITH (autosummarize='on');

CREATE INDEX player_wants_updates_idx ON public.player USING btree (id) WHERE wants_updates;

CREATE INDEX report_dismissed_by_idx ON public.report USING btree (dismissed_by) WHERE (dismissed_by IS NOT NULL);

CREATE INDEX report_reporter_id_idx ON public.report USING btree (reporter_id, reported_at);

CREATE INDEX report_text_idx ON public.report USING btree (player_id, reported_at, reporter_id) WHERE (text IS NOT NULL);

CREATE INDEX report_waiting_idx ON public.report USING btree (player_id, reported_at, why) INCLUDE (source, reporter_id) WHERE (dismissed_by IS NULL);

CREATE INDEX score_player_id_reached_at_idx ON public.score USING btree (player_id, reached_at);

CREATE INDEX score_recorded_at_idx ON public.score USING brin (recorded_at) WITH (autosummarize='on');

CREATE INDEX score_state_held_idx ON public.score_state USING btree (player_id, id) WHERE (state = 'held'::text);

CREATE INDEX standing_place_idx ON public.standing USING btree (board_id, order_key, reached_at, player_id);

CREATE TRIGGER device_leave_trg AFTER DELETE ON public.device FOR EACH ROW EXECUTE FUNCTION public.caller_leave();

CREATE TRIGGER device_move_trg AFTER UPDATE OF player_id ON public.device FOR EACH ROW WHEN ((old.player_id <> new.player_id)) EXECUTE FUNCTION public.caller_leave();

CREATE TRIGGER erasure_leave_trg AFTER INSERT ON public.erasure FOR EACH ROW EXECUTE FUNCTION public.caller_leave();

CREATE TRIGGER erasure_saves_trg AFTER INSERT ON public.erasure FOR EACH ROW EXECUTE FUNCTION public.save_erase();

CREATE TRIGGER held_score_terms_trg BEFORE INSERT ON public.held_score FOR EACH ROW WHEN ((new.game_id IS NULL)) EXECUTE FUNCTION public.held_score_terms();

CREATE TRIGGER merge_follow_trg AFTER UPDATE OF survivor_id ON public.merge FOR EACH ROW WHEN ((old.survivor_id <> new.survivor_id)) EXECUTE FUNCTION public.caller_leave();

CREATE TRIGGER merge_part_trg AFTER DELETE ON public.merge FOR EACH ROW EXECUTE FUNCTION public.caller_leave();

CREATE TRIGGER player_avatar_trg AFTER UPDATE OF avatar ON public.player FOR EACH ROW WHEN (((old.avatar IS DISTINCT FROM new.avatar) AND (old.avatar IS NOT NULL) AND (new.name <> ''::text))) EXECUTE FUNCTION public.avatar_replace();

CREATE TRIGGER post_times_first_trg AFTER INSERT ON public.post_times FOR EACH ROW EXECUTE FUNCTION public.post_time_copy();

CREATE TRIGGER post_times_next_trg AFTER UPDATE ON public.post_times FOR EACH ROW WHEN (((new.posted_at <> old.posted_at) AND ((cardinality(new.posted_at) >= cardinality(old.posted_at)) OR (new.posted_at[cardinality(new.posted_at)] <> old.posted_at[cardinality(old.posted_at)])))) EXECUTE FUNCTION public.post_time_copy();

ALTER TABLE ONLY public.board
    ADD CONSTRAINT board_game_id_fkey FOREIGN KEY (game_id) REFERENCES public.game(id);

ALTER TABLE ONLY public.book_charity
    ADD CONSTRAINT book_charity_charity_id_fkey FOREIGN KEY (charity_id) REFERENCES public.charity(id);

ALTER TABLE ONLY public.book_game
    ADD CONSTRAINT book_game_game_id_fkey FOREIGN KEY (game_id) REFERENCES public.game(id);

ALTER TABLE ONLY public.charity
    ADD CONSTRAINT charity_board_id_fkey FOREIGN KEY (board_id) REFERENCES public.board(id);

ALTER TABLE ONLY public.former_avatar
    ADD CONSTRAINT former_avatar_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.player(id);

ALTER TABLE ONLY public.former_avatar
    ADD CONSTRAINT former_avatar_sha256_fkey FOREIGN KEY (sha256) REFERENCES public.avatar(sha256) ON DELETE CASCADE;

ALTER TABLE ONLY public.game_key
    ADD CONSTRAINT game_key_game_id_fkey FOREIGN KEY (game_id) REFERENCES public.game(id);

ALTER TABLE ONLY public.key_use
    ADD CONSTRAINT key_use_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.game_key(id);

ALTER TABLE ONLY public.player
    ADD CONSTRAINT player_game_id_fkey FOREIGN KEY (game_id) REFERENCES public.game(id);

ALTER TABLE ONLY public.save
    ADD CONSTRAINT save_player_id_fkey FOREIGN KEY (player_id) REFERENCES public.player(id);

CREATE PUBLICATION causeboard WITH (publish = 'insert, update, delete, truncate');

ALTER PUBLICATION causeboard ADD TABLE ONLY public.board;

ALTER PUBLICATION causeboard ADD TABLE ONLY public.charity;

ALTER PUBLICATION causeboard ADD TABLE ONLY public.device (hash);

ALTER PUBLICATION causeboard ADD TABLE ONLY public.game (id);

ALTER PUBLICATION causeboard ADD TABLE ONLY public.game_key (id);

ALTER PUBLICATION causeboard ADD TABLE ONLY public.merge (player_id, survivor_id);

ALTER PUBLICATION causeboard ADD TABLE ONLY public.player (id, name, avatar, hidden);

ALTER PUBLICATION causeboard ADD TABLE ONLY public.standing;

ALTER PUBLICATION causeboard ADD TABLE ONLY public.tally;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.merge TO causeboard_server;

GRANT SELECT,INSERT,UPDATE ON TABLE public.board TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.held_score TO causeboard_server;

GRANT SELECT,INSERT ON TABLE public.score TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.score_state TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.standing TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.tally TO causeboard_server;

GRANT SELECT,INSERT ON TABLE public.donation TO causeboard_server;

GRANT UPDATE(anonymous) ON TABLE public.donation TO causeboard_server;

GRANT UPDATE(day) ON TABLE public.donation TO causeboard_server;

GRANT UPDATE(row_id) ON TABLE public.donation TO causeboard_server;

GRANT UPDATE(day_began_at) ON TABLE public.donation TO causeboard_server;

GRANT UPDATE(anonymised) ON TABLE public.donation TO causeboard_server;

REVOKE ALL ON FUNCTION public.past_donations_move(players bigint[], before timestamp with time zone, rows_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.past_donations_move(players bigint[], before timestamp with time zone, rows_max integer) TO causeboard_server;

REVOKE ALL ON FUNCTION public.past_scores_move(players bigint[], before timestamp with time zone, rows_max integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.past_scores_move(players bigint[], before timestamp with time zone, rows_max integer) TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.report TO causeboard_server;

GRANT SELECT ON TABLE public.report_place TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.wallet TO causeboard_server;

GRANT SELECT ON TABLE public.owner_score TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.player TO causeboard_server;

GRANT SELECT,INSERT,UPDATE ON TABLE public.act TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.avatar TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.best_posts TO causeboard_server;

GRANT SELECT ON TABLE public.counted_score TO causeboard_server;

GRANT SELECT ON TABLE public.best_posts_proof TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.board_measure TO causeboard_server;

GRANT SELECT,INSERT ON TABLE public.book_charity TO causeboard_server;

GRANT SELECT,INSERT ON TABLE public.book_day TO causeboard_server;

GRANT SELECT,INSERT ON TABLE public.book_game TO causeboard_server;

GRANT SELECT,INSERT,UPDATE ON TABLE public.charity TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.charity_given TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.donation_state TO causeboard_server;

GRANT SELECT ON TABLE public.charity_given_proof TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.charity_total TO causeboard_server;

GRANT SELECT ON TABLE public.funded_donation TO causeboard_server;

GRANT SELECT ON TABLE public.charity_total_proof TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.code TO causeboard_server;

GRANT SELECT,INSERT ON TABLE public.correction TO causeboard_server;

GRANT SELECT ON TABLE public.correction_proof TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.device TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.erased_token TO causeboard_server;

GRANT SELECT,INSERT ON TABLE public.erasure TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.former_avatar TO causeboard_server;

GRANT SELECT,INSERT,UPDATE ON TABLE public.game TO causeboard_server;

GRANT SELECT,INSERT,UPDATE ON TABLE public.game_key TO causeboard_server;

GRANT SELECT ON TABLE public.giving_row TO causeboard_server;

GRANT SELECT ON TABLE public.ledger_owner TO causeboard_server;

GRANT SELECT ON TABLE public.giving_ledger TO causeboard_server;

GRANT SELECT ON TABLE public.hidden_standing TO causeboard_server;

GRANT SELECT,INSERT ON TABLE public.installation TO causeboard_server;

GRANT SELECT,INSERT,UPDATE ON TABLE public.key_use TO causeboard_server;

GRANT SELECT ON TABLE public.ledger_standing TO causeboard_server;

GRANT SELECT ON TABLE public.ledger_tally TO causeboard_server;

GRANT SELECT,INSERT ON TABLE public.log_entry TO causeboard_server;

GRANT SELECT ON TABLE public.log_key TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.log_words TO causeboard_server;

GRANT SELECT ON TABLE public.logged_entry TO causeboard_server;

GRANT SELECT ON TABLE public.migration TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.post_times TO causeboard_server;

GRANT SELECT ON TABLE public.queue_item TO causeboard_server;

GRANT SELECT,INSERT ON TABLE public.refused_avatar TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.save TO causeboard_server;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.score_note TO causeboard_server;

GRANT SELECT ON TABLE public.wallet_proof TO causeboard_server;
