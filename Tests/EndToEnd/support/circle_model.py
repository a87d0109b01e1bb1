"""What ties, teams, flags, posts and donations make of rankings among friends, of teams and of countries, by hand:
lists and sorts over everything that was done, written from the articles alone."""
import dataclasses
import datetime
from zoneinfo import ZoneInfo

FLAG_DAYS, CODE_HOURS, CODE_USES = 30, 24, 20


@dataclasses.dataclass(frozen=True)
class Board:
    policy: str = "best"
    lowest: bool = False
    ties: str = "first"
    zone: str = "UTC"
    teams: int | None = None        # how many members of a team count; 0 for all
    countries: int | None = None    # how many players of a country count
    earns: bool = False

    def better_first(self, points):
        return points if self.lowest else -points

    def points(self, posts):
        """What posts of one player are worth, and when that was reached."""
        if self.policy == "sum":
            return sum(post.points for post in posts), max(post.at for post in posts)
        if self.policy == "latest":
            last = max(posts, key=lambda post: post.at)
            return last.points, last.at
        best = min(posts, key=lambda post: (self.better_first(post.points), post.at))
        return best.points, best.at


GIFTS = Board("sum", teams=0)


@dataclasses.dataclass
class Post:
    """A score, or a donation. An anonymous donation was made when its day began."""
    player: int
    board: str                  # or the charity
    points: int
    day: datetime.date          # of the board
    at: tuple
    anonymous: bool = False
    counts: bool = True


@dataclasses.dataclass
class Membership:
    """Some days of a player in a team; without a last one until now."""
    player: int
    team: int
    first: datetime.date
    last: datetime.date | None = None

    def has(self, day):
        return self.first <= day and (self.last is None or day <= self.last)


@dataclasses.dataclass
class Code:
    text: str
    by: int                     # whose device made it
    at: int
    until: datetime.datetime
    uses: int = CODE_USES


class Model:
    def __init__(self, boards, team_size, now):
        """`now` returns the time of day by the clock of the servers."""
        self.boards, self.team_size, self.now = boards, team_size, now
        self.names, self.merged, self.erased, self.hidden = {}, {}, set(), {}
        self.ties, self.takes_asks, self.codes = {}, {}, {}
        self.memberships, self.hidden_teams = [], {}
        self.flags, self.flags_at = {}, {}
        self.posts, self.gifts = {}, []
        self.count = 0          # of what was done, in its order

    def tick(self):
        self.count += 1
        return self.count

    def day(self, board=None):
        return self.now().astimezone(ZoneInfo(board.zone if board else "UTC")).date()

    # -- who is who

    def one(self, player):
        while player in self.merged:
            player = self.merged[player][0]
        return player

    def group(self, player):
        """All who are one with a player."""
        return [other for other in self.names if self.one(other) == self.one(player)]

    def parted(self, player):
        """A player and those who became one with it, whoever it is one with by now."""
        found = {player}
        while more := {other for other, (into, _) in self.merged.items() if into in found} - found:
            found |= more
        return found

    def is_hidden(self, player):
        return any(self.hidden.get(other) for other in self.group(player))

    def is_erased(self, player):
        return self.one(player) in self.erased

    def merge(self, player, into, action):
        if self.team(player) and self.team(into) and self.team(player) != self.team(into):
            self.leave(player)
        self.codes.pop(player, None)
        self.merged[player] = (self.one(into), action)

    def part(self, player):
        """Undoes the merge of a player. The codes that its own devices made end."""
        survivor, parted = self.one(player), self.parted(player)
        if survivor in self.codes and self.codes[survivor].by in parted:
            del self.codes[survivor]
        del self.merged[player]

    def erase(self, player):
        self.leave(player)
        gone = set(self.group(player))
        self.erased |= gone
        self.ties = {pair: said for pair, said in self.ties.items() if not gone & set(pair)}
        for each in gone:
            self.codes.pop(each, None)
            self.flags.pop(each, None)

    # -- ties

    def said(self, player, other):
        """(tie, when) of a player to another: first a block, then the survivor's own, then the newest."""
        found = [(says != "block", one != self.one(player), two != self.one(other), -at, says)
                 for (one, two), (says, at) in self.ties.items()
                 if self.one(one) == self.one(player) and self.one(two) == self.one(other)]
        return (min(found)[4], -min(found)[3]) if found else (None, 0)

    def says(self, player, other):
        return self.said(player, other)[0]

    def say(self, player, other, word):
        self.ties[self.one(player), self.one(other)] = (word, self.tick())

    def turn(self, player, other, word, new):
        """Whoever is one with a player and has said a word about another one says a new one."""
        at = self.tick()
        for pair, (says, _) in self.ties.items():
            if (self.one(pair[0]), self.one(pair[1])) == (self.one(player), self.one(other)) and says == word:
                self.ties[pair] = (new, at)

    def are_friends(self, player, other):
        return (self.one(player) != self.one(other)
                and self.says(player, other) == self.says(other, player) == "yes")

    def survivors(self):
        return [player for player in self.names if player not in self.merged and player not in self.erased]

    def friends(self, player):
        return {other for other in self.survivors() if self.are_friends(player, other)}

    def ask(self, player, other):
        if self.says(player, other) != "yes":
            self.turn(player, other, "block", "no")
            self.say(player, other, "yes")

    def end(self, player, other):
        if (self.says(player, other) or self.says(other, player)) == "yes":
            self.turn(player, other, "yes", "no")
            self.say(player, other, "no")

    def block(self, player, other):
        if self.says(player, other) != "block":
            self.turn(player, other, "yes", "block")
            at = self.tick()
            for each in self.group(other):
                self.ties[self.one(player), each] = ("block", at)

    def unblock(self, player, other):
        if self.says(player, other) == "block":
            self.turn(player, other, "block", "no")
            self.say(player, other, "no")

    def make_code(self, player, text, by):
        self.codes[self.one(player)] = Code(text, by, self.tick(), self.now() + datetime.timedelta(hours=CODE_HOURS))

    def use_code(self, player, maker, code):
        """What a player is answered who uses a code of another one, which may have ended."""
        player, maker = self.one(player), self.one(maker)
        says, at = self.said(maker, player)
        if (self.codes.get(maker) is not code or code.until <= self.now() or maker == player or maker in self.erased
                or self.is_hidden(maker) or says == "block" or says == "no" and at >= code.at):
            return 422
        if self.are_friends(player, maker):
            return 200
        code.uses -= 1
        if code.uses == 0:
            del self.codes[maker]
        if says != "yes":
            self.say(maker, player, "yes")
        self.ask(player, maker)
        return 201

    def lists(self, player):
        """The lists of a player, of ids."""
        others = [other for other in self.survivors() if other != self.one(player) and not self.is_hidden(other)]
        said = {other: (self.says(player, other), self.says(other, player)) for other in others}
        return {
            "friends": {other for other, ties in said.items() if ties == ("yes", "yes")},
            "asking": {other for other, ties in said.items() if ties[0] == "yes" != ties[1]},
            "asked": {other for other, ties in said.items()
                      if ties == (None, "yes") and self.takes_asks.get(self.one(player), True)},
            "blocked": {other for other, ties in said.items() if ties[0] == "block"},
        }

    # -- teams

    def rows_of(self, player):
        return [row for row in self.memberships if self.one(row.player) == self.one(player)]

    def team(self, player):
        """The team that a player is in, or will be tomorrow."""
        return next((row.team for row in self.rows_of(player) if row.last is None), None)

    def roster(self, team):
        return {self.one(row.player) for row in self.memberships if row.team == team and row.last is None}

    def join(self, player, team):
        rows, today = self.rows_of(player), self.day()
        back = [row for row in rows if row.team == team and row.last == today]
        for row in back:
            row.last = None
        if not back:
            first = max([today, *(row.last + datetime.timedelta(days=1) for row in rows)])
            self.memberships.append(Membership(self.one(player), team, first))

    def leave(self, player):
        today, rows = self.day(), self.rows_of(player)
        self.memberships = [row for row in self.memberships
                            if row not in rows or row.last is not None or row.first <= today]
        for row in rows:
            row.last = today if row.last is None else row.last

    def team_on(self, player, day):
        """In which team a player was on a day: of those who are one with it, it goes before the others."""
        found = [(row.player != player, row.player, row.team) for row in self.rows_of(player) if row.has(day)]
        return min(found)[2] if found else None

    # -- flags

    def show_flag(self, player, flag):
        """Whether a player may show a flag now; if so, it does."""
        player, now = self.one(player), self.now()
        if flag and flag != self.flags.get(player):
            if now < self.flags_at.get(player, now) + datetime.timedelta(days=FLAG_DAYS) and player in self.flags_at:
                return False
            self.flags_at[player] = now
        self.flags[player] = flag
        return True

    def shows(self, player, code):
        flag = self.flags.get(player)
        return flag is not None and (flag == code or flag.startswith(code + "-"))

    # -- ledgers

    def post(self, id, player, slug, points):
        self.posts[id] = Post(self.one(player), slug, points, self.day(self.boards[slug]), (self.tick(),))

    def give(self, player, charity, points, anonymous):
        day = self.day()
        at = (day, 0 if anonymous else self.tick())
        self.gifts.append(Post(self.one(player), charity, points, day, at, anonymous))

    def earned(self, player):
        return sum(post.points for post in self.posts.values()
                   if self.one(post.player) == self.one(player) and self.boards[post.board].earns)

    def left(self, player):
        return self.earned(player) - sum(gift.points for gift in self.gifts
                                         if self.one(gift.player) == self.one(player))

    def funded(self):
        """Donations with what counts of them. Who has parted from another player may have donated points of that one:
        then the newest donations are unfunded first."""
        missing, found = {}, []
        for gift in reversed(self.gifts):
            one = self.one(gift.player)
            lack = missing.setdefault(one, max(0, -self.left(one)))
            missing[one] -= min(lack, gift.points)
            if gift.points > lack:
                found.append(dataclasses.replace(gift, points=gift.points - lack))
        return found

    # -- rankings, best first

    def of(self, slug, span):
        """The posts on a board, or the donations to a charity, or to all without a slug, in a range of days."""
        posts = self.posts.values() if slug in self.boards else self.funded()
        return [post for post in posts if slug in (post.board, None) and post.counts
                and (span is None or span[0] <= post.day <= span[1])]

    def by_player(self, posts):
        mine = {}
        for post in posts:
            if not post.anonymous and not self.is_hidden(post.player):
                mine.setdefault(self.one(post.player), []).append(post)
        return mine

    def board(self, slug):
        return self.boards.get(slug, GIFTS)

    def ranking(self, slug, span):
        """[(rank, tied, player, points)]; an anonymous donation has a row without a player."""
        board, posts = self.board(slug), self.of(slug, span)
        found = [(*board.points(mine), player) for player, mine in self.by_player(posts).items()]
        found += [(post.points, post.at, 0) for post in posts if post.anonymous]
        return placed(board, sorted(found, key=lambda row: (board.better_first(row[0]), *row[1:])))

    def among(self, slug, span, players):
        """[(rank, among, tied, player, points)] of some players."""
        board = self.board(slug)
        rows = [row for row in self.ranking(slug, span) if row[2] in players]
        points = [row[3] for row in rows]
        return [(rank, points.index(mine) + 1 if board.ties == "shared" else place, tied, player, mine)
                for place, (rank, tied, player, mine) in enumerate(rows, 1)]

    def amounts(self, slug, groups, count):
        """[(rank, tied, group, points, members)] of groups, by what players did for each. `count` of them count."""
        board, found = self.board(slug), []
        for group, mine in groups.items():
            rows = sorted(((*board.points(posts), player) for player, posts in mine.items()),
                          key=lambda row: (board.better_first(row[0]), *row[1:]))
            counted = rows[:count] if count else rows
            if rows and not (board.lowest and len(rows) < count):
                found.append((sum(row[0] for row in counted), max(row[1] for row in counted), group, len(rows)))
        found.sort(key=lambda row: (board.better_first(row[0]), *row[1:]))
        members = {row[2]: row[3] for row in found}
        return [(*row, members[row[2]]) for row in placed(board, [row[:3] for row in found])]

    def teams(self, slug, span):
        groups = {}
        for player, posts in self.by_player(self.of(slug, span)).items():
            for post in posts:
                team = self.team_on(player, post.day)
                if team and not self.hidden_teams.get(team):
                    groups.setdefault(team, {}).setdefault(player, []).append(post)
        return self.amounts(slug, groups, self.board(slug).teams)

    def country(self, slug, span, code):
        return self.among(slug, span, {player for player in self.survivors() if self.shows(player, code)})

    def countries(self, slug, span, of=None):
        """Countries, or the regions of one."""
        groups = {}
        for player, posts in self.by_player(self.of(slug, span)).items():
            flag = self.flags.get(player)
            if flag and (of is None or flag.startswith(of + "-")):
                groups.setdefault(flag if of else flag[:2], {})[player] = posts
        return self.amounts(slug, groups, self.board(slug).countries)


def placed(board, rows):
    """[(rank, tied, who, points)] of [(points, at, who)], best first."""
    points = [row[0] for row in rows]
    return [(points.index(mine) + 1 if board.ties == "shared" else place, points.count(mine) > 1, who, mine)
            for place, (mine, _, who) in enumerate(rows, 1)]
