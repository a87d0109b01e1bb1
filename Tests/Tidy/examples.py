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
        ({"A.swift": f"a\n// {LONG}\n", "deploy/run": f"#!/usr/bin/env bash\n{LONG}\n"}, ["A.swift:2", "deploy/run:2"]),
        ({"A.sql": "é" * 120 + "\n", "A.md": LONG, "B.swift": f"// https://swift.org/{LONG}\n"}, []),
    ],
    "blanks": [
        ({"a.md": "a \nb\n", "b.swift": "a\n\tb\n", "c.py": "a", "d.py": "a\n\n"},
         ["a.md:1", "b.swift:2", "c.py:1", "d.py:3"]),
        ({"a.md": "a\n\n    b\n```\n\tc\n```\n", "b.swift": "", "c.gd": "func a():\n\tpass\n"}, []),
    ],
    "comment_fragments": [
        ({"A.swift": "a\n    /// Of the log.\n", "a.sql": "-- Of a day.\n"}, ["A.swift:2", "a.sql:1"]),
        ({"A.swift": "/// - Parameter a: Of the log.\n    ///   - b: Of the log.\n/// - Returns: Of it.\n"},
         ["A.swift:1", "A.swift:2", "A.swift:3"]),
        ({"A.swift": "/// Often. A number\n/// of rows.\n// One of the rows.\n///   - a: One of them.\n"}, []),
    ],
    "hostile_comparisons": [
        ({"Sources/HTTP/A.swift": 'a\nlet b = value.lowercased().contains("upgrade")\nb?.lowercased().hasPrefix(c)\n'},
         ["Sources/HTTP/A.swift:2", "Sources/HTTP/A.swift:3"]),
        ({"Sources/HTTP/A.swift": 'if request.headers[.origin] != "a" {}\nheaders[.expect]?.lowercased() == b\n'},
         ["Sources/HTTP/A.swift:1", "Sources/HTTP/A.swift:2"]),
        ({"Sources/HTTP/A.swift": '// headers[.origin] == "a"\nheaders[.origin] != nil && b.contains(a.lowercased())\n',
          "Sources/Pages/A.swift": 'a.lowercased().hasPrefix("b")\n'}, []),
    ],
    "symbol_links": [
        ({"Sources/A.swift": "/// ``Gone`` and ``A/b(c:)``, not ``A/gone(c:)``.\nstruct A { func b(c: Int) {} }\n"},
         ["Sources/A.swift:1", "Sources/A.swift:1"]),
        ({"Sources/A.swift": "/// As ``T`` does.\n", "Tests/T.swift": "struct T {}\n"}, ["Sources/A.swift:1"]),
        ({"Tests/T.swift": "/// As ``T`` and ``A``, `Gone` or // ``Gone``\n// ``Gone``\nstruct T {}\nlet Gone = 1\n",
          "Sources/A.swift": "enum A {}\n"}, []),
    ],
    "statement_headers": [
        ({"SQL/demo/a_b.sql": "select 1\n", "SQL/demo/c.sql": "--c: one.\nselect 1\n"},
         ["SQL/demo/a_b.sql:1", "SQL/demo/c.sql:1"]),
        ({"SQL/demo/a_b.sql": "-- a_b: one.\n-- Two\n-- $1 text three\n"}, ["SQL/demo/a_b.sql:3"]),
        ({"SQL/demo/a_b.sql": "-- a_b: one.\n-- $1 text two\n-- returns three: Int64,\n--   four: Int64\n"}, []),
        ({"SQL/demo/a_b.sql": "-- a_b: one.\n--\n-- $1 text two\n", "SQL/migrations/0002_c.sql": "create\n",
          "SQL/schema/1_d.sql": ""}, []),
    ],
    "parameters": [
        ({"SQL/demo/a.sql": "-- a: b.\n-- $2 text c\nselect $2\n"}, ["SQL/demo/a.sql:2", "SQL/demo/a.sql:1"]),
        ({"SQL/demo/a.sql": "-- a: b.\n-- $1 text c   $2 text d\nselect $1, '$2' -- $2\n"}, ["SQL/demo/a.sql:1"]),
        ({"SQL/demo/a.sql": "-- a: b.\n-- $1 text c   $2 int[] d, or null\nselect $2, $1, $1\n"}, []),
    ],
    "keywords": [
        ({"SQL/demo/a.sql": "select 1\nFROM a\n", "SQL/schema/1_a.sql": "Select 1\n", "deploy/a.sql": "WITH\n"},
         ["SQL/demo/a.sql:2", "SQL/schema/1_a.sql:1", "deploy/a.sql:1"]),
        ({"SQL/demo/a.sql": "select 'FROM', selectED -- FROM\n"}, []),
    ],
    "row_types": [
        ({"SQL/schema/1_a.sql": "create table a (\n);\ncreate function f(x a) returns int\n",
          "SQL/migrations/0002_b.sql": "alter table b add column c int;\nalter table a\n  add column c int;\n"},
         ["SQL/migrations/0002_b.sql:2"]),
        ({"SQL/schema/1_a.sql": "create table a (\n);\ncreate function f(x a) returns int\n",
          "SQL/migrations/0002_b.sql": "drop function f(a);\nalter table a add column c int;\n"}, []),
    ],
    "named_columns": [
        ({"SQL/demo/a.sql": "with b as (select * from c)\nselect d.* from b d\n",
          "SQL/demo/e.sql": "delete from a returning *\n"}, ["SQL/demo/a.sql:2", "SQL/demo/e.sql:1"]),
        ({"SQL/demo/a.sql": "with b as (select * from c)\nselect count(*), 2 * 3 from b\n"}, []),
    ],
    "one_query_each": [
        ({"SQL/demo/a_b.sql": "", "Tests/A.swift": "SQL.aB", "Sources/A.swift": "SQL.aBc"}, ["SQL/demo/a_b.sql:1"]),
        ({"SQL/demo/a_b.sql": "", "Sources/A.swift": "SQL.aB\n", "Sources/B.swift": "SQL.aB"}, ["SQL/demo/a_b.sql:1"]),
        ({"SQL/demo/a_b.sql": "-- a_b: one.\n-- returns nothing\n", "Sources/A.swift": "SQL.aB"},
         ["SQL/demo/a_b.sql:1"]),
        ({"SQL/demo/a_b.sql": "", "Sources/A.swift": "let sql = SQL.aB\n", "SQL/schema/1_a.sql": "",
          "SQL/demo/c.sql": "-- c: one.\n-- returns nothing\n"}, []),
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
        ({"README.md": "no table\n"}, ["Sources/causeboard/Causeboard.docc/Architecture.md:1"]),
        ({"README.md": TABLE + DOMAIN + "| `Feeds` | Domain | bytes |\n"}, []),
    ],
    "file_length": [
        ({"Tests/A.swift": "a\n" * 601, "deploy/a.py": "a\n" * 601, "Sources/A.swift": "a\n" * 601},
         ["Tests/A.swift:601", "deploy/a.py:601", "Sources/A.swift:601"]),
        ({"Tests/A.swift": "a\n" * 600, "Sources/A.swift": "a\n" * 600, "a.sql": "a\n" * 601}, []),
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
    "tests_beside_their_source": [
        ({"Tests/FooTests/ATests.swift": "", "Tests/FooTests/Y/BTests.swift": "", "Sources/Foo/X/A.swift": "",
          "Sources/Foo/B.swift": ""}, ["Tests/FooTests/ATests.swift:1", "Tests/FooTests/Y/BTests.swift:1"]),
        ({"Tests/FooTests/X/ATests.swift": "", "Tests/FooTests/WholeTests.swift": "", "Tests/FooTests/A.swift": "",
          "Tests/BarTests/ATests.swift": "", "Sources/Foo/X/A.swift": ""}, []),
    ],
    "imports": [
        ({"Sources/Domain/A.swift": "import Foundation\n@testable import Feeds\n",
          "Tests/FeedsTests/A.swift": "import Log\n"},
         ["Sources/Domain/A.swift:2", "Tests/FeedsTests/A.swift:1"]),
        ({"Sources/Feeds/A.swift": "package import struct Domain.Day\nimport Log\n// import Tool\n",
          "Tests/FeedsTests/A.swift": "@testable import Feeds\n", "deploy/bench/A.swift": "import Domain\n",
          "Tests/Other/A.swift": "import Tool\n"}, []),
    ],
    "tools_without_tests": [
        ({"deploy/a": "#!/usr/bin/env python3\nsys.path.insert(0, os.path.join(ROOT, \"Tests\"))\n",
          "deploy/b.py": "import os\n    from help import Help\n", "Tests/EndToEnd/support/help.py": ""},
         ["deploy/a:2", "deploy/b.py:2"]),
        ({"deploy/a.py": "import help\nfrom . import load\n", "deploy/lib/help.py": "",
          "Tests/EndToEnd/cases/test_a.py": "import help\n", "Tests/EndToEnd/support/load.py": ""}, []),
    ],
    "built_products": [
        ({"deploy/run": "#!/usr/bin/env bash\nswift build --product Gone\n",
          "deploy/a.py": "for product in (\"Tool\", \"Gone\"):\nbeside(\"Lost\")\n"},
         ["deploy/run:2", "deploy/a.py:1", "deploy/a.py:2"]),
        ({"deploy/a.py": "for product in (\"Tool\", \"Bench\"):\n    run([\"--product\", product])\n"}, []),
    ],
    "hosts": [
        ({"Package.swift": "a\nurl: \"https://mirror.invalid/a\"\n", "deploy/a.py": "https://nobody.test/b\n"},
         ["Package.swift:2", "deploy/a.py:1"]),
        ({"Package.swift": "https://github.com/a/b\n", "deploy/a.py": "http://127.0.0.1:80 http://www.swift.org/ {http://a.test}b\n",
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
