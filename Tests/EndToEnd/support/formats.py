"""Readers of the formats in which a ranking comes: each gives the rows alike, as far as all formats can say them."""
import csv
import datetime
import html.parser
import io
import json
import plistlib
import re
import xml.etree.ElementTree as ET

import feeds


class Page(html.parser.HTMLParser):
    """A page's table by its headings, and its links by what they are for."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.heads, self.rows, self.pages, self.formats = [], [], {}, {}
        self.cell = None
        self.bold = None
        self.place = None

    def handle_starttag(self, tag, attributes):
        at = dict(attributes)
        if tag == "tr":
            self.place = self.heads if not self.heads else []
            if self.place is not self.heads:
                self.rows.append(self.place)
        if tag in ("td", "th") and self.place is not None:
            self.cell = {"text": "", "bdi": None, "img": "", "time": None}
            self.place.append(self.cell)
        if self.cell is not None and tag == "bdi":
            self.cell["bdi"] = ""
            self.bold = True
        if self.cell is not None and tag == "img":
            self.cell["img"] = at["src"]
        if self.cell is not None and tag == "time":
            self.cell["time"] = at["datetime"]
        if tag == "a" and at.get("rel") in ("next", "prev"):
            self.pages[at["rel"]] = at["href"]
        if tag in ("a", "link") and at.get("type"):
            self.formats.setdefault(at["type"], set()).add(at["href"])

    def handle_endtag(self, tag):
        if tag == "bdi":
            self.bold = None
        if tag in ("td", "th"):
            self.cell = None

    def handle_data(self, data):
        if self.cell is not None:
            self.cell["text"] += data
            if self.bold:
                self.cell["bdi"] += data

    def table(self):
        titles = [h["text"].lower() for h in self.heads]
        for row in self.rows:
            assert len(row) == len(titles), (titles, row)
            yield dict(zip(titles, row))


COLUMNS = ("rank", "among", "player", "slug", "name", "points", "contributors", "goal", "reached_at", "avatar")


def second(stamp):
    return re.sub(r"\.\d+", "", stamp) if stamp else None


def tidy(row):
    """A row as all formats can say it: absent is None, seconds only."""
    out = {k: row.get(k) for k in COLUMNS}
    out["reached_at"] = second(out["reached_at"])
    return {k: None if v == "" else v for k, v in out.items()}


def once(pairs):
    assert len(pairs) == len({k for k, _ in pairs}), f"a key twice: {pairs}"
    return dict(pairs)


def read_json(body):
    return [tidy(r) for r in json.loads(body.decode(), object_pairs_hook=once)["rows"]]


def read_xml(body):
    feeds.well_formed(body)
    root = ET.fromstring(body)
    assert root.get("type") == "array"
    rows = []
    for element in root:
        assert element.tag == {"standings": "standing", "contributors": "contributor", "charities": "charity"}[root.tag]
        tags = [c.tag for c in element]
        assert len(tags) == len(set(tags)), tags
        rows.append(
            tidy({
                c.tag.replace("-", "_"): int(c.text) if c.get("type") == "integer" and c.text else c.text or ""
                for c in element
            }))
    return rows


def read_plist(body):
    feeds.well_formed(body)
    rows = plistlib.loads(body, fmt=plistlib.FMT_XML)
    return [
        tidy({k: v.strftime("%Y-%m-%dT%H:%M:%SZ") if isinstance(v, datetime.datetime) else v for k, v in r.items()})
        for r in rows
    ]


def read_csv(body):
    lines = list(csv.reader(io.StringIO(body.decode().removeprefix("\ufeff"), newline=""), strict=True))
    head, rows = lines[0], []
    for line in lines[1:]:
        assert len(line) == len(head), line
        row = dict(zip(head, map(feeds.plain_csv, line)))
        rows.append(
            tidy({
                k: int(v) if k in ("rank", "among", "player", "points", "contributors", "goal") and v else v
                for k, v in row.items()
            }))
    return rows


READ = {"json": read_json, "xml": read_xml, "plist": read_plist, "csv": read_csv}
