"""Event streams: how soon all of them tell a post while many others arrive, and what they cost the server."""
import bisect
import concurrent.futures
import dataclasses
import json
import math
import os
import random
import subprocess
import sys
import time

from . import cpu, machine, processes
from .cases import Bench
from .dataset import BOARD, bearer

STREAMS = 2_000
OF_ADDRESS = 8                  # as many as one address may have
POSTS_PER_SECOND = 1_000        # of which none moves the first rows, so each look reads them again and tells nothing
SEEN_PER_SECOND = 10            # posts that do, whose events are timed
WRITERS = 32
ROWS = 10
HEAD_START_SECONDS = 1
SECONDS = 10                    # at least, unless it is only to be seen that it works
LAST_SECONDS = 1                # for the events of the last post


@dataclasses.dataclass
class EventStreams:
    """What the streams of one board had and cost. Milliseconds are from a post's acknowledgement to its event, for each
    stream; the time of a processor is that of the server's process."""
    dataset: str
    streams: int
    lag_p50_ms: float
    lag_p99_ms: float
    events_per_second: float
    bytes_per_event: float
    posts_per_second: float
    server_us_per_second: float
    server_us_per_second_without: float     # the same posts without streams
    resident_without: int
    resident: int
    client_percent: float                   # of a processor, that the client of the streams took
    trouble: str = ""


def streams_while_writing(bench: Bench, seconds, count=STREAMS):
    dataset, server = bench.dataset, bench.server
    pid = server.process.pid
    first = json.loads(server.get(f"{BOARD}/top.json?limit=1"))["rows"][0]["points"]
    without = _stretch(bench, seconds, first)
    resident_without = machine.resident_bytes(pid)
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "streams.py")
    words = [path, server.port, f"{BOARD}/live?limit={ROWS}", count, OF_ADDRESS]
    client = subprocess.Popen([sys.executable, *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              env=processes.environment(), text=True)
    try:
        said = client.stdout.readline()
        if said != "open\n":
            return EventStreams(str(dataset), count, *[float("nan")] * 8, 0, 0, "the streams could not be opened")
        client_before = cpu.running()[client.pid].seconds
        during = _stretch(bench, seconds, without.points)
        client_seconds = cpu.running()[client.pid].seconds - client_before
        resident = machine.resident_bytes(pid)
        found = json.loads(client.communicate("end\n", timeout=60)[0])
    finally:
        client.kill()
        client.wait()
    # Nothing changes in the last second.
    (_, began), (_, ended) = during.acknowledged[0], during.acknowledged[-1]
    meanwhile = sum(began <= at <= ended for at, _ in found["events"])
    lags = _lags(during.acknowledged, found["events"], count)
    lags.sort()
    return EventStreams(
        dataset=str(dataset),
        streams=count,
        lag_p50_ms=_percentile(lags, 50),
        lag_p99_ms=_percentile(lags, 99),
        events_per_second=meanwhile / (ended - began),
        bytes_per_event=found["bytes"] / max(1, len(found["events"])),
        posts_per_second=during.posts_per_second,
        server_us_per_second=1e6 * during.server_seconds / during.seconds,
        server_us_per_second_without=1e6 * without.server_seconds / without.seconds,
        resident_without=resident_without,
        resident=resident,
        client_percent=100 * client_seconds / during.seconds,
        trouble=during.trouble if lags else "no event came")


@dataclasses.dataclass
class Stretch:
    seconds: float
    acknowledged: list          # of (points, time), rising
    points: int                 # of the last of them
    posts_per_second: float
    server_seconds: float
    trouble: str


def _stretch(bench, seconds, points):
    """Posts for some seconds, and makes the first row better ten times a second."""
    server, acknowledged = bench.server, []
    pid = server.process.pid
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        posting = pool.submit(bench.put_scores, seconds + HEAD_START_SECONDS + LAST_SECONDS, rate=POSTS_PER_SECOND,
                              connections=WRITERS, threads=1)
        time.sleep(HEAD_START_SECONDS)
        began, before = time.monotonic(), cpu.running()[pid].seconds
        for turn in range(seconds * SEEN_PER_SECOND):
            points += 1
            server.put(f"{BOARD}/scores/{random.getrandbits(32):08x}-0000-4000-b000-{turn:012x}", bearer(1),
                       points=points)
            acknowledged.append((points, time.monotonic()))
            time.sleep(max(0, began + (turn + 1) / SEEN_PER_SECOND - time.monotonic()))
        time.sleep(LAST_SECONDS)
        took, spent = time.monotonic() - began, cpu.running()[pid].seconds - before
        sample = posting.result()
    return Stretch(took, acknowledged, points, sample.per_second, spent, sample.trouble)


def _lags(acknowledged, events, streams):
    """Milliseconds from each post to the first event that tells it or a better one, once for each stream. The streams
    are not told apart: of each post's events, in their order, the first ones are those of the streams."""
    lags = []
    events = sorted(events)
    times = [at for at, _ in events]
    for points, at in acknowledged:
        # An event may come before the acknowledgement that was sent before it.
        told = []
        for place in range(bisect.bisect_left(times, at - 1), len(events)):
            if events[place][1] >= points:
                told.append(max(0.0, (events[place][0] - at) * 1000))
                if len(told) == streams:
                    break
        lags += told
    return lags


def _percentile(ordered, percent):
    if not ordered:
        return float("nan")
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)]


def told(live: EventStreams):
    """What is printed of it."""
    if live.trouble:
        return f"INVALID: {live.dataset}, event streams: {live.trouble}"
    mebibyte = 1 << 20
    extra = (live.resident - live.resident_without) / live.streams
    return (
        f"{live.dataset}: {live.streams:,} event streams of one board ({ROWS} rows, {live.bytes_per_event:,.0f} bytes "
        f"an event), {live.posts_per_second:,.0f} posts/s: {live.events_per_second:,.0f} events/s; a post's event "
        f"{live.lag_p50_ms:.0f} ms (p50), {live.lag_p99_ms:.0f} ms (p99) after its acknowledgement; server "
        f"{live.server_us_per_second:,.0f} us a second, {live.server_us_per_second_without:,.0f} without streams; "
        f"{live.resident / mebibyte:,.0f} MiB, {live.resident_without / mebibyte:,.0f} without streams "
        f"({extra / 1024:.1f} KiB a stream); the client took {live.client_percent:.0f} % of a processor")
