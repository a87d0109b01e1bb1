"""What the rules share: their list, and how a text is read."""
import re

COLUMNS_MAX = 120
RULES = []


def rule(function):
    RULES.append(function)
    return function


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
