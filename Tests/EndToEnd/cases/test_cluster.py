"""A cluster with Patroni, etcd and HAProxy on the loopback: two databases and two servers, whose primary is killed,
handed over as planned, and left without its Patroni, while clients post and donate. deploy/cluster/drill does it
longer, and is run once where it can cut networks."""
import os
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
import unittest
import unittest.mock

import server as servers
from repository import ROOT
from seeds import SEED, load_pause, nightly

sys.path.insert(0, os.path.join(ROOT, "deploy", "cluster"))

from kit import checks  # noqa: E402
from kit import cluster as clusters  # noqa: E402
from kit import faults, probes, programs  # noqa: E402
from kit.network import FRONT, supports_namespaces  # noqa: E402
from kit.programs import until  # noqa: E402

HEAVY = True
SLOW = True

ELECTION_SECONDS_MAX = 60
DRILL_SECONDS_MAX = 900
cluster = folder = None


def setUpModule():
    global cluster, folder
    lacking = programs.missing()
    if lacking:
        raise unittest.SkipTest(f"there is no {', '.join(lacking)}: deploy/setup test installs what is missing")
    folder = servers.scratch("cluster")
    cluster = clusters.Cluster.make(folder, servers.binary(), nodes=2, namespaces=False)
    cluster.up()
    checks.prepare(cluster)


def tearDownModule():
    if cluster is not None:
        cluster.down()
        shutil.rmtree(folder, ignore_errors=True)


class FailOvers(unittest.TestCase):
    def test_nothing_is_lost_when_the_primary_is_killed_nor_when_it_hands_over(self):
        names = [*cluster.nodes, FRONT]
        with checks.Load(cluster, SEED, pause=load_pause(0.02)) as load:
            primaries = probes.Primaries(cluster)
            self.addCleanup(primaries.stop)
            for fault in (faults.kill_primary, faults.switch, faults.abandon):
                with self.subTest(fault=fault.__name__):
                    self.fail_over(fault, load, primaries, names)
            self.assertEqual(load.failures()[:3], [])
        cluster.verb("audit")

    def fail_over(self, fault, load, primaries, names):
        former = cluster.primary()
        began = time.time()
        primaries.watch(former, began)
        fault(cluster)
        until(lambda: primaries.found[0], ELECTION_SECONDS_MAX, "the other node is the primary")
        primary, elected = primaries.found
        for name in names:
            until(lambda name=name: load.probes[name].has_passed(elected), 60, f"posts go on at {name}")
        # A former primary that still runs takes no more posts, and no server goes on reading there.
        checks.nobody_is_left(cluster, former)
        if fault is faults.abandon:
            faults.mend(cluster)
        with load.quiet(names):
            checks.ranks_are_right(cluster, primary, names, SEED)
            self.assertEqual(checks.kept(cluster, primary, *load.acknowledged()), (0, 0), "lost, and doubled")
        checks.all_follow(cluster, primary, cluster.nodes)
        until(cluster.is_whole, 60, "the former primary follows, synchronously")

    @nightly
    def test_who_is_cut_off_loses_nothing(self):
        if not supports_namespaces():
            self.skipTest("network namespaces cannot be made here")
        folder = servers.scratch("drill")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        done = subprocess.run([os.path.join(ROOT, "deploy", "cluster", "drill"), "1", "--only", "cut-network",
                               "--pause", str(load_pause(0.02)), "--binary", servers.binary(),
                               "--dir", os.path.join(folder, "cluster")],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=DRILL_SECONDS_MAX)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_who_has_no_password_changes_nothing_through_patroni(self):
        node = cluster.primary()
        request = urllib.request.Request(f"http://{cluster.address(node)}:8008/config", method="PATCH", data=b"{}")
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request, timeout=10)
        self.assertEqual(refused.exception.code, 401)
        refused.exception.close()

    def test_no_password_is_an_argument(self):
        seen = []
        real = subprocess.run

        def run(command, **more):
            seen.append(command)
            return real(command, **more)
        with unittest.mock.patch.object(subprocess, "run", side_effect=run):
            cluster.psql("select 1")
            cluster.verb("audit")
        self.assertEqual(len(seen), 2)
        for word in cluster.plan["passwords"].values():
            self.assertNotIn(word, str(seen))


if __name__ == "__main__":
    unittest.main()
