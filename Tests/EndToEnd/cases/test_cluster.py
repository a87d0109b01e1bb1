"""A cluster with Patroni, etcd and HAProxy on the loopback: two databases and two servers, whose primary is killed and
then handed over as planned, while clients post and give. deploy/cluster/drill does it longer, and cuts networks."""
import os
import shutil
import sys
import time
import unittest

import server as servers
from repository import ROOT
from seeds import SEED

sys.path.insert(0, os.path.join(ROOT, "deploy", "cluster"))

from kit import checks  # noqa: E402
from kit import cluster as clusters  # noqa: E402
from kit import faults, probes, programs  # noqa: E402
from kit.network import FRONT  # noqa: E402
from kit.programs import until  # noqa: E402

ELECTION_SECONDS_MAX = 60
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
        with checks.Load(cluster, SEED) as load:
            primaries = probes.Primaries(cluster)
            self.addCleanup(primaries.stop)
            for fault in (faults.kill_primary, faults.switch):
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
        with load.quiet(names):
            checks.ranks_are_right(cluster, primary, names, SEED)
            self.assertEqual(checks.kept(cluster, primary, *load.acknowledged()), (0, 0), "lost, and doubled")
        checks.all_follow(cluster, primary, cluster.nodes)
        until(cluster.is_whole, 60, "the former primary follows, synchronously")


if __name__ == "__main__":
    unittest.main()
