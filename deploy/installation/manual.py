"""The manual page causeboard(1) in mdoc(7), made of what the program itself says with --experimental-dump-help."""
import json
import re
import subprocess
import textwrap

SECTIONS_AFTER = r""".Sh ENVIRONMENT
An option that has a setting names it in capital letters.
The flag is taken in the first place, then the environment,
then the settings file.
.Sh FILES
.Bl -tag -width Ds
.It Pa /etc/causeboard/causeboard.conf
The settings of the service, and of every command that its user runs.
.It Pa /var/lib/causeboard
The embedded database and the secret.
Both have to be kept: without the secret no device is known again.
.It Pa /run/causeboard-service
The socket of the embedded database.
.It Pa /var/log/causeboard
The place for an access log.
.El
.Sh EXIT STATUS
0 when all went well, 64 when the command line is wrong,
and 1 when there was any other trouble.
Standard error says which.
"""


def dump(binary):
    """What the program says of itself."""
    done = subprocess.run([binary, "--experimental-dump-help"], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=60, check=True)
    return json.loads(done.stdout)["command"]


def escaped(text):
    """Plain text for roff: no character of it is an order, and a quote stays a quote."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga").replace("'", "\\(aq")
    return text.replace("^", "\\(ha").replace("~", "\\(ti")


def lines(text):
    """A sentence a line, as mdoc wants it, none of which begins with an order."""
    for paragraph in text.split("\n"):
        for sentence in re.split(r"(?<=[A-Za-z0-9)][.?!]) (?=[A-Z])", paragraph.strip()):
            for line in textwrap.wrap(escaped(sentence), 78, break_on_hyphens=False, break_long_words=False):
                yield re.sub(r"^([.])", r"\\&\1", line)


def word(text):
    """An argument of a macro, which may look like a macro itself."""
    text = escaped(text)
    if " " in text or '"' in text:
        return '"' + text.replace('"', '""') + '"'
    return re.sub(r"^([A-Z][a-z])$", r"\\&\1", text)


def spelled(argument):
    """How an option is written: its name, and its value if it takes one."""
    names = argument.get("names", [])
    value = argument.get("valueName", "")
    if argument["kind"] == "positional":
        return f"Ar {word(value)}" + (" ..." if argument["isRepeating"] else "")
    flags = " , ".join(f"Fl {word(('-' if name['kind'] == 'long' else '') + name['name'])}"
                       for name in sorted(names, key=lambda name: name["kind"] == "long"))
    return flags + (f" Ar {word(value)}" if argument["kind"] == "option" else "")


def arguments(command):
    return [argument for argument in command.get("arguments", [])
            if argument["shouldDisplay"] and argument["valueName"] not in ("help", "version")]


def options(shown):
    if not shown:
        return
    yield ".Bl -tag -width Ds"
    for argument in shown:
        yield ".It " + spelled(argument)
        words = argument.get("abstract", "")
        default = argument.get("defaultValue")
        yield from lines(words) if words else ["\\&"]
        values = argument.get("allValues")
        if values:
            yield from lines("One of " + ", ".join(values) + ".")
        if default is not None and argument["kind"] == "option":
            yield from lines(f"Without it: {default}.")
    yield ".El"


def leaves(command, path=()):
    """Each command that does something, with its names; `help` explains itself."""
    below = [one for one in command.get("subcommands", []) if one["shouldDisplay"] and one["commandName"] != "help"]
    if path and not below:
        yield command, path
    for one in below:
        yield from leaves(one, (*path, one["commandName"]))


def commands(all_commands):
    """The commands, and after them the options that most have, so that these stand in one place."""
    counts = {}
    for command, _ in all_commands:
        for argument in arguments(command):
            counts.setdefault(json.dumps(argument), []).append(command)
    common = {text for text, users in counts.items() if len(users) > len(all_commands) / 2}
    for command, path in all_commands:
        yield ".Ss " + escaped(" ".join(path))
        yield from lines(command.get("abstract", ""))
        yield from lines(command.get("discussion", ""))
        yield from options([argument for argument in arguments(command) if json.dumps(argument) not in common])
    yield ".Sh OPTIONS OF ALL COMMANDS"
    yield from lines("Commands that need no database take none of these.")
    yield from options([json.loads(text) for text in counts if text in common])


def page(command, version, date):
    """The whole page. `date` is one such as 'November 23, 2026'."""
    text = [
        f".Dd {date}", ".Dt CAUSEBOARD 1", f".Os causeboard {version}", ".Sh NAME", ".Nm causeboard",
        ".Nd leaderboard and charity-ranking server for games", ".Sh SYNOPSIS", ".Nm", ".Ar command", ".Op Ar options",
        ".Nm", ".Fl -version", ".Op Fl -packages", ".Nm", ".Ar command", ".Fl -help", ".Sh DESCRIPTION",
        *lines(command["abstract"]),
        *lines("Without a database URL the server makes, starts and watches a private PostgreSQL."),
        *lines("Where the package is installed, the service's user needs no option to find its database:"),
        ".Pp", ".Dl runuser \\-u causeboard \\-\\- causeboard audit", ".Sh COMMANDS", *commands(list(leaves(command))),
        *SECTIONS_AFTER.rstrip("\n").split("\n"),
    ]
    return "\n".join(text) + "\n"
