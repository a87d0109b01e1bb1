"""Who has which award and since when, computed from plain lists of what counts: nothing of the server is used here."""
from collections import defaultdict


def running(pairs):
    """Yields each moment with everything that has come up to it."""
    moments = defaultdict(list)
    for at, value in pairs:
        moments[at].append(value)
    seen = []
    for at in sorted(moments):
        seen = seen + moments[at]
        yield at, seen


def since(award, posts, donations, boards):
    """The first moment at which the rule of an award held; None if it never did.

    posts: (board, season, day, points, at) of scores that count; donations: (charity, points, at) of funded points that
    were donated by name; boards: slug -> (policy, lowest_first). Days are numbers.
    """
    rule, least = award["rule"], award.get("at_least")
    if rule == "points":
        return since_points(award, posts, boards)
    if rule in ("days", "streak"):
        played = {}
        for board, _, day, _, at in posts:
            if award.get("board") in (None, board):
                played[day] = min(at, played.get(day, at))
        latest = None
        for day in sorted(played):
            latest = played[day] if latest is None else max(latest, played[day])
            known = [other for other in played if other <= day]
            if rule == "days" and sum(day - other <= 365 for other in known) >= least:
                return latest
            if rule == "streak" and all(day - back in played for back in range(least)):
                return latest
        return None
    if rule == "given":
        moments = running((at, points) for _, points, at in donations)
        return next((at for at, seen in moments if sum(seen) >= least), None)
    if rule == "charities":
        moments = running((at, charity) for charity, _, at in donations)
        return next((at for at, seen in moments if len(set(seen)) >= least), None)
    raise ValueError(rule)


def since_points(award, posts, boards):
    policy, lowest_first = boards[award["board"]]
    groups = defaultdict(list)
    for board, season, day, points, at in posts:
        if board == award["board"] and award.get("season") in (None, season):
            groups[season, day if award.get("window") == "day" else None].append((at, (at, points)))
    found = []
    for group in groups.values():
        for at, seen in running(group):
            if policy == "sum":
                value = sum(points for _, points in seen)
            elif policy == "best":
                value = (min if lowest_first else max)(points for _, points in seen)
            else:
                newest = max(at for at, _ in seen)
                value = (min if lowest_first else max)(points for at, points in seen if at == newest)
            if (value <= award["at_least"]) if lowest_first else (value >= award["at_least"]):
                found.append(at)
                break
    return min(found, default=None)


def winners(rows, at_least, lowest_first, shared):
    """The players whose rank on a board is at_least or better. rows: player -> (points, at)."""
    order = sorted(rows, key=lambda p: (rows[p][0] if lowest_first else -rows[p][0], rows[p][1], p))
    if not shared:
        return set(order[:at_least])
    return {p for p in order if sum(better(rows[q][0], rows[p][0], lowest_first) for q in rows) < at_least}


def better(one, other, lowest_first):
    return one < other if lowest_first else one > other
