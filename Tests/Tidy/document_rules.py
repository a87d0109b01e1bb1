"""Rules about what documents, comments and scripts name: files, modules, products and hosts."""
import fnmatch
import posixpath
import re

from basics import prose, rule

HOSTS = re.compile(r"(([\w-]+\.)*(github\.com|swift\.org|postgresql\.org)|localhost|127\.0\.0\.1|0\.0\.0\.0)$")
ARCHITECTURE = "Sources/causeboard/Causeboard.docc/Architecture.md"
REPOSITORY_PATH = re.compile(r"(?<![\w./-])((?:Sources|SQL|Tests|deploy)/[\w./+*{},-]*)")


def documents(tree):
    for path, text in tree.of(".md"):
        if "/" not in path or path.startswith("Sources/causeboard/Causeboard.docc/"):
            yield path, text


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
        yield f"{ARCHITECTURE}:1: keep one table of modules, `| module | imports |`; {tables} are there"


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


@rule
def hosts(tree):
    """What the build and the scripts may speak to. An address behind a brace is the name of an XML namespace."""
    for path, number, line in tree.lines(".swift", ".sh", ".py", ".lua", ""):
        if path != "Package.swift" and not path.startswith(("deploy/", ".ci/")):
            continue
        for host in re.findall(r"(?<![{\w])\w+://(?:[^/@\s\"'`]*@)?([\w.-]+)", line):
            if not HOSTS.match(host):
                yield f"{path}:{number}: do not depend on {host}: name the project's own page, or let the reader choose"


@rule
def built_products(tree):
    """What the scripts build and run is a product or an executable of Package.swift."""
    manifest = tree.manifest()
    known = {product["name"] for product in manifest.get("products", [])}
    known.update(target["name"] for target in manifest["targets"] if target["type"] == "executable")
    for path, number, line in tree.lines(".py", ".sh", under="deploy/"):
        named = re.findall(r"""--product["',= ]+(\w+)""", line) + re.findall(r"""beside\(["'](\w+)""", line)
        if found := re.search(r"for product in \(([^)]*)\)", line):
            named += re.findall(r"\w+", found[1])
        for name in named:
            if name not in known and name != "product":
                yield f"{path}:{number}: mend the name {name}: Package.swift has no such product"
