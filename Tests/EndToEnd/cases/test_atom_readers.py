"""A feed reader knows an Atom entry by its id: what is new has a new id, and no id comes to mean something else."""
import re
import xml.etree.ElementTree as ET

import client
import feeds
import v1
import v1_case
from server import until
from v1_case import V1Case


def setUpModule():
    v1_case.start("atomreaders")


class Reader:
    """Polls one feed, and remembers what each id was, as feed readers do."""

    def __init__(self, server, path):
        self.server, self.path, self.seen = server, path, {}

    def poll(self):
        """The titles that are new; a rank is no part of what an entry is."""
        body = client.get(self.server, self.path).body
        feeds.entries_atom(body)
        entries = {e.findtext(feeds.ATOM + "id"): re.sub(r"^\d+\. ", "", e.findtext(feeds.ATOM + "title"))
                   for e in ET.fromstring(body).findall(feeds.ATOM + "entry")}
        changed = {id for id in entries if id in self.seen and self.seen[id] != entries[id]}
        assert not changed, f"{self.path}: {[(self.seen[id], entries[id]) for id in changed]}"
        new = [entries[id] for id in entries if id not in self.seen]
        self.seen.update(entries)
        return new


class AtomReaders(V1Case):
    DONATIONS = ("/v1/donations.atom", "/v1/charities/red-cross/donations.atom")
    ROWS = ("/v1/charities/red-cross/top.atom?limit=100", "/v1/contributors/top.atom?limit=100",
            "/TopScores.atom")

    def readers(self, paths):
        readers = [Reader(self.server, path) for path in paths]
        for reader in readers:
            reader.poll()
        return readers

    def sees(self, readers, expected):
        """Each reader sees exactly one new entry; the title of a donation has its name."""
        for reader in readers:
            new = until(reader.poll, 30, f"a new entry of {reader.path}")
            self.assertEqual(new, [expected], reader.path)
            self.assertEqual(reader.poll(), [])

    def test_one_donation_more_is_one_entry_more(self):
        ada = self.player("Donor")
        ada.post("solo", 10_000)
        for points in range(1, 52):
            self.assertEqual(ada.donate("red-cross", points, anonymous=points % 3 == 0).status, 201)
        readers = self.readers(self.DONATIONS)
        self.assertEqual(ada.donate("red-cross", 777).status, 201)
        self.sees(readers, "Donor: 777")

    def test_anonymous_rows_are_entries_of_their_own(self):
        ada = self.player("Quiet")
        ada.post("solo", 1_000)
        for _ in range(5):
            self.assertEqual(ada.donate("red-cross", 3, anonymous=True).status, 201)
        readers = self.readers(self.ROWS)
        for points in (3, 900):     # one beside its equals, one above all
            self.assertEqual(ada.donate("red-cross", points, anonymous=True).status, 201)
            self.sees(readers, f"Anonymous: {points}")
        ids = [{id.rsplit("/", 1)[1].split("?")[0] for id, title in r.seen.items() if title.startswith("Anonymous")}
               for r in readers]
        for n, one in enumerate(ids):
            for other in ids[n + 1:]:
                self.assertFalse(one & other, "an anonymous row of one feed is found again in another one")

    def test_a_high_score_more_is_one_entry_more(self):
        players = [self.player(f"Champion {n}", game="default") for n in range(6)]
        for n, player in enumerate(players):
            self.assertEqual(v1.call(self.server, "PUT", v1_case.score(v1.new_id(), "default", "high-scores"),
                                     {"points": 100 + n}, who=player.token).status, 201)
        readers = self.readers(["/high_scores.atom"])
        v1.call(self.server, "PUT", v1_case.score(v1.new_id(), "default", "high-scores"), {"points": 5_000},
                who=players[0].token)
        self.sees(readers, "Champion 0: 5000")
