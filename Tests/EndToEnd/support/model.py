"""The books in their simplest form: lists, sums and sorts, written from the contract alone.

Knows one score board (best, highest first, earns points), any number of charities, no voids and no windows.
"""
import unicodedata

WALLET_MAX = 2**53 - 1
SCORE_MAX = 2**63 - 1


class Player:
    def __init__(self, name):
        self.name = name
        self.id = None
        self.posts = []         # (order, points, its own name or None, the name the player had)
        self.donations = []         # (order, charity, points)
        self.score_ids = {}     # id -> points
        self.donation_ids = {}      # id -> (charity, points)
        self.earned = 0
        self.earned_once = set()    # (UTC day, points): equal scores of one device earn once a day

    @property
    def donated(self):
        return sum(points for _, _, points in self.donations)

    @property
    def left(self):
        return self.earned - self.donated

    @property
    def best(self):
        return max(points for _, points, _, _ in self.posts)


class Books:
    def __init__(self, charities=()):
        self.players = {}       # device -> Player
        self.charities = set(charities)
        self.order = 0          # the server's clock

    def register(self, device, name):
        """True when the device is new."""
        name = unicodedata.normalize("NFC", name)
        known = self.players.get(device)
        if known is not None:
            known.name = name
            return False
        self.players[device] = Player(name)
        return True

    def post(self, device, points, day, id=None, name=None):
        player = self.players.get(device)
        if player is None or not 1 <= points <= SCORE_MAX:
            return "refused"
        if id is not None and id in player.score_ids:
            return "retry" if player.score_ids[id] == points else "conflict"
        if id is not None:
            player.score_ids[id] = points
        self.order += 1
        player.posts.append((self.order, points, name, player.name))
        if (day, points) not in player.earned_once:
            player.earned_once.add((day, points))
            player.earned += min(points, WALLET_MAX - player.earned)
        return "recorded"

    def high_score(self, device, name, points, day):
        name = unicodedata.normalize("NFC", name)
        if not 1 <= points <= SCORE_MAX:
            return "refused"
        if device not in self.players:
            self.register(device, name)
        return self.post(device, points, day, name=name)

    def donate(self, device, charity, points, id=None):
        player = self.players.get(device)
        if player is None or charity not in self.charities or points < 1:
            return "refused"
        if id is not None and id in player.donation_ids:
            return "retry" if player.donation_ids[id] == (charity, points) else "conflict"
        if points > player.left:
            return "refused"
        if id is not None:
            player.donation_ids[id] = (charity, points)
        self.order += 1
        player.donations.append((self.order, charity, points))
        return "recorded"

    # -- rankings, best first

    def board(self):
        """[(player, points)]: everybody's best; who reached it first is before who reached it later."""
        rows = []
        for player in self.players.values():
            if player.posts:
                first = min(order for order, points, _, _ in player.posts if points == player.best)
                rows.append((-player.best, first, player))
        return [(player, -negative) for negative, _, player in sorted(rows, key=lambda r: r[:2])]

    def rank(self, player):
        """(position, rank if equals share one)."""
        board = self.board()
        position = next(i for i, (p, _) in enumerate(board, 1) if p is player)
        return position, 1 + sum(points > player.best for _, points in board)

    def top_posts(self, count=10):
        """[({allowed names}, points)]: every post is an entry; one that came without a name goes by its player's."""
        posts = [(-points, order, {name} if name else {player.name, then})
                 for player in self.players.values() for order, points, name, then in player.posts]
        return [(names, -negative) for negative, _, names in sorted(posts, key=lambda p: p[:2])[:count]]

    def donors(self, count=50, charity=None):
        """[(name, points)]: who donated most, to one charity or to all; equals in the order they reached it."""
        rows = []
        for player in self.players.values():
            donations = [(order, points) for order, to, points in player.donations if charity in (None, to)]
            if donations:
                rows.append((-sum(p for _, p in donations), max(o for o, _ in donations), player))
        return [(player.name, -negative) for negative, _, player in sorted(rows, key=lambda r: r[:2])[:count]]

    def received(self, charity):
        return sum(points for player in self.players.values() for _, to, points in player.donations if to == charity)
