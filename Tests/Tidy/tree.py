"""The files that the rules read: those of the repository, or made-up ones."""
import json
import os
import pathlib
import subprocess
import tempfile

# Answers of other servers, byte for byte: no rule applies to them.
CAPTURES = ("Tests/Fuzz/Corpus/", "Tests/Golden/", "Tests/HTTPTests/Exchanges/", "Tests/FeedsTests/Golden/")
SHELL_AND_PYTHON = ("#!/usr/bin/env bash", "#!/usr/bin/env python3")


class Tree:
    """Text by path, with `/` between folders and without captures.

    `manifest` is what `swift package dump-package` prints; `others` are paths of files that have no text."""

    def __init__(self, files, manifest=None, root=None, others=()):
        self.files = files
        self.paths = {*files, *others}
        self.root = root
        self._manifest = manifest

    @staticmethod
    def read(root):
        files, others = {}, []
        for path in _listed(root):
            try:
                text = (root / path).read_text(encoding="utf-8")
            except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
                text = None         # a picture, a dangling link, a file that git still lists
            if text is None or path.startswith(CAPTURES):
                others.append(path)
            else:
                files[path] = text
        return Tree(files, root=root, others=[path for path in others if (root / path).exists()])

    def manifest(self):
        if self._manifest is None:
            # A scratch path of its own, as a build that runs beside this holds the lock of the usual one.
            with tempfile.TemporaryDirectory() as scratch:
                dump = ["swift", "package", "--package-path", str(self.root), "--scratch-path", scratch, "dump-package"]
                done = subprocess.run(dump, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
            self._manifest = json.loads(done.stdout)
        return self._manifest

    def exists(self, path):
        """Whether a file or a folder of this path is there."""
        path = path.rstrip("/")
        return path in self.paths or any(other.startswith(path + "/") for other in self.paths)

    def of(self, *endings, under=""):
        """Pairs of path and text, by the path's ending; `.sh` and `.py` also stand for scripts without one."""
        for path, text in sorted(self.files.items()):
            ending = os.path.splitext(path)[1]
            if not ending:
                first = text.partition("\n")[0]
                ending = {SHELL_AND_PYTHON[0]: ".sh", SHELL_AND_PYTHON[1]: ".py"}.get(first, "")
            if ending in endings and path.startswith(under):
                yield path, text

    def lines(self, *endings, under=""):
        """Triples of path, number and line."""
        for path, text in self.of(*endings, under=under):
            for number, line in enumerate(text.split("\n"), 1):
                yield path, number, line


def _listed(root):
    """The files that git knows or would add; without git, all that are not hidden or built."""
    if (root / ".git").exists():
        asked = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        done = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode == 0:
            return sorted({path for path in done.stdout.split("\0") if path})
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith((".build", ".git", "__pycache__"))]
        found += [(pathlib.Path(folder) / name).relative_to(root).as_posix() for name in names]
    return sorted(found)
