"""Where the repository's own files lie."""
import os

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GOLDEN = os.path.join(ROOT, "Tests", "Golden")
# The articles of the server, from the repository's top.
ARTICLES = os.path.join("Sources", "causeboard", "Causeboard.docc")


def document(path):
    """The text of a document, whose path starts at the repository's top."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def article(name):
    """The text of an article of the server, such as `Operating.md`."""
    return document(os.path.join(ARTICLES, name))
