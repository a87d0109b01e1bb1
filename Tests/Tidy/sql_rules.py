"""Rules about statements, of which only the text is read. Other tests prove what a statement does."""
import posixpath
import itertools
import re

from basics import code, rule

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


def statements(tree):
    """Triples of path, name and text; the schema and migrations are no statements."""
    for path, text in tree.of(".sql", under="SQL/"):
        if path.count("/") == 2 and not path.startswith(("SQL/schema/", "SQL/migrations/")):
            yield path, posixpath.basename(path)[:-len(".sql")], text


def header(text):
    """The lines of the comment that begins the file."""
    lines = text.split("\n")
    end = next((index for index, line in enumerate(lines) if not line.startswith("--")), len(lines))
    return lines[:end]


@rule
def statement_headers(tree):
    for path, name, text in statements(tree):
        if not re.match(rf"-- {name}: \S", text):
            yield f"{path}:1: begin the file with `-- {name}: ` and what the statement is for"
        lines = itertools.takewhile(lambda line: not line.startswith("-- returns "), header(text))
        sentences = [line.strip("- ") for line in lines if "$" not in line and line.strip("- ")]
        if sentences and not sentences[-1].endswith("."):
            yield f"{path}:{len(header(text))}: end the header's sentences with a full stop"


@rule
def parameters(tree):
    """As the contract test reads them: `$1 type what it is`, in the order of their numbers, and each is used."""
    for path, _, text in statements(tree):
        named = 0
        for number, line in enumerate(header(text), 1):
            for found in re.finditer(r"\$(\d+)(?: (\S+))?", line):
                if int(found[1]) == named + 1 and found[2]:
                    named += 1
                elif line.startswith("-- $") and int(found[1]) > named:
                    yield f"{path}:{number}: say what ${named + 1} is before ${found[1]}, each as `$n type what it is`"
        used = {int(digits) for digits in re.findall(r"\$(\d+)", code(text, ".sql"))}
        for parameter in sorted(set(range(1, named + 1)) - used):
            yield f"{path}:1: use ${parameter}, or remove it from the header"
        for parameter in sorted(used - set(range(1, named + 1))):
            yield f"{path}:1: say in the header what ${parameter} is"


@rule
def keywords(tree):
    for path, text in tree.of(".sql"):
        for number, line in enumerate(code(text, ".sql").split("\n"), 1):
            for word in re.findall(r"[A-Za-z_][A-Za-z_0-9]*", line):
                if word != word.lower() and word.lower() in KEYWORDS:
                    yield f"{path}:{number}: write `{word.lower()}` instead of `{word}`"


@rule
def named_columns(tree):
    """A select outside of all brackets answers the client, which decodes its columns in their order."""
    for path, _, text in statements(tree):
        depth, outer = 0, code(text, ".sql")
        for found in re.finditer(r"[()]|\bselect\b(?:\s+\w+\.\*|\s+\*)|\breturning\b(?:\s+\w+\.\*|\s+\*)", outer):
            if found[0] == "(":
                depth += 1
            elif found[0] == ")":
                depth -= 1
            elif depth == 0:
                yield f"{path}:{outer.count(chr(10), 0, found.start()) + 1}: name the columns instead of `*`"


@rule
def row_types(tree):
    """PostgreSQL 17 does not add a column to a table while a function with a body in SQL takes its rows."""
    takers = {}         # function: table
    for path, text in [*tree.of(".sql", under="SQL/schema/"), *tree.of(".sql", under="SQL/migrations/")]:
        text = code(text, ".sql")
        texts = "\n".join(text for _, text in tree.of(".sql", under="SQL/"))
        tables = "|".join(re.findall(r"(?m)^create table (\w+)", texts))
        step = (rf"create (?:or replace )?function (\w+)\([^)]*?\b\w+ ({tables or '-'})\b(?!\.)|drop function (\w+)"
                r"|alter table (\w+)\s+(?:add|drop|alter) column")
        for found in re.finditer(step, text):
            made, table, dropped, altered = found.groups()
            if made:
                takers[made] = table
            takers.pop(dropped, None)
            for name in sorted(name for name, table in takers.items() if table == altered):
                line = text.count("\n", 0, found.start()) + 1
                yield f"{path}:{line}: drop {name}() first, which takes rows of {altered}, and create it again"


@rule
def one_query_each(tree):
    """Each statement belongs to one query: its header has a `returns` line, or Sources use its constant once."""
    used = []
    for _, text in tree.of(".swift", under="Sources/"):
        used += re.findall(r"\bSQL\.([a-z]\w*)", text)
    for path, name, text in statements(tree):
        first, *others = name.split("_")
        constant = first + "".join(word[:1].upper() + word[1:] for word in others)
        count = used.count(constant) + ("\n-- returns " in text)
        if count != 1:
            yield f"{path}:1: let one query have the statement: {count} have SQL.{constant}"
