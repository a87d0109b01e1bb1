"""The rules. Each is a function from a Tree to findings; examples.py has what each must find and must leave alone."""
import fnmatch
import posixpath
import re

import retired_words as retired

COLUMNS_MAX = 120
LINES_MAX = 400
FILES_IN_FOLDER_MAX = 12

# Migrations are applied once and known by their checksum, so those that have been released stay as they are.
RELEASED_MIGRATION = re.compile(r"SQL/migrations/00(0[1-9]|1[0-2])_")
TOP_LEVEL = {
    "Package.swift", "README.md", "LICENSE", "CONTRIBUTING.md", "CHANGELOG.md", "SQL", "Sources", "Tests", "deploy"
}
TESTS_WITHOUT_MODULE = {"Tests/EndToEnd", "Tests/Golden", "Tests/Tidy", "Tests/TestDice", "Tests/TestDatabases"}
HOSTS = re.compile(r"(([\w-]+\.)*(github\.com|swift\.org|postgresql\.org)|localhost|127\.0\.0\.1|0\.0\.0\.0)$")
REPOSITORY_PATH = re.compile(r"(?<![\w./-])((?:Sources|SQL|Tests|deploy)/[\w./+*{},-]*)")

RULES = []


def is_released(path):
    return RELEASED_MIGRATION.match(path) is not None


def rule(function):
    RULES.append(function)
    return function


# -- lines


@rule
def line_width(tree):
    """Swift, SQL and scripts; a line with a long URL cannot be broken, and SQL/schema.sql is what pg_dump writes."""
    for path, number, line in tree.lines(".swift", ".sql", ".py", ".sh", ".lua"):
        if is_released(path) or path == "SQL/schema.sql" or "https://" in line:
            continue
        if len(line) > COLUMNS_MAX:
            yield f"{path}:{number}: break the line: it has {len(line)} columns, {COLUMNS_MAX} are the most"


@rule
def blanks(tree):
    """Tabs, blanks at the end of a line, and what a file ends with. Examples in documents may have the tabs of their
    language."""
    for path, text in sorted(tree.files.items()):
        outside = {number for number, _ in prose(text)} if path.endswith(".md") else None
        for number, line in enumerate(text.split("\n"), 1):
            if "\t" in line and (outside is None or number in outside):
                yield f"{path}:{number}: write spaces instead of the tab"
            if line != line.rstrip():
                yield f"{path}:{number}: remove the blanks at the end of the line"
        if text and (not text.endswith("\n") or text.endswith("\n\n")):
            yield f"{path}:{text.count(chr(10)) + 1}: end the file with one line break"


@rule
def comment_fragments(tree):
    """A comment that begins with "Of" is no sentence."""
    for path, number, line in tree.lines(".swift", ".sql", ".py", ".sh"):
        if not is_released(path) and re.match(r'\s*(///?|--|#|"""|- Parameter \w+:|- Returns:)\s*Of\s', line):
            yield f"{path}:{number}: write a sentence with a subject and a verb; a comment does not begin with \"Of\""


# -- statements


def statements(tree):
    for path, text in tree.of(".sql", under="SQL/"):
        if path.count("/") == 2 and not path.startswith("SQL/migrations/"):
            yield path, posixpath.basename(path)[:-len(".sql")], text


@rule
def statement_headers(tree):
    for path, name, text in statements(tree):
        if not re.match(rf"-- {name}: \S", text):
            yield f"{path}:1: begin the file with `-- {name}: ` and what the statement is for"


@rule
def dead_statements(tree):
    used = set()
    for _, text in tree.of(".swift", under="Sources/"):
        used.update(re.findall(r"\bSQL\.(\w+)", text))
    for path, name, _ in statements(tree):
        first, *others = name.split("_")
        constant = first + "".join(word[:1].upper() + word[1:] for word in others)
        if constant not in used:
            yield f"{path}:1: remove the statement, or use it: nothing in Sources mentions SQL.{constant}"


# -- documents


def documents(tree):
    for path, text in tree.of(".md"):
        if "/" not in path or path.startswith("Sources/causeboard/Causeboard.docc/"):
            yield path, text


def prose(text):
    """Pairs of number and line outside fenced code."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced:
            yield number, line


def anchors(text):
    """The fragments that headings make, as GitHub names them."""
    for _, line in prose(text):
        if heading := re.match(r"#+ +(.*)", line):
            yield re.sub(r"[^\w\- ]", "", heading[1].strip().lower()).replace(" ", "-")


@rule
def links(tree):
    """Relative links lead to a file of the repository and to a heading in it."""
    for path, text in documents(tree):
        folder = posixpath.dirname(path)
        for number, line in prose(text):
            for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
                if re.match(r"\w+:", target):
                    continue
                file, _, fragment = target.partition("#")
                file = posixpath.normpath(posixpath.join(folder, file)) if file else path
                if not tree.exists(file):
                    yield f"{path}:{number}: mend the link to {target}: there is no {file}"
                elif fragment and file in tree.files and fragment not in anchors(tree.files[file]):
                    yield f"{path}:{number}: mend the link to {target}: {file} has no such heading"
            for name in re.findall(r"<doc:([\w-]+)>", line):
                if not tree.exists(posixpath.join(folder, name + ".md")):
                    yield f"{path}:{number}: mend the link <doc:{name}>: there is no {name}.md beside the document"


def alternatives(path):
    """`a/{b,c}/d` is two paths."""
    if found := re.search(r"\{([^{}]*)\}", path):
        for part in found[1].split(","):
            yield from alternatives(path[:found.start()] + part + path[found.end():])
    else:
        yield path


def is_missing(tree, path):
    """Whether no file or folder has this path, which may have `*` in it; a word in capitals stands for a name."""
    if re.search(r"(^|/)[A-Z]{3,}($|/|\.\w+$)", path) or path.count("{") != path.count("}"):
        return False
    path = path.rstrip(".,/")
    if "*" in path:
        return not any(fnmatch.fnmatch(other, path) for other in tree.paths)
    return not tree.exists(path)


@rule
def paths_in_text(tree):
    """Paths of this repository that documents quote and comments mention."""
    for path, text in documents(tree):
        if path == "CHANGELOG.md":          # which tells of files that have gone
            continue
        for number, line in prose(text):
            for quoted in re.findall(r"`([^`]+)`", line):
                if found := REPOSITORY_PATH.match(quoted):
                    yield from missing_paths(tree, path, number, found[1])
    for path, number, line in tree.lines(".swift", ".py", ".sh"):
        comment = re.search(r"(//|#)\s.*", line)
        if comment and not path.startswith("Tests/Tidy/"):
            for found in REPOSITORY_PATH.findall(comment[0]):
                yield from missing_paths(tree, path, number, found)


def missing_paths(tree, path, number, found):
    for wanted in alternatives(found):
        if is_missing(tree, wanted):
            yield f"{path}:{number}: mend the path {wanted}: the repository has none"


@rule
def module_table(tree):
    """The table of modules is Package.swift's, as far as modules of our own go."""
    expected = {name: ", ".join(sorted(imports)) or "-" for name, imports in modules(tree.manifest())}
    tables = 0
    for path, text in documents(tree):
        lines = list(prose(text))
        for place, (number, line) in enumerate(lines):
            if not re.match(r"\| *module *\| *imports *\|", line):
                continue
            tables += 1
            shown = {}
            for row_number, row in lines[place + 2:]:
                if not row.startswith("|"):
                    break
                cells = [cell.strip() for cell in row.strip("|").split("|")]
                for name in re.findall(r"`(\w+)`", cells[0]):
                    shown[name] = ", ".join(sorted(re.findall(r"\w+", cells[1]))) or "-"
                    if name not in expected:
                        yield f"{path}:{row_number}: remove {name} from the table: Package.swift has no such module"
                    elif shown[name] != expected[name]:
                        yield f"{path}:{row_number}: {name} imports {expected[name]}, as Package.swift says"
            for name in sorted(expected.keys() - shown.keys()):
                yield f"{path}:{number}: add {name} to the table; it imports {expected[name]}"
    if tables != 1:
        yield f"README.md:1: keep one table of modules, `| module | imports |`; {tables} are there"


def modules(manifest):
    """Pairs of name and own imports of each module in Sources and SQL, but for the tools of build plugins."""
    targets = {target["name"]: target for target in manifest["targets"]}

    def own(target):
        names = {dependency["byName"][0] for dependency in target["dependencies"] if "byName" in dependency}
        return names & targets.keys()
    tools = {name for target in targets.values() if target["type"] == "plugin" for name in own(target)}
    for name, target in targets.items():
        if target["type"] in ("regular", "executable", "system") and name not in tools:
            if (target.get("path") or "Sources/").startswith(("Sources/", "SQL")):
                yield name, own(target)


# -- names


@rule
def retired_words(tree):
    """Words of retired_words.py; the change log and released migrations may say what was."""
    anywhere = words(retired.ANYWHERE)
    folders = re.compile(r"(?<![\w/])(" + "|".join(map(re.escape, retired.FOLDERS)) + r")\b")
    own = {".swift": (words(retired.IN_SWIFT), retired.IN_SWIFT), ".sql": (words(retired.IN_SQL), retired.IN_SQL)}
    for path, text in tree.of(".swift", ".sql", ".py", ".md", ".sh", ".lua"):
        if path == "CHANGELOG.md" or path.startswith("Tests/Tidy/") or is_released(path):
            continue
        ending = posixpath.splitext(path)[1]
        for number, line in enumerate([path, *text.split("\n")]):
            where = f"{path}:{max(number, 1)}"
            for word in dict.fromkeys(anywhere.findall(line)):
                yield f"{where}: write {retired.ANYWHERE[word]} instead of {word}"
            for word in dict.fromkeys(folders.findall(line)):
                yield f"{where}: write {retired.FOLDERS[word]} instead of {word}"
        if ending in own:
            pattern, table = own[ending]
            for number, line in enumerate(code(text, ending).split("\n"), 1):
                for word in dict.fromkeys(pattern.findall(line)):
                    yield f"{path}:{number}: write {table[word]} instead of {word}"


def words(table):
    return re.compile(r"(?<!\w)(" + "|".join(table) + r")(?!\w)")


def code(text, ending):
    """The text with comments and literals blanked, line by line."""
    def blank(found):
        return re.sub(r"[^\n]", " ", found[0])
    if ending == ".sql":
        return re.sub(r"--[^\n]*|'[^']*'", blank, text)
    return re.sub(r'//[^\n]*|#*"""[\s\S]*?"""#*|#*"(?:\\.|[^"\\\n])*"#*', blank, text)


# -- folders


@rule
def file_length(tree):
    for path, text in tree.of(".swift"):
        count = text.count("\n")
        if count > LINES_MAX:
            yield f"{path}:{LINES_MAX + 1}: divide the file by concepts: it has {count} lines, {LINES_MAX} are the most"


@rule
def folder_size(tree):
    """A module with more than a dozen files has folders in it."""
    counts = {}
    for path, _ in tree.of(".swift"):
        if path.startswith(("Sources/", "Tests/")):
            folder = posixpath.dirname(path)
            counts[folder] = counts.get(folder, 0) + 1
    for folder, count in sorted(counts.items()):
        if folder.count("/") == 1 and count > FILES_IN_FOLDER_MAX:
            most = f"{FILES_IN_FOLDER_MAX} beside each other are the most"
            yield f"{folder}:1: sort the {count} Swift files into folders: {most}"


@rule
def top_level(tree):
    for name in sorted({path.split("/")[0] for path in tree.paths}):
        if name not in TOP_LEVEL and not name.startswith(".") and name != "Package.resolved":
            yield f"{name}:1: move it: the top level holds {', '.join(sorted(TOP_LEVEL))} and dotfiles"


@rule
def tests_mirror_sources(tree):
    for folder in sorted({"/".join(path.split("/")[:2]) for path in tree.paths if path.startswith("Tests/")}):
        module = folder[len("Tests/"):].removesuffix("Tests")
        if folder not in TESTS_WITHOUT_MODULE and not tree.exists(f"Sources/{module}"):
            yield f"{folder}:1: name the folder for the module that it tests: there is no Sources/{module}"


@rule
def hosts(tree):
    """What the build and the scripts may speak to."""
    for path, number, line in tree.lines(".swift", ".sh", ".py", ".lua", ""):
        if path != "Package.swift" and not path.startswith(("deploy/", ".ci/")):
            continue
        for host in re.findall(r"\w+://(?:[^/@\s\"'`]*@)?([\w.-]+)", line):
            if not HOSTS.match(host):
                yield f"{path}:{number}: do not depend on {host}: name the project's own page, or let the reader choose"
