"""What each rule must find and what it must leave alone, in made-up files. A rule that cannot fail fails here."""
from rules import RULES
from tree import Tree

LONG = "x" * 121
TARGETS = [
    {"name": "Domain", "type": "regular", "dependencies": []},
    {"name": "Feeds", "type": "regular",
     "dependencies": [{"byName": ["Domain", None]}, {"product": ["Log", "log", None]}]},
    {"name": "Tool", "type": "executable", "path": "Sources/Tool", "dependencies": []},
    {"name": "Embed", "type": "plugin", "dependencies": [{"byName": ["Tool", None]}]},
    {"name": "Bench", "type": "executable", "path": "deploy/bench", "dependencies": [{"byName": ["Domain", None]}]},
    {"name": "FeedsTests", "type": "test", "dependencies": [{"byName": ["Feeds", None]}]},
]
TABLE = "| module | imports | what |\n|---|---|---|\n"
DOMAIN = "| `Domain` | - | values |\n"

# By rule: files, and where the findings are.
EXAMPLES = {
    "line_width": [
        ({"A.swift": f"a\n{LONG}\n", "deploy/run": f"#!/usr/bin/env bash\n{LONG}\n"}, ["A.swift:2", "deploy/run:2"]),
        ({"A.sql": "é" * 120 + "\n", "A.md": LONG, "B.swift": f"// https://swift.org/{LONG}\n"}, []),
        ({"SQL/migrations/0001_a.sql": LONG, "SQL/schema.sql": LONG}, []),
        ({"SQL/migrations/0013_a.sql": LONG}, ["SQL/migrations/0013_a.sql:1"]),
    ],
    "blanks": [
        ({"a.md": "a \nb\n", "b.swift": "a\n\tb\n", "c.py": "a", "d.py": "a\n\n"},
         ["a.md:1", "b.swift:2", "c.py:1", "d.py:3"]),
        ({"a.md": "a\n\n    b\n```\n\tc\n```\n", "b.swift": ""}, []),
    ],
    "comment_fragments": [
        ({"A.swift": "a\n    /// Of the log.\n", "a.sql": "-- Of a day.\n"}, ["A.swift:2", "a.sql:1"]),
        ({"A.swift": "/// Often. A number\n/// of rows.\n// One of the rows.\n"}, []),
    ],
    "statement_headers": [
        ({"SQL/demo/a_b.sql": "select 1\n", "SQL/demo/c.sql": "-- c:\nselect 1\n"},
         ["SQL/demo/a_b.sql:1", "SQL/demo/c.sql:1"]),
        ({"SQL/demo/a_b.sql": "-- a_b: one.\n", "SQL/migrations/0001_c.sql": "create\n", "SQL/schema.sql": ""}, []),
    ],
    "dead_statements": [
        ({"SQL/demo/a_b.sql": "", "Tests/A.swift": "SQL.aB", "Sources/A.swift": "SQL.aBc"}, ["SQL/demo/a_b.sql:1"]),
        ({"SQL/demo/a_b.sql": "", "Sources/A.swift": "let sql = SQL.aB\n", "SQL/schema.sql": ""}, []),
    ],
    "links": [
        ({"README.md": "# A\n[a](b.md) [b](README.md#c)\n<doc:D>\n"}, ["README.md:2", "README.md:2", "README.md:3"]),
        ({"README.md": "# The way, of a `row`\n[a](#the-way-of-a-row) [b](https://a.b/c) [c](deploy/) `[x](y)`\n"
                       "```\n[d](e)\n```\n", "deploy/run": ""}, []),
    ],
    "paths_in_text": [
        ({"README.md": "a\nSee `Sources/A/{B,C}.swift` and `deploy/no --all`.\n", "Sources/A/B.swift": ""},
         ["README.md:2", "README.md:2"]),
        ({"Sources/A.swift": "// See Tests/Gone.\n"}, ["Sources/A.swift:1"]),
        ({"README.md": "`Sources/A/*.swift`, `deploy/test --quick`, `SQL/AREA/NAME.sql`\n", "Sources/A/B.swift": "",
          "deploy/test": "", "CHANGELOG.md": "`Sources/Gone`\n"}, []),
    ],
    "module_table": [
        ({"README.md": TABLE + DOMAIN + "| `Feeds` | - | bytes |\n"}, ["README.md:4"]),
        ({"README.md": TABLE + DOMAIN + "| `Fees` | - | bytes |\n"}, ["README.md:4", "README.md:1"]),
        ({"README.md": "no table\n"}, ["README.md:1"]),
        ({"README.md": TABLE + DOMAIN + "| `Feeds` | Domain | bytes |\n"}, []),
    ],
    "retired_words": [
        ({"A.swift": "// An Intake\nlet a: Place\n", "a.sql": "select s0.a\n"}, ["A.swift:1", "A.swift:2", "a.sql:1"]),
        ({"Sources/Live/Doorbell.swift": "x\n"}, ["Sources/Live/Doorbell.swift:1", "Sources/Live/Doorbell.swift:1"]),
        ({"A.swift": "// Place it.\nlet a = \"Place\"\nlet b = myPlace(\"\"\"\n  Place\n  \"\"\")\n", "a.py": "Place\n",
          "CHANGELOG.md": "Intake\n", "SQL/migrations/0001_a.sql": "idless\n", "a.sql": "-- s0 's0'\n"}, []),
    ],
    "file_length": [
        ({"A.swift": "a\n" * 401}, ["A.swift:401"]),
        ({"A.swift": "a\n" * 400, "a.py": "a\n" * 401}, []),
    ],
    "folder_size": [
        ({f"Sources/A/{n}.swift": "" for n in range(13)}, ["Sources/A:1"]),
        ({f"Sources/A/{n}.swift": "" for n in range(12)} | {"Sources/A/B/1.swift": ""}, []),
    ],
    "top_level": [
        ({"notes.txt": "", "README.md": "", ".gitignore": "", "Sources/a": ""}, ["notes.txt:1"]),
        ({"README.md": "", "deploy/test": ""}, []),
    ],
    "tests_mirror_sources": [
        ({"Tests/FooTests/A.swift": "", "Sources/Food/A.swift": ""}, ["Tests/FooTests:1"]),
        ({"Tests/FooTests/A.swift": "", "Sources/Foo/A.swift": "", "Tests/EndToEnd/run": ""}, []),
    ],
    "hosts": [
        ({"Package.swift": "a\nurl: \"https://mirror.invalid/a\"\n", "deploy/a.py": "https://nobody.test/b\n"},
         ["Package.swift:2", "deploy/a.py:1"]),
        ({"Package.swift": "https://github.com/a/b\n", "deploy/a.py": "http://127.0.0.1:80 http://www.swift.org/\n",
          "Sources/A.swift": "https://nobody.test/\n"}, []),
    ],
}


def verdicts():
    """Pairs of what was expected and whether it came so."""
    for rule in RULES:
        name, examples = rule.__name__, EXAMPLES.get(rule.__name__, [])
        for files, expected in examples:
            tree = Tree(files, manifest={"targets": TARGETS})
            found = [":".join(finding.split(":")[:2]) for finding in rule(tree)]
            yield f"{name}: of {list(files)} it finds {found}, expected {expected}", sorted(found) == sorted(expected)
        if not any(expected for _, expected in examples):
            yield f"{name}: examples.py has nothing that it finds", False
