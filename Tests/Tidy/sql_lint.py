"""The rules that every SQL file keeps. Other checks prove what a statement does; this one reads its text only."""

import pathlib
import re

COLUMNS_MAX = 120
# Databases hold the checksums of these, so their text stays as it is.
MIGRATION_CHECKED_FROM = 12

KEYWORDS = frozenset(
    """
    add all alter analyze and any array as asc begin between by case cast check coalesce column conflict
    constraint copy create cross default delete desc distinct do drop else end except exists false filter for
    from full function generated grant group having if in index inner insert intersect into is join key language
    lateral left like limit lock materialized not null nulls offset on or order outer over partition primary
    references rename return returning returns revoke right row select set stable table then to true truncate
    union unique update using values view when where window with
    """.split()
)


def findings(root: pathlib.Path) -> list[str]:
    """What to change, as "path:line: what to change"; empty when all is well. `root` is the top of the repository."""
    statements = sorted(path for path in (root / "SQL").glob("*/*.sql") if path.parent.name != "migrations")
    migrations = sorted((root / "SQL/migrations").glob("*.sql"))
    migrations = [path for path in migrations if int(path.name[:4]) >= MIGRATION_CHECKED_FROM]
    benchmarks = sorted((root / "deploy").rglob("*.sql"))
    found = []
    for path in statements + migrations + benchmarks:
        name = path.relative_to(root)
        text = path.read_text(encoding="utf-8")
        rules = [_lines, _keywords]
        if path in statements:
            rules += [_header, _parameters, _outermost_star]
        found += [f"{name}:{line}: {change}" for rule in rules for line, change in rule(path.stem, text)]
    return found + _queries(root, statements)


def _lines(_: str, text: str):
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > COLUMNS_MAX:
            yield number, f"break the line: it has {len(line)} columns, {COLUMNS_MAX} are the most"
        if "\t" in line:
            yield number, "write spaces in place of the tab"
        if line != line.rstrip():
            yield number, "take the blanks away at the end of the line"
    if not text.endswith("\n") or text.endswith("\n\n"):
        yield text.count("\n") + 1, "end the file with one newline"


def _header(stem: str, text: str):
    first = text.split("\n", 1)[0]
    if not re.fullmatch(rf"-- {re.escape(stem)}: \S.*", first):
        yield 1, f"begin the file with `-- {stem}: ` and a sentence that says what it is for"
    prose = [line.strip("- ") for line in _header_lines(text) if "$" not in line and line.strip("- ")]
    if prose and not prose[-1].endswith("."):
        yield 1, "end the header's sentences with a full stop"


def _header_lines(text: str) -> list[str]:
    lines = text.split("\n")
    end = next((index for index, line in enumerate(lines) if not line.startswith("--")), len(lines))
    return lines[:end]


def _parameters(_: str, text: str):
    """As the contract test reads them: `$1 type what it is`, in the order of their numbers."""
    named = 0
    for number, line in enumerate(_header_lines(text), 1):
        for found in re.finditer(r"\$(\d+)(?: (\S+))?", line):
            if int(found[1]) == named + 1 and found[2]:
                named += 1
            elif line.startswith("-- $") and int(found[1]) > named:
                yield number, f"say what ${named + 1} is before ${found[1]}, each as `$n type what it is`"
    code = _code(text)
    used = {int(digits) for digits in re.findall(r"\$(\d+)", code)}
    for parameter in range(1, named + 1):
        if parameter not in used:
            yield 1, f"use ${parameter}, or take it away"
    for parameter in sorted(used):
        if parameter > named:
            yield 1, f"say in the header what ${parameter} is"


def _keywords(_: str, text: str):
    for number, line in enumerate(_code(text).split("\n"), 1):
        for word in re.findall(r"[A-Za-z_][A-Za-z_0-9]*", line):
            if word != word.lower() and word.lower() in KEYWORDS:
                yield number, f"write `{word.lower()}` in place of `{word}`"


def _outermost_star(_: str, text: str):
    """A select outside of all brackets answers the client, who decodes its columns in their order."""
    depth, code = 0, _code(text)
    for found in re.finditer(r"[()]|\bselect\b(?:\s+\w+\.\*|\s+\*)|\breturning\b(?:\s+\w+\.\*|\s+\*)", code):
        if found[0] == "(":
            depth += 1
        elif found[0] == ")":
            depth -= 1
        elif depth == 0:
            yield code.count("\n", 0, found.start()) + 1, "name the columns in place of `*`"


def _code(text: str) -> str:
    """The text with comments and quoted words blanked out, so that places and lines stay."""
    blank = re.compile(r"--[^\n]*|'(?:[^']|'')*'|\"[^\"]*\"")
    return blank.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def _queries(root: pathlib.Path, statements: list[pathlib.Path]) -> list[str]:
    """Each statement is the text of one query: the Swift constant of its name is said once."""
    swift = "\n".join(path.read_text(encoding="utf-8") for path in sorted((root / "Sources").rglob("*.swift")))
    said = re.findall(r"\bSQL\.([a-z]\w*)", swift)
    found = []
    for path in statements:
        first, *others = path.stem.split("_")
        constant = first + "".join(other[:1].upper() + other[1:] for other in others)
        if said.count(constant) != 1:
            uses = "no query uses" if said.count(constant) == 0 else f"{said.count(constant)} places use"
            found.append(f"{path.relative_to(root)}:1: {uses} SQL.{constant}; one query has this statement as its text")
    return found
