"""Prometheus' own tool: what a scrape holds, and what its expressions and alert rules make of scrapes of real servers.
The clock of promtool is made up, so nothing waits for the minutes that an alert has to last."""
import json
import os
import re
import subprocess

import client
from repository import ROOT

OBSERVE = os.path.join(ROOT, "deploy", "observe")
ALERTS = os.path.join(OBSERVE, "alerts.yaml")
DASHBOARD = os.path.join(OBSERVE, "dashboard.json")
STEP_SECONDS = 15
SECONDS_MAX = 60


def scrape(server):
    """The figures of a server's /metrics: series to value, both texts."""
    answer = client.get(server.admin(), "/metrics")
    assert answer.status == 200, answer
    return figures(answer.text)


def figures(text):
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return dict(line.rpartition(" ")[::2] for line in lines)


def metric(server, series):
    """A figure of Causeboard's own by its name without the prefix: the sum over all labels, unless it names one of
    them; None when there is none."""
    series = f"causeboard_{series}"
    found = [float(value) for known, value in scrape(server).items() if series in (known, name(known))]
    return sum(found) if found else None


def kept_scrapes(folder):
    """The scrapes of each server that `deploy/bench --scrapes` kept: process, first and last."""
    for name in sorted(os.listdir(folder)):
        if name.endswith("-end.txt"):
            both = []
            for when in ("begin", "end"):
                with open(os.path.join(folder, name.replace("-end", f"-{when}"))) as file:
                    both.append(figures(file.read()))
            yield name, both


def name(series):
    return series.partition("{")[0]


def names_in(text):
    """The metrics that an expression or a file of rules names."""
    return set(re.findall(r"\bcauseboard_[a-z0-9_]+", text))


def expressions(text):
    """The expressions of a file of alert rules, as promtool reads it and the alerts that it has."""
    return re.findall(r"- alert: (\w+)", text)


def panels():
    """The panels that show figures: title and expressions, with the dashboard's variables filled in."""
    with open(DASHBOARD) as file:
        for panel in json.load(file)["panels"]:
            if panel["type"] != "row":
                yield panel["title"], [
                    target["expr"].replace("$__rate_interval", "2m").replace("$instance", ".*")
                    for target in panel["targets"]
                ]


def run(*arguments):
    return subprocess.run(["promtool", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=SECONDS_MAX)


def evaluate(folder, scrapes, expressions, rules=(), after_seconds=900):
    """Which of the expressions have no value, once the scrapes were taken one after the other and the last one again
    and again. Everything that is asked must be a vector; a value that is no number is none."""
    series = []
    for key in sorted(set().union(*scrapes)):
        values = [scrape.get(key, "_") for scrape in scrapes]
        values += [values[-1]] * (after_seconds // STEP_SECONDS)
        base, _, labels = key.partition("{")
        labels = ['instance="a"', 'job="causeboard"'] + ([labels.rstrip("}")] if labels else [])
        series.append({"series": f"{base}{{{','.join(labels)}}}", "values": " ".join(values)})

    def test(expression):
        return {"expr": f"count(({expression}) > -Inf)", "eval_time": f"{after_seconds if rules else 60}s",
                "exp_samples": []}
    path = os.path.join(folder, "scrapes.test.json")
    with open(path, "w") as file:
        json.dump({"rule_files": list(rules), "evaluation_interval": f"{STEP_SECONDS}s", "tests": [
            {"interval": f"{STEP_SECONDS}s", "input_series": series,
             "promql_expr_test": [test(expression) for expression in expressions]}]}, file)
    # promtool names each expression that has a value, because none is expected.
    done = run("test", "rules", path)
    said = done.stdout + done.stderr
    if "FAILED" not in said and "SUCCESS" not in said:
        raise AssertionError(said[:3000])
    for line in said.splitlines():
        if re.search(r"parse error|error parsing|invalid|unsupported", line):
            raise AssertionError(said[:3000])
    return [e for e in expressions if f'expr: "{go_quoted(test(e)["expr"])}"' not in said]


def go_quoted(text):
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def firing(folder, scrapes):
    """The alerts that fire when the last scrape stays as it is for a quarter of an hour."""
    with open(ALERTS) as file:
        alerts = expressions(file.read())
    asked = {alert: f'ALERTS{{alertname="{alert}",alertstate="firing"}}' for alert in alerts}
    quiet = evaluate(folder, scrapes, list(asked.values()), rules=[ALERTS])
    return {alert for alert, expression in asked.items() if expression not in quiet}


def fired(folder, scrapes, step_seconds, after_steps=10):
    """The alerts that fire at some time, when scrapes are taken every so many seconds and the last one again and again.
    A scrape is as `troubles.Watch` keeps it: with `up`, and the moment of it as `#clock`."""
    with open(ALERTS) as file:
        text = file.read()
    named, alerts = names_in(text) | {"up"}, expressions(text)
    series = []
    for key in sorted(set().union(*scrapes)):
        base, _, labels = key.partition("{")
        # Histograms are named by their buckets.
        if base not in named:
            continue
        values = []
        for number, scrape in enumerate(scrapes):
            value = scrape.get(key, "_")
            # The clock of promtool begins at 0.
            if base.endswith("_until_seconds") and value != "_":
                value = str(float(value) - float(scrape["#clock"]) + number * step_seconds)
            values.append(value)
        values += [values[-1]] * after_steps
        labels = ['instance="a"', 'job="causeboard"'] + ([labels.rstrip("}")] if labels else [])
        series.append({"series": f"{base}{{{','.join(labels)}}}", "values": " ".join(values)})
    seconds = (len(scrapes) + after_steps) * step_seconds

    def test(alert):
        return {"expr": f'count(max_over_time(ALERTS{{alertname="{alert}",alertstate="firing"}}[{seconds}s]))',
                "eval_time": f"{seconds}s", "exp_samples": []}
    path = os.path.join(folder, "fired.test.json")
    with open(path, "w") as file:
        json.dump({"rule_files": [ALERTS], "evaluation_interval": f"{step_seconds}s", "tests": [
            {"interval": f"{step_seconds}s", "input_series": series,
             "promql_expr_test": [test(alert) for alert in alerts]}]}, file)
    done = run("test", "rules", path)
    said = done.stdout + done.stderr
    if not re.search("FAILED|SUCCESS", said) or re.search(r"parse error|error parsing|invalid|unsupported", said):
        raise AssertionError(said[:3000])
    return {alert for alert in alerts if f'expr: "{go_quoted(test(alert)["expr"])}"' in said}
