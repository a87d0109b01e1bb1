"""What is printed: all figures, what writing costs, what they were measured on, and the targets; and the raw figures as
JSON."""
import dataclasses
import json
import statistics

from . import live, machine, peers, probes, targets
from .cases import POSTS, Figure
from .costs import KINDS, LOAD, Costs
from .results import Results

HEADER = [
    "what", "figure/s", "p50 ms", "p99 ms", "p99.9 ms", "spread %", "others %", "steal %", "peer", "peer's figure/s",
    "spread %", "ratio"
]
TEXT_COLUMNS = (0, 8)
COSTS_HEADER = [
    "a write of", "by", "in", "figure/s", "p50 ms", "p99 ms", *(f"{kind} us" for kind in KINDS), "all us", "log bytes",
    "page images", "pages read", "pages written", "checkpoints"
]
COSTS_TEXT_COLUMNS = (0, 1, 2)


def _shown(number, how):
    return "invalid" if number is None else "-" if number != number else format(number, how)


def _rows(figure: Figure):
    ours = figure.sides[0]
    latencies = [_shown(ours.median(field), ".2f") for field in ("p50_ms", "p99_ms", "p999_ms")]
    shares = [ours.spread_percent, figure.others_percent, figure.stolen_percent]
    cells = [figure.name, _shown(ours.median("per_second"), ",.0f"), *latencies, *(f"{share:.0f}" for share in shares)]
    if figure.posts_per_second:
        yield [*cells, "posts/s meanwhile", f"{statistics.median(figure.posts_per_second):,.0f}", "-", "-"]
        cells = [""] * len(cells)
    elif len(figure.sides) == 1:
        yield [*cells, "-", "-", "-", "-"]
    for side in figure.sides[1:]:
        ratio = figure.ratio(side.name)
        rate = _shown(side.median("per_second"), ",.0f")
        yield [*cells, side.name, rate, f"{side.spread_percent:.0f}", f"{ratio:.3g}" if ratio else "-"]
        cells = [""] * len(cells)


def _cost_cells(costs: Costs):
    """What each write cost: processor time in us, then log and pages."""
    seconds = [*(costs.seconds[kind] for kind in KINDS), sum(costs.seconds.values())]
    counts = (costs.page_images, costs.pages_read, costs.pages_written)
    return [
        *(_shown(1e6 * costs.each(one), ".1f") for one in seconds), _shown(costs.each(costs.log_bytes), ",.0f"),
        *(_shown(costs.each(count), ".2f") for count in counts), str(costs.checkpoints)
    ]


def _cost_rows(results: Results):
    for figure in results.figures:
        name = f"{figure.dataset}, {figure.name}"
        for side in figure.sides:
            if side.costs and not side.trouble:
                rates = [_shown(side.median("per_second"), ",.0f"),
                         *(_shown(side.median(field), ".2f") for field in ("p50_ms", "p99_ms"))]
                yield [name, side.name, "short runs", *rates, *_cost_cells(side.costs)]
    for steady in results.steadies:
        name, minutes = f"{steady.dataset}, {POSTS[steady.key]}", steady.minutes
        stretches = [("first minute", minutes[:1])]
        if len(minutes) > 1:
            stretches += [("last minute", minutes[-1:]), (f"all {len(minutes)} minutes", minutes)]
        for what, some in stretches:
            if not steady.trouble:
                # Percentiles of single minutes have no mean.
                sample = some[0].sample if len(some) == 1 else None
                rate = statistics.mean(minute.sample.per_second for minute in some)
                yield [name, steady.side, what, f"{rate:,.0f}",
                       *(_shown(getattr(sample, field, float("nan")), ".2f") for field in ("p50_ms", "p99_ms")),
                       *_cost_cells(sum((minute.costs for minute in some), Costs()))]


def table(lines, text_columns):
    widths = [max(map(len, column)) for column in zip(*lines)]
    return "\n".join(" | ".join(
        cell.ljust(width) if place in text_columns else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(line, widths))).rstrip() for line in lines)


def markdown(header, lines):
    return "\n".join("| " + " | ".join(line) + " |" for line in [header, ["---"] * len(header), *lines])


def print_all(results: Results, sizes, notes):
    """`notes` are what the figures were measured on and with, by name."""
    lines = [HEADER]
    for dataset in dict.fromkeys(figure.dataset for figure in results.figures):
        lines.append([f"{dataset}:", *[""] * (len(HEADER) - 1)])
        for figure in results.figures:
            if figure.dataset == dataset:
                lines += _rows(figure)
    print(table(lines, TEXT_COLUMNS))
    if costs := list(_cost_rows(results)):
        print()
        print(table([COSTS_HEADER, *costs], COSTS_TEXT_COLUMNS))
    if results.ranked_set:
        print("\nthe ranked set alone (OrderStatisticsBenchmark)")
        print(table([list(line) for line in results.ranked_set], (0, 2)))
    for one in results.lives:
        print(f"\n{live.told(one)}")
    print()
    for name, text in notes.items():
        print(f"{name:<11} {text}")
    print(f"{'others %':<11} of the time of all cores, used while measuring by what this did not start;"
          " steal: by the host's other guests;")
    print(f"{'spread %':<11} between the fastest and the slowest run, of the median")
    print(f"{'us':<11} processor time of each process, divided by the writes; writers: WAL writer, checkpointer and"
          f" background writer; {LOAD}: wrk or pgbench")
    print(f"{'log, pages':<11} divided by the writes too: bytes of log, pages that it has whole, pages that were not in"
          " PostgreSQL's memory, pages written from there")
    if results.reach_per_second:
        reached = ", ".join(f"{name}: {reach:,.0f}/s" for name, reach in results.reach_per_second.items())
        print(f"{'wrk alone':<11} {reached} (its script, against an empty answer of nginx)")
    for line in results.left_out:
        print(f"left out: {line}")
    for line in results.troubles:
        print(line)
    print()
    print(markdown(targets.HEADER, [target.cells() for target in targets.Targets(results, sizes).rows()]))


def notes(server, root, binary, asked):
    """What the figures of a running server were measured on and with, by name."""
    fsync, commit, version = (server.sql("show " + setting).split()[0]
                              for setting in ("fsync", "synchronous_commit", "server_version"))
    return {
        "commit": f"{machine.commit(root)}, binary {binary}, SHA-256 {machine.fingerprint(binary)}",
        "date": f"{machine.date()}, {asked.runs} runs of {asked.seconds} s, medians",
        "machine": f"{machine.description()}; load, peers and PostgreSQL run on it too",
        "versions": machine.versions(root, version), "disk": machine.disk(server.data),
        "durability": f"Causeboard, pgbench: PostgreSQL with fsync {fsync}, synchronous_commit {commit}; an answer "
                      f"follows its commit, and commits at the same "
        "time share a flush. Redis: appendfsync always, one flush for all commands of a turn of its loop; it keeps one "
        "number and no history.",
        "pgbench": f"-M prepared, on a copy of the same database in a PostgreSQL of the same configuration; session: "
                   f"{peers.SESSION}",
        "starts": "the database was stopped in order and lies in the page cache; the server starts its PostgreSQL too",
        "pace": f"{probes.POSTS_PER_SECOND:,} posts/s over {probes.WRITERS} connections of a wrk of their own",
    }


def write_json(file, results: Results, sizes, notes):
    rows = [dict(zip(targets.HEADER, target.cells())) for target in targets.Targets(results, sizes).rows()]
    with open(file, "w") as f:
        # What a program does not say is null: JSON has no NaN.
        json.dump(_plain({"notes": notes, "targets": rows, **dataclasses.asdict(results)}), f, indent=1)
        f.write("\n")


def _plain(value):
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(part) for part in value]
    return None if value != value else value
