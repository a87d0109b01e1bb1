"""Rules about files and folders: how long, how many, where, and what they import."""
import posixpath
import re

from basics import rule

LINES_MAX = 600
FILES_IN_FOLDER_MAX = 12
TOP_LEVEL = {
    "Package.swift", "README.md", "LICENSE", "CONTRIBUTING.md", "CHANGELOG.md", "Clients", "SQL", "Sources", "Tests",
    "deploy"
}
TESTS_WITHOUT_MODULE = {"Tests/EndToEnd", "Tests/Fuzz", "Tests/Golden", "Tests/Tidy", "Tests/TestDice", "Tests/TestXML",
                        "Tests/TestDatabases", "Tests/Vectors"}
# What the toolchain and the system bring.
SYSTEM_MODULES = {"CoreGraphics", "CryptoKit", "Darwin", "Dispatch", "Foundation", "FoundationEssentials",
                  "FoundationNetworking", "FoundationXML", "Glibc", "ImageIO", "Security", "Swift",
                  "Synchronization", "Testing"}
IMPORT = re.compile(r"\s*(?:@\w+(?:\([^)]*\))? |package |public |private |internal |fileprivate )*import "
                    r"(?:(?:struct|class|enum|func|let|protocol|typealias|var) )?(\w+)")
PYTHON_IMPORT = re.compile(r"\s*(?:import|from) (\w+)")


@rule
def file_length(tree):
    for path, text in tree.of(".swift", ".py"):
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
def tests_beside_their_source(tree):
    """XTests.swift lies in the tests where X.swift lies in the module."""
    sources = {}
    for path, _ in tree.of(".swift", under="Sources/"):
        _, module, *folders, name = path.split("/")
        sources.setdefault((module, name), set()).add("/".join(folders))
    for path, _ in tree.of(".swift", under="Tests/"):
        _, module, *folders, name = path.split("/")
        key = (module.removesuffix("Tests"), name.removesuffix("Tests.swift") + ".swift")
        if not name.endswith("Tests.swift") or key not in sources or "/".join(folders) in sources[key]:
            continue
        wanted = sorted(sources[key])[0] or "the top folder of its module"
        yield f"{path}:1: move the test to {wanted}, where {key[1]} is"


@rule
def imports(tree):
    """Files import only the modules that their target in Package.swift names. SwiftPM has a check of its own, which
    starts a process for each file."""
    targets = [target for target in tree.manifest()["targets"] if target["type"] in ("regular", "executable", "test")]
    folders = {}
    for target in targets:
        folder = target.get("path") or ("Tests/" if target["type"] == "test" else "Sources/") + target["name"]
        known = {names[0] for dependency in target["dependencies"] for kind, names in dependency.items()
                 if kind in ("byName", "product", "target")}
        folders[folder.rstrip("/") + "/"] = known | SYSTEM_MODULES
    for path, text in tree.of(".swift"):
        folder = max((folder for folder in folders if path.startswith(folder)), key=len, default=None)
        if folder is None or path.startswith("Tests/Fuzz/"):        # libFuzzer is no dependency
            continue
        for number, line in enumerate(text.splitlines(), 1):
            found = IMPORT.match(line)
            if found and found[1] not in folders[folder]:
                yield f"{path}:{number}: name {found[1]} among the dependencies of the target in Package.swift"


@rule
def tools_without_tests(tree):
    """What tools and end-to-end tests share lies in deploy/lib, and tests import it from there."""
    def modules(under):
        return {posixpath.basename(path).removesuffix(".py") for path, _ in tree.of(".py", under=under)}
    of_tests = modules("Tests/") - modules("deploy/")
    for path, number, line in tree.lines(".py", under="deploy/"):
        found = PYTHON_IMPORT.match(line)
        if found and found[1] in of_tests or "sys.path" in line and "Tests" in line:
            yield f"{path}:{number}: move what the tool needs from Tests to deploy/lib"
