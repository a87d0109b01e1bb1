"""Computes awards, campaigns, challenges and plans from the rows of the ledgers with lists and sorts. It uses no rollup
and no view of the database."""
import datetime
from collections import defaultdict, namedtuple
from zoneinfo import ZoneInfo

import award_model

Post = namedtuple("Post", "owner board day points at earned")
Gift = namedtuple("Gift", "owner charity points anonymous at")
Board = namedtuple("Board", "id kind slug season ended_at policy lowest_first ties zone settle")

MICROSECONDS = "(extract(epoch from {}) * 1000000)::bigint"
TABLES = {
    "scores": ("player_id, id, board_id, points, earned, " + MICROSECONDS.format("reached_at"), "score"),
    "donations": ("player_id, id, charity_id, points, anonymous, " + MICROSECONDS.format("reached_at"), "donation"),
    "corrections": ("player_id, subject, kind, points", "correction"),
    "merges": ("player_id, survivor_id", "merge"),
    "boards": ("id, kind, slug, season, " + MICROSECONDS.format("season_ended_at") + ", policy, lowest_first, ties, "
               "zone, extract(epoch from settle_time(b))::bigint * 1000000", "board b"),
    "charities": ("id, slug, board_id", "charity"),
    "players": ("id, hidden", "player"),
    "banned": ("player_id", "wallet where banned"),
    "campaigns": ("id, slug, board_id, first_day, last_day", "campaign"),
    "milestones": ("campaign_id, points", "milestone"),
    "challenges": ("id, board_id, first_day, last_day, stake, state, " + MICROSECONDS.format("settled_at"),
                   "challenge"),
    "entries": ("player_id, contest, state, charity_id, won", "entry"),
    "shares": ("player_id, challenge, charity_id, points, donation, gave", "stake_share"),
    "plans": ("player_id, version, charity_ids, shares, keep, next_day", "plan where until is null"),
    "runs": ("player_id, version, day, points, ids", "plan_run"),
}
DUMP = "select json_build_object(" + ", ".join(
    f"'{name}', (select coalesce(json_agg(json_build_array({columns})), '[]') from {table})"
    for name, (columns, table) in TABLES.items()) + ")"


def day_of(at, zone):
    return datetime.datetime.fromtimestamp(at // 1_000_000, ZoneInfo(zone)).date()


def start_of(day, zone):
    """When a day begins, in microseconds: its first moment whose date it is."""
    moment = datetime.datetime.combine(day, datetime.time(), ZoneInfo(zone))
    return round(moment.timestamp()) * 1_000_000


def allot(total, targets, whole):
    """The allotment of the contract: whole numbers whose sum is the total."""
    parts = [max(0, target // whole) for target in targets]
    left = total - sum(parts)
    while left > 0:
        best = max(range(len(parts)), key=lambda n: (targets[n] - whole * parts[n], -n))
        parts[best], left = parts[best] + 1, left - 1
    while left < 0:
        worst = min((n for n in range(len(parts)) if parts[n]), key=lambda n: (targets[n] - whole * parts[n], -n))
        parts[worst], left = parts[worst] - 1, left + 1
    return parts


class World:
    """The ledgers at one moment."""

    def __init__(self, dump):
        self.dump = dump
        self.merges = dict(dump["merges"])
        self.boards = {row[0]: Board(*row) for row in dump["boards"]}
        self.charities = {id: slug for id, slug, _ in dump["charities"]}
        self.charity_of_board = {board: id for id, _, board in dump["charities"]}
        self.hidden = {id for id, hidden in dump["players"] if hidden}
        self.banned = {self.survivor(row[0]) for row in dump["banned"]}
        sums = defaultdict(int)
        for player, subject, kind, points in dump["corrections"]:
            sums[player, subject, kind] += points if "fund" in kind else 1
            sums[player, kind] += points
        self.sums = sums
        self.posts = [
            Post(self.survivor(player), self.boards[board], day_of(at, self.boards[board].zone), points, at, earned)
            for player, id, board, points, earned, at in dump["scores"]
            if sums[player, id, "void"] == sums[player, id, "unvoid"]
            and sums[player, id, "hold"] == sums[player, id, "release"]]
        self.gifts = []
        for player, id, charity, points, anonymous, at in dump["donations"]:
            funded = points - sums[player, id, "unfund"] + sums[player, id, "fund"]
            if sums[player, id, "reverse"] == sums[player, id, "unreverse"] and funded > 0:
                self.gifts.append(Gift(self.survivor(player), charity, funded, anonymous, at))

    def survivor(self, player):
        return self.merges.get(player, player)

    def left(self, player):
        """What a player can still donate, once all its points have settled."""
        def own(*kinds):
            return sum(self.sums[other, kind] for other, _ in self.dump["players"]
                       for kind in kinds if self.survivor(other) == player)
        earned = sum(row[4] for row in self.dump["scores"] if self.survivor(row[0]) == player)
        donated = sum(row[3] for row in self.dump["donations"] if self.survivor(row[0]) == player)
        return (earned - own("void", "forfeit") + own("unvoid", "unforfeit") - own("hold") + own("release")
                - donated + own("reverse") - own("unreverse"))

    # -- awards

    def awards(self, player, awards, now):
        """{(award, occasion, microseconds)} of a player who was not merged into another one."""
        boards = {board.slug: (board.policy, board.lowest_first) for board in self.boards.values()}
        posts = [(post.board.slug, post.board.season, post.day.toordinal(), post.points, post.at)
                 for post in self.posts if post.owner == player]
        gifts = [(gift.charity, gift.points, gift.at)
                 for gift in self.gifts if gift.owner == player and not gift.anonymous]
        found = set()
        for slug, award in awards.items():
            if award["rule"] != "rank":
                at = award_model.since(award, posts, gifts, boards)
                found |= {(slug, None, at)} if at is not None else set()
                continue
            if "contest" in award:
                ended_at, winners = self.won(award)
                if ended_at <= round(now.timestamp() * 1_000_000) and player in winners:
                    found.add((slug, award["contest"], ended_at))
                continue
            for board in self.boards.values():
                if board.slug == award["board"] and board.ended_at is not None:
                    rows = {other: row for other, row in self.standing(board).items() if other not in self.hidden}
                    if player in award_model.winners(rows, award["at_least"], board.lowest_first,
                                                     board.ties == "shared"):
                        found.add((slug, str(board.season), board.ended_at))
        return found

    def won(self, award):
        """When the campaign of an award ends, and whose rank in it is good enough."""
        _, _, board, *days = next(row for row in self.dump["campaigns"] if row[1] == award["contest"])
        board, (first, last) = self.boards[board], map(datetime.date.fromisoformat, days)
        ended_at = start_of(last + datetime.timedelta(days=1), board.zone)
        if board.ended_at is not None:
            ended_at = min(ended_at, board.ended_at)
        rows = self.standing(board, first, last)
        if board.kind == "donation":
            charity = self.charity_of_board.get(board.id)
            for gift in self.gifts:
                if (not gift.anonymous and charity in (None, gift.charity)
                        and first <= day_of(gift.at, board.zone) <= last):
                    points, at = rows.get(gift.owner, (0, 0))
                    rows[gift.owner] = points + gift.points, max(at, gift.at)
        rows = {player: row for player, row in rows.items() if player not in self.hidden}
        return ended_at, award_model.winners(rows, award["at_least"], board.lowest_first, board.ties == "shared")

    # -- rankings

    def standing(self, board, first=datetime.date.min, last=datetime.date.max):
        """player -> (points, at) in a range of days of a season, hidden players too."""
        posts = defaultdict(list)
        for post in self.posts:
            if post.board.id == board.id and first <= post.day <= last:
                posts[post.owner].append(post)
        return {player: self.worth(board, some) for player, some in posts.items()}

    @staticmethod
    def worth(board, posts):
        if board.policy == "sum":
            return sum(post.points for post in posts), max(post.at for post in posts)
        better = (lambda post: post.points) if board.lowest_first else (lambda post: -post.points)
        if board.policy == "best":
            best = min(posts, key=lambda post: (better(post), post.at))
        else:
            best = min(posts, key=lambda post: (-post.at, better(post)))
        return best.points, best.at

    def places(self, board, rows):
        """[(rank, tied, player, points)] of the players of some rows who are not hidden, best first."""
        shown = sorted((points if board.lowest_first else -points, at, player)
                       for player, (points, at) in rows.items() if player not in self.hidden)
        keys, places = [key for key, _, _ in shown], []
        for index, (key, _, player) in enumerate(shown):
            rank = (keys.index(key) if board.ties == "shared" else index) + 1
            places.append((rank, keys.count(key) > 1, player, key if board.lowest_first else -key))
        return places

    # -- campaigns

    def campaigns(self):
        """What each campaign is: a ranking over a board, or points, contributors and milestones."""
        for id, slug, board, first, last in self.dump["campaigns"]:
            board = self.boards[board]
            days = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)
            if board.kind == "score":
                yield slug, self.places(board, self.standing(board, *days))
                continue
            charity = self.charity_of_board.get(board.id)
            gifts = [gift for gift in self.gifts
                     if charity in (None, gift.charity) and days[0] <= day_of(gift.at, board.zone) <= days[1]]
            moments = sorted(
                (start_of(day_of(gift.at, board.zone), board.zone) if gift.anonymous else gift.at, gift.points)
                for gift in gifts)
            yield slug, (sum(gift.points for gift in gifts),
                         len({gift.owner for gift in gifts if not gift.anonymous}),
                         [(points, reached(moments, points)) for points in self.marks(id)])

    def marks(self, campaign):
        return sorted(points for id, points in self.dump["milestones"] if id == campaign)

    # -- challenges

    def entrants(self, challenge):
        """survivor -> (whose row it is, answer, charity, won). Of merged players, the survivor's own answer counts."""
        found = {}
        for player, contest, state, charity, won in sorted(self.dump["entries"]):
            if contest == challenge:
                survivor = self.survivor(player)
                if survivor not in found or player == survivor:
                    found[survivor] = (player, state, charity, won)
        return found

    def ranks(self, challenge):
        """The places of those who entered a challenge."""
        _, board, first, last, *_ = challenge
        entered = {player for player, (_, state, _, _) in self.entrants(challenge[0]).items() if state == "entered"}
        rows = self.standing(self.boards[board], datetime.date.fromisoformat(first), datetime.date.fromisoformat(last))
        return self.places(self.boards[board], {player: row for player, row in rows.items() if player in entered})

    def settlement(self, challenge, left):
        """(state, winners, shares) if it is settled now; rows of entries name players. What is given is taken out of
        `left`."""
        entered = {player: row for player, row in self.entrants(challenge[0]).items() if row[1] == "entered"}
        if len(entered) < 2:
            return "lapsed", set(), {}
        winners = [player for rank, _, player, _ in self.ranks(challenge) if rank == 1]
        shares = defaultdict(int)
        for player, (owner, _, _, _) in entered.items():
            stake = min(challenge[4], max(0, left[player])) if winners else 0
            parts = allot(stake, [stake] * len(winners), len(winners)) if stake else []
            for winner, part in zip(winners, parts):
                if part:
                    shares[owner, entered[winner][2]] += part
            if player not in self.banned:
                left[player] -= stake
        return "settled", {entered[player][0] for player in winners}, dict(shares)


def reached(moments, points):
    """The moment at which the points first reached a total."""
    total = 0
    for index, (at, some) in enumerate(moments):
        total += some
        if total >= points and (index + 1 == len(moments) or moments[index + 1][0] != at):
            return at
    return None
