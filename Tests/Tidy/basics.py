"""What the rules share: their list, which files are as they are, and how a text is read."""
import re

COLUMNS_MAX = 120
RULES = []

# Migrations are applied once and known by their checksum, so those that have been released stay as they are.
RELEASED_MIGRATION = re.compile(r"SQL/migrations/00(0[1-9]|1[01])_")


def rule(function):
    RULES.append(function)
    return function


def is_released(path):
    return RELEASED_MIGRATION.match(path) is not None


def prose(text):
    """Pairs of number and line outside fenced code."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced:
            yield number, line


def code(text, ending):
    """The text with comments and literals blanked, line by line."""
    def blank(found):
        return re.sub(r"[^\n]", " ", found[0])
    if ending == ".sql":
        return re.sub(r"--[^\n]*|'[^']*'", blank, text)
    return re.sub(r'//[^\n]*|#*"""[\s\S]*?"""#*|#*"(?:\\.|[^"\\\n])*"#*', blank, text)
