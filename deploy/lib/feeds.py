"""Reads feeds with parsers that have nothing to do with the server, and brings every format to the same (name, points)
rows."""
import csv
import html
import html.parser
import io
import json
import plistlib
import re
import subprocess
import xml.etree.ElementTree as ET
import xml.parsers.expat
import xml.sax
import xml.sax.handler

FORMATS = ("xml", "json", "plist", "csv", "atom", "html")
MEDIA = {
    "xml": {"application/xml", "text/xml"},
    "plist": {"application/x-plist", "application/xml", "text/xml"},
    "json": {"application/json"},
    "csv": {"text/csv"},
    "atom": {"application/atom+xml"},
    "html": {"text/html"},
}
ATOM = "{http://www.w3.org/2005/Atom}"
NAME_KEYS = ("name", "player_name")
POINTS_KEYS = ("points", "total_score")


# -- well-formedness, three ways

def expat(body):
    parser = xml.parsers.expat.ParserCreate()
    parser.Parse(body, True)


def xmllint(body):
    done = subprocess.run(["xmllint", "--nonet", "--noout", "-"], input=body, capture_output=True, timeout=30)
    assert done.returncode == 0, f"xmllint: {done.stderr.decode(errors='replace')[:500]}"


class Customers(xml.sax.handler.ContentHandler):
    """What the seed's XMLReader does: an object for each <customer> as it streams by."""

    def __init__(self):
        super().__init__()
        self.customers = []
        self.path = []
        self.text = ""

    def startElement(self, name, attributes):
        self.path.append(name)
        self.text = ""
        if name == "customer":
            self.customers.append({})
        if name == "points":
            assert attributes.get("type") == "integer", "points are not typed"

    def characters(self, content):
        self.text += content

    def endElement(self, name):
        self.path.pop()
        if self.path and self.path[-1] == "customer":
            self.customers[-1][name] = self.text
        self.text = ""


def sax(body, piece=7):
    """Streams a document through SAX in pieces that cut through tags, entities and characters; returns its
    <customer>s."""
    handler = Customers()
    parser = xml.sax.make_parser()
    parser.setFeature(xml.sax.handler.feature_external_ges, False)
    parser.setContentHandler(handler)
    for at in range(0, len(body), piece):
        parser.feed(body[at:at + piece])
    parser.close()
    return handler.customers


def well_formed(body):
    """Every XML reader at hand takes it."""
    body.decode("utf-8")
    expat(body)
    sax(body)
    xmllint(body)
    ET.fromstring(body)


# -- rows

def pick(row):
    name = next((row[k] for k in NAME_KEYS if k in row), None)
    points = next((row[k] for k in POINTS_KEYS if k in row), None)
    assert name is not None and points is not None, f"a row without name or points: {row!r}"
    return name, points


def listed(value):
    """The list of rows inside a JSON or plist document."""
    if isinstance(value, list):
        return value
    assert isinstance(value, dict), f"neither a list nor an object: {value!r}"
    if isinstance(value.get("rows"), list):
        return value["rows"]
    lists = [v for v in value.values() if isinstance(v, list)]
    assert len(lists) == 1, f"no rows in {sorted(value)}"
    return lists[0]


def rows_json(body):
    def once(pairs):
        keys = [k for k, _ in pairs]
        assert len(keys) == len(set(keys)), f"a key twice: {keys}"
        return dict(pairs)
    rows = [pick(r) for r in listed(json.loads(body.decode("utf-8"), object_pairs_hook=once))]
    assert all(type(p) is int for _, p in rows), "points that are no integers"
    return rows


def rows_plist(body):
    well_formed(body)
    rows = [pick(r) for r in listed(plistlib.loads(body, fmt=plistlib.FMT_XML))]
    assert all(type(p) is int for _, p in rows), "points that are no integers"
    return rows


def rows_xml(body):
    well_formed(body)
    root = ET.fromstring(body)
    if root.tag == "plist":
        return rows_plist(body)
    rows = []
    for element in root.iter():
        names = [c for c in element if c.tag.replace("-", "_") in NAME_KEYS]
        points = [c for c in element if c.tag.replace("-", "_") in POINTS_KEYS]
        if names and points:
            rows.append((names[0].text or "", int(points[0].text)))
    return rows


def table_csv(body):
    text = body.decode("utf-8")
    assert "\0" not in text
    rows = list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), strict=True))
    assert rows, "a CSV without a header"
    assert all(len(r) == len(rows[0]) for r in rows), f"rows of different lengths: {sorted({len(r) for r in rows})}"
    return [[plain_csv(cell) for cell in row] for row in rows]


def rows_csv(body):
    head, *rest = table_csv(body)
    head = [h.strip().lower().replace(" ", "_") for h in head]
    return [(name, int(points)) for name, points in (pick(dict(zip(head, r))) for r in rest)]


def entries_atom(body):
    """Checks what RFC 4287 requires; returns the text of every entry."""
    well_formed(body)
    root = ET.fromstring(body)
    assert root.tag == ATOM + "feed", root.tag
    stamp = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$")

    def required(element, what):
        for tag in ("id", "title", "updated"):
            found = element.findall(ATOM + tag)
            assert len(found) == 1 and (found[0].text or "").strip(), f"{what} has {len(found)} {tag}"
        updated, id = element.find(ATOM + "updated").text, element.find(ATOM + "id").text
        assert stamp.match(updated), f"{what}: updated is {updated}"
        assert re.match(r"[a-z][a-z0-9+.-]*:", id), f"{what}: id {id} is no IRI"
    required(root, "feed")
    entries = root.findall(ATOM + "entry")
    for entry in entries:
        required(entry, "entry")
        assert root.find(ATOM + "author") is not None or entry.find(
            ATOM + "author") is not None, "neither feed nor entry has an author"
        relations = [link.get("rel", "alternate") for link in entry.findall(ATOM + "link")]
        assert entry.find(ATOM + "content") is not None or "alternate" in relations, \
            "an entry without content needs an alternate link"
    for author in root.iter(ATOM + "author"):
        assert (author.findtext(ATOM + "name") or "").strip(), "an author without a name"
    ids = [e.findtext(ATOM + "id") for e in entries]
    assert len(ids) == len(set(ids)), "two entries share an id"
    return [list(t for t in e.itertext() if t.strip()) for e in entries]


class Table(html.parser.HTMLParser):
    """The cells of every table row, and whether what was opened was closed."""
    VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
    LEAVE_OPEN = {"p", "li", "tr", "td", "th", "thead", "tbody", "tfoot", "html", "head", "body", "dt", "dd", "option"}

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.rows = []
        self.open = []
        self.cell = None
        self.in_head = False
        self.scripts = 0
        self.title = None

    def handle_starttag(self, tag, attributes):
        names = [a for a, _ in attributes]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice"
        assert not any(a.startswith("on") for a in names), f"<{tag}> has an event handler"
        if tag == "script":
            self.scripts += 1
        if tag == "title":
            self.title = ""
        if tag in ("tr", "td", "th"):
            self.cell_ends()
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.cell = ""
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.VOID:
            return
        while self.open and self.open[-1] != tag and self.open[-1] in self.LEAVE_OPEN:
            self.open.pop()
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-1:]}"
        self.open.pop()
        if tag in ("td", "th", "tr", "table"):
            self.cell_ends()

    def cell_ends(self):
        if self.cell is not None and self.rows:
            self.rows[-1].append(self.cell)
        self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell += data
        if self.title == "":
            self.title = data


def rows_html(body):
    """The cells of each table row that has a number in a cell of its own, as [[text, …], …]."""
    text = body.decode("utf-8")
    assert text.lstrip().lower().startswith("<!doctype html>"), "no <!doctype html>"
    parser = Table()
    parser.feed(text)
    parser.close()
    assert not [t for t in parser.open if t not in Table.LEAVE_OPEN], f"never closed: {parser.open}"
    assert parser.title, "no title"
    return [r for r in parser.rows if len(r) > 1 and any(digits(c) is not None for c in r)]


READERS = {"xml": rows_xml, "json": rows_json, "plist": rows_plist, "csv": rows_csv}


def digits(text):
    """A number as people write it: 1,234 or 1 234 is 1234."""
    bare = re.sub(r"[\s,.'’\u00a0\u2009\u202f]", "", text)
    return int(bare) if re.fullmatch(r"-?\d+", bare) else None


def plain_csv(text):
    """A text of CSV without the apostrophes that keep spreadsheets from running it, as API.md tells programs to remove
    them."""
    return re.sub(r"((?:^|[;\t\r\n])[\s\"']*)'(?=[=+@＝＋－＠-])", r"\1", text)


def agree(suffix, body, expected):
    """Fails unless the feed shows exactly these (name, points) in this order; a name may be a set of allowed ones."""
    expected = [(n if isinstance(n, (set, frozenset)) else {n}, p) for n, p in expected]

    def wrong(number, seen):
        want = expected[number] if number < len(expected) else None
        raise AssertionError(f"{suffix}: row {number + 1} is {seen!r}, wanted {want!r}; in all {len(expected)} wanted")
    if suffix == "atom":
        entries = entries_atom(body)
        if len(entries) != len(expected):
            raise AssertionError(f"atom: {len(entries)} entries, wanted {len(expected)}")
        for i, (names, points) in enumerate(expected):
            text = "\n".join(entries[i])
            numbers = {int(n) for n in re.findall(r"\d+", re.sub(r"(?<=\d)[,\u00a0\u2009\u202f](?=\d{3})", "", text))}
            if not any(n in text or _plain(n) in _plain(text)
                       for n in names) or not (points in numbers or str(points) in text):
                wrong(i, entries[i])
        return
    if suffix == "html":
        rows = rows_html(body)
        if len(rows) != len(expected):
            raise AssertionError(f"html: {len(rows)} rows, wanted {len(expected)}")
        for i, (names, points) in enumerate(expected):
            cells = {c.strip() for c in rows[i]}
            if not any(n.strip() in cells or any(n in c for c in cells)
                       for n in names) or points not in {digits(c) for c in cells}:
                wrong(i, rows[i])
        return
    rows = READERS[suffix](body)
    for i, row in enumerate(rows):
        allowed = expected[i][0] if i < len(expected) else ()
        if i >= len(expected) or row[0] not in allowed or row[1] != expected[i][1]:
            wrong(i, row)
    if len(rows) < len(expected):
        wrong(len(rows), None)


def _plain(text):
    """Text as it reads after an HTML content element was unwrapped once."""
    return re.sub(r"\s+", " ", html.unescape(text)).strip()
