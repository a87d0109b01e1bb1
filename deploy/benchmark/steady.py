"""Posts for minutes: the first minute after a start and the last one are apart."""
import dataclasses
import typing

from . import cases, load
from .causeboard import Embedded
from .costs import Costs
from .dataset import Dataset

MINUTE_SECONDS = 60


@dataclasses.dataclass
class Minute:
    sample: load.Sample
    costs: Costs


@dataclasses.dataclass
class Steady:
    """One side on one dataset, which was started for it."""
    dataset: str
    key: str                            # one of cases.POSTS
    side: str
    minutes: typing.List[Minute]
    trouble: str = ""                   # why none of them counts

    def troubles(self):
        if self.trouble:
            yield f"INVALID: {self.dataset}, {cases.POSTS[self.key]} for minutes, {self.side}: {self.trouble}"

    @property
    def last_per_second(self):
        """None when it does not count."""
        return None if self.trouble else self.minutes[-1].sample.per_second


def measured(binary, dataset: Dataset, key, minutes):
    """Ours, then one.sql, each alone on the machine. Both start on a database that was stopped in order: nothing is in
    PostgreSQL's memory, and every page that is changed first goes into the log whole. The minutes follow each other
    with no warm-up, and checkpoints come as they are set up."""
    server = Embedded(binary, dataset)
    try:
        # Else the first minute would pay for reading them as well.
        server.wait_loaded()
        yield _side(dataset, key, cases.Bench(dataset, server).our_posts(key), minutes)
        server.sql("checkpoint")        # so that stopping does not take minutes
    finally:
        server.stop()
    bench = cases.Bench(dataset)
    try:
        yield _side(dataset, key, bench.plain_posts(key), minutes)
    finally:
        bench.stop()


def _side(dataset, key, side: cases.Side, minutes):
    before = side.count()
    done = [Minute(*side.measure_costs(MINUTE_SECONDS)) for _ in range(minutes)]
    troubles = {minute.sample.trouble for minute in done if minute.sample.trouble}
    grown, answered = side.count() - before, sum(minute.sample.done for minute in done)
    if grown < answered:
        troubles.add(f"{answered} were answered, {grown} are new")
    return Steady(str(dataset), key, side.name, done, "; ".join(sorted(troubles)))
