"""A release's migrations keep the release before it working: its statements say on the schema of now what they said on
their own. CONTRIBUTING says how they are recorded anew."""
import io
import json
import os
import re
import shutil
import subprocess
import tarfile
import unittest

import release
import repository
import server as servers
from postgres import Postgres

place = None


def setUpModule():
    global place
    place = Postgres("release").make().start()
    migrated("replayed")


def tearDownModule():
    place.crash()


def url(role, name):
    return f"host={place.home} user={role} dbname={name}"


def migrated(name):
    place.psql(f"create database {name}")
    done = subprocess.run([servers.binary(), "migrate", "--database-url", url("owner", name)], capture_output=True,
                          text=True, timeout=60, cwd="/", env=servers.clean_environment())
    assert done.returncode == 0, done.stderr


def played(name):
    return release.play(url("causeboard_server", name), release.read("statements.sql"), release.read("tour.sql"))


class Recorded(unittest.TestCase):
    """What is recorded is of a commit that is there, so that deploy/upgrade-drill can build it."""

    def git(self, *arguments, **more):
        return subprocess.run(["git", "-C", repository.ROOT, *arguments], stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=60, **more)

    def setUp(self):
        if not os.path.exists(os.path.join(repository.ROOT, ".git")) or shutil.which("git") is None:
            self.skipTest("this is no working copy of git")
        if self.git("rev-parse", "--is-shallow-repository").stdout.strip() != b"false":
            self.skipTest("this working copy does not have the commits of before")
        self.about = json.loads(release.read("release.json"))

    def test_its_commit_is_one_of_before_with_that_schema(self):
        commit = self.about["commit"]
        self.assertEqual(self.git("cat-file", "-e", f"{commit}^{{commit}}").returncode, 0, f"there is no {commit}")
        self.assertEqual(self.git("merge-base", "--is-ancestor", commit, "HEAD").returncode, 0)
        names = self.git("ls-tree", "--name-only", commit, "SQL/migrations/", text=True).stdout.split()
        self.assertEqual(max(int(os.path.basename(name)[:4]) for name in names), self.about["schema"])

    def test_its_statements_are_those_of_the_commit(self):
        done = self.git("archive", self.about["commit"], "SQL")
        self.assertEqual(done.returncode, 0, done.stderr)
        prepared = []
        with tarfile.open(fileobj=io.BytesIO(done.stdout)) as tree:
            for file in tree:
                folder, name = os.path.split(file.name)
                if name.endswith(".sql") and folder not in ("SQL", "SQL/migrations"):
                    text = tree.extractfile(file).read().decode()
                    if release.is_preparable(text):
                        prepared.append(release.preparation(name.removesuffix(".sql"), text))
        self.assertEqual(len("".join(prepared)), len(release.read("statements.sql")))
        for each in prepared:
            self.assertIn(each, release.read("statements.sql"))


class Release(unittest.TestCase):
    def test_its_servers_may_go_on(self):
        schema = json.loads(release.read("release.json"))["schema"]
        newest, since = place.psql("select max(number), max(compatible_since) from migration", "replayed").split("|")
        self.assertGreaterEqual(int(newest), schema)
        self.assertLessEqual(
            int(since), schema,
            f"a migration says that servers of schema {schema}, the last release, may not go on beside it. Expand now, "
            "and contract a release later.")

    def test_its_statements_say_what_they_said(self):
        expected = [tuple(json.loads(line)) for line in release.read("answers.jsonl").splitlines()]
        said = played("replayed")
        self.assertEqual([name for name, _ in said], [name for name, _ in expected])
        self.assertGreater(len(said), 1000)
        for step, ((name, answer), (_, wanted)) in enumerate(zip(said, expected)):
            if wanted == release.VARIES:
                self.assertNotIn("ERROR:", answer, f"step {step}, {name}")
            else:
                self.assertEqual(answer, wanted, f"step {step}, {name}")

    def test_the_tour_runs_nearly_all_of_them_and_notices_a_schema_that_does_not_fit(self):
        prepared = set(re.findall(r"^prepare (\w+)", release.read("statements.sql"), re.M))
        run = set(re.findall(r"^execute (\w+)", release.read("tour.sql"), re.M))
        self.assertLessEqual(run, prepared)
        self.assertGreater(len(run), len(prepared) * 3 // 4, sorted(prepared - run))
        migrated("contracted")
        place.psql("alter table donation add column new_one int not null", "contracted")
        self.assertIn('ERROR:  null value in column "new_one"', "\n".join(answer for _, answer in played("contracted")))


if __name__ == "__main__":
    unittest.main()
