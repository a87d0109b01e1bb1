"""Rules about single lines: their width, their blanks, their comments and their words."""
import posixpath
import re

from basics import COLUMNS_MAX, code, prose, rule


@rule
def line_width(tree):
    """SQL, scripts and comments of Swift; a line with a long URL cannot be broken. The formatter breaks Swift's code,
    and counts characters as a person does."""
    for path, number, line in tree.lines(".swift", ".sql", ".py", ".sh", ".lua"):
        if path.endswith(".swift") and not line.lstrip().startswith("//"):
            continue
        if len(line) > COLUMNS_MAX and "https://" not in line:
            yield f"{path}:{number}: break the line: it has {len(line)} columns, {COLUMNS_MAX} are the most"


@rule
def blanks(tree):
    """Tabs, blanks at the end of a line, and what a file ends with. Examples in documents may have the tabs of their
    language, as GDScript has."""
    for path, text in sorted(tree.files.items()):
        outside = {number for number, _ in prose(text)} if path.endswith(".md") else None
        for number, line in enumerate(text.split("\n"), 1):
            if "\t" in line and not path.endswith(".gd") and (outside is None or number in outside):
                yield f"{path}:{number}: write spaces instead of the tab"
            if line != line.rstrip():
                yield f"{path}:{number}: remove the blanks at the end of the line"
        if text and (not text.endswith("\n") or text.endswith("\n\n")):
            yield f"{path}:{text.count(chr(10)) + 1}: end the file with one line break"


@rule
def comment_fragments(tree):
    """A comment that begins with "Of" is no sentence, nor is such an item of its list of parameters."""
    fragment = re.compile(r'\s*(///?|--|#|""")\s*(- (Parameter )?`?\w+`?:\s*)?Of\s')
    for path, number, line in tree.lines(".swift", ".sql", ".py", ".sh"):
        if fragment.match(line):
            yield f"{path}:{number}: write a sentence with a subject and a verb; a comment does not begin with \"Of\""


@rule
def hostile_comparisons(tree):
    """What clients write is compared by its bytes in HTTP and HTTPServer: comparing or searching a String whose
    combining marks are out of order takes time that grows with the square of their number. This finds the forms that
    headers were compared in before they were bounded."""
    wrong = re.compile(r"lowercased\(\)\s*\.(contains|hasPrefix|hasSuffix)\(|"
                       r"\bheaders\[[^\]]*\](\?\.lowercased\(\))?\s*[!=]=(?!\s*nil\b)")
    both = [*tree.of(".swift", under="Sources/HTTP/"), *tree.of(".swift", under="Sources/HTTPServer/")]
    for path, text in both:
        for number, line in enumerate(code(text, ".swift").split("\n"), 1):
            if wrong.search(line):
                yield f"{path}:{number}: compare the bytes, such as with isEqual(toLowercased:)"


@rule
def symbol_links(tree):
    """What a doc comment names between two backticks exists: in Sources, and for a comment in Tests also there."""
    known = {}
    for folder in ("Sources/", "Tests/"):
        known[folder] = set()
        for _, text in tree.of(".swift", under=folder):
            known[folder].update(re.findall(r"\w+", code(text, ".swift")))
    for path, number, line in tree.lines(".swift"):
        if not line.lstrip().startswith("///"):
            continue
        for link in re.findall(r"``([^`]+)``", line):
            name = re.split(r"[/.]", link.partition("(")[0])[-1]
            if name not in known["Sources/"] and not (path.startswith("Tests/") and name in known["Tests/"]):
                yield f"{path}:{number}: mend the link to {link}: nothing in Sources is named {name}"



def words(table):
    return re.compile(r"(?<!\w)(" + "|".join(table) + r")(?!\w)")
