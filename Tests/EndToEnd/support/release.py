"""The statements of the last release, and a tour that its tests took through them: what deploy/record-release has
recorded, and how it is played again on a schema of now."""
import os
import re
import subprocess

import repository
import server as servers

FOLDER = os.path.join(repository.ROOT, "Tests", "EndToEnd", "release")
MARK = "@answer "
VARIES = "?"
# How headers name types that PostgreSQL names otherwise.
TYPES = {"double": "double precision"}
SECONDS_MAX = 120


def parameters(text):
    """The types that a statement's header gives its parameters, in order."""
    found = []
    for line in text.split("\n"):
        if not line.startswith("--"):
            break
        for part in line[2:].split("$")[1:]:
            words = part.split(" ")
            if len(words) > 1 and words[0] == str(len(found) + 1):
                found.append(TYPES.get(words[1], words[1]))
    return found


def is_preparable(text):
    words = re.sub(r"^(--[^\n]*\n|\s)*", "", text).split(None, 1)
    return bool(words) and words[0].lower() in ("select", "with", "insert", "update", "delete", "values", "merge")


def preparation(name, text):
    types = parameters(text)
    return f"prepare {name}{'(' + ', '.join(types) + ')' if types else ''} as\n{text.rstrip()};\n"


def read(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


def play(url, statements, tour):
    """Plays the tour in one session; returns what was answered, step by step, as (statement, text)."""
    script = "\\set VERBOSITY terse\n" + statements + tour
    command = ["psql", "-X", "-q", "-At", "-F", "|", "-P", "null=<null>", "-d", url]
    done = subprocess.run(command, input=script, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS_MAX, cwd="/",
                          env=servers.clean_environment())
    before, *steps = done.stdout.split(MARK)
    answers = [("prepare", before.strip())]
    for step in steps:
        name, _, answer = step.partition("\n")
        answers.append((name, answer.rstrip("\n")))
    return answers
