"""All that one run of the benchmark found, raw."""
import dataclasses
import typing

from .cases import Figure
from .live import EventStreams
from .probes import Delays, Memory, Starts
from .steady import Steady


@dataclasses.dataclass
class Results:
    datasets: typing.List[str]                    # names of the sizes, smallest first; without the fresh one
    figures: typing.List[Figure] = dataclasses.field(default_factory=list)
    steadies: typing.List[Steady] = dataclasses.field(default_factory=list)
    starts: typing.List[Starts] = dataclasses.field(default_factory=list)
    memories: typing.List[Memory] = dataclasses.field(default_factory=list)
    delays: typing.List[Delays] = dataclasses.field(default_factory=list)
    lives: typing.List[EventStreams] = dataclasses.field(default_factory=list)
    # The resident memory of a server on whose database nobody has played.
    idle_bytes: typing.Optional[int] = None
    # Each is (what, figure, unit).
    ranked_set: typing.List[typing.Tuple[str, str, str]] = dataclasses.field(default_factory=list)
    # What wrk itself reaches, by case.
    reach_per_second: typing.Dict[str, float] = dataclasses.field(default_factory=dict)
    # Sentences that say why rows do not count.
    troubles: typing.List[str] = dataclasses.field(default_factory=list)
    left_out: typing.List[str] = dataclasses.field(default_factory=list)

    def figure(self, dataset, key):
        return next((figure for figure in self.figures if (figure.dataset, figure.key) == (dataset, key)), None)

    def steady(self, dataset, key, side):
        return next((one for one in self.steadies if (one.dataset, one.key, one.side) == (dataset, key, side)), None)

    @staticmethod
    def of(kept, dataset):
        """The entry of a list that belongs to a dataset."""
        return next((one for one in kept if one.dataset == dataset), None)
