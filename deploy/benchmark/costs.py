"""What a write costs: the processor time of each process that works for it, and what PostgreSQL writes and reads.

Every process counts that the load, the server or the side's own PostgreSQL consists of, from before the load's program
starts until it has ended. So the connects of pgbench count too, and in runs of a few seconds they are some percent.
A process that ended meanwhile is not lost: the postmaster has its time. Nobody knows any more what it was, so it counts
as a backend beside pgbench, whose backends end with it, and as the rest beside the server, which keeps its own."""
import dataclasses
import os
import typing

from . import cpu

# Who works. The writers are PostgreSQL's WAL writer, checkpointer and background writer; the load is wrk or pgbench.
SERVER, BACKENDS, SENDER, WRITERS, REST, LOAD = KINDS = ("server", "backends", "WAL sender", "writers", "rest", "load")
# What the titles of PostgreSQL's processes say, in the order of looking.
TITLES = ((" walsender ", SENDER), (" walwriter", WRITERS), (" checkpointer", WRITERS), (" background writer", WRITERS),
          (" [local] ", BACKENDS))
READINGS_MAX = 10

# One row: the log's end in bytes, pages written into the log whole, pages that were not in PostgreSQL's memory, pages
# written out by whomever, checkpoints. The statistics of a session may be a second late.
COUNTERS_SQL = """
select pg_current_wal_insert_lsn() - '0/0', w.wal_fpi, d.blks_read, {written}, {checkpoints}
  from pg_stat_wal w, pg_stat_bgwriter b{more}, pg_stat_database d where d.datname = current_database()"""
UNTIL_16 = COUNTERS_SQL.format(written="b.buffers_checkpoint + b.buffers_clean + b.buffers_backend",
                               checkpoints="b.checkpoints_timed + b.checkpoints_req", more="")
# Since 17 the checkpointer has a view of its own, and what backends write out is in pg_stat_io.
SINCE_17 = COUNTERS_SQL.format(
    written="c.buffers_written + b.buffers_clean + (select coalesce(sum(i.writes), 0) from pg_stat_io i "
    "where i.backend_type not in ('checkpointer', 'background writer') and i.object = 'relation')",
    checkpoints="c.num_timed + c.num_requested", more=", pg_stat_checkpointer c")


@dataclasses.dataclass
class Costs:
    """The sums of some runs of one side."""
    writes: int = 0
    seconds: typing.Dict[str, float] = dataclasses.field(default_factory=lambda: dict.fromkeys(KINDS, 0.0))
    log_bytes: int = 0
    page_images: int = 0        # pages that the log has whole, because they changed first since a checkpoint
    pages_read: int = 0         # into PostgreSQL's memory, from the operating system's or from the disk
    pages_written: int = 0      # from PostgreSQL's memory
    checkpoints: int = 0

    def each(self, amount):
        """nan when nothing was written."""
        return amount / self.writes if self.writes else float("nan")

    def __add__(self, other):
        both = Costs(**{
            field.name: getattr(self, field.name) + getattr(other, field.name)
            for field in dataclasses.fields(Costs) if field.name != "seconds"
        })
        both.seconds = {kind: self.seconds[kind] + other.seconds[kind] for kind in KINDS}
        return both


class Meter:
    """Counts what one side costs while it is measured."""

    def __init__(self, sql, cluster, server=None):
        """`sql` asks the side's PostgreSQL, which runs on the data directory `cluster`. `server` is the number of our
        process, if it is our side."""
        self._sql, self._cluster, self._server = sql, cluster, server
        self._ended = REST if server else BACKENDS
        since_17 = int(sql("show server_version_num")) >= 170000
        self._counters_sql = SINCE_17 if since_17 else UNTIL_16

    def __call__(self, measure):
        """`measure` makes the load and returns its sample; returns that and its costs."""
        counted, times, load = self._counters(), self._times(), cpu.children_seconds()
        sample = measure()
        # In this order: psql, which asks for the counters, would be one of the children.
        load, times = cpu.children_seconds() - load, self._seconds(times, self._times())
        grown = [now - before for now, before in zip(self._counters(), counted)]
        return sample, Costs(sample.done, {**times, LOAD: load}, *grown)

    def _counters(self):
        return [int(number) for number in self._sql(self._counters_sql).split("|")]

    def _times(self):
        """The kind and the seconds of each process that runs, by its number and start; and the seconds of all that
        ended. The kind is empty where a process has ended and was not yet waited for."""
        with open(os.path.join(self._cluster, "postmaster.pid")) as f:
            postmaster = int(f.readline())
        for _ in range(READINGS_MAX):
            before, times = cpu.running(), {}
            for pid in cpu.below(postmaster, before):
                seconds = max(before[pid].seconds, cpu.thread_seconds(pid))     # each has one thread
                times[pid, before[pid].started] = (_kind(cpu.title(pid)), seconds)
            if self._server in before:
                times[self._server, before[self._server].started] = (SERVER, before[self._server].seconds)
            after = cpu.running()
            # Who ended between the two readings would count twice or not at all.
            if after[postmaster].reaped_seconds == before[postmaster].reaped_seconds:
                break
        return times, after[postmaster].reaped_seconds

    def _seconds(self, before, after):
        """The difference, by kind."""
        (times, reaped), (times_after, reaped_after) = before, after
        seconds = dict.fromkeys(KINDS, 0.0)
        for process, (kind_after, now) in times_after.items():
            kind, then = times.get(process, (kind_after, 0.0))
            seconds[kind or self._ended] += now - then
        spent_before = sum(spent for process, (_, spent) in times.items() if process not in times_after)
        seconds[self._ended] += max(0.0, reaped_after - reaped - spent_before)
        return seconds


def _kind(title):
    # A title may end with the word.
    return title and next((kind for words, kind in TITLES if words in f" {title} "), REST)
