"""What happens to a cluster: planned, and not."""
import base64
import json
import os
import signal
import urllib.request

from .programs import KitError


def switch(cluster):
    """Hands the lock to a synchronous standby, as before work on a machine. Returns the former primary."""
    primary = _primary(cluster)
    wanted = next((n for n, m in cluster.state().items() if m["role"] == "sync_standby"), None)
    if wanted is None:
        raise KitError("No standby is synchronous yet, so none may take over: see status.")
    # Patroni answers when it is done.
    request = _order(cluster, primary, "POST", "switchover", {"leader": primary, "candidate": wanted})
    try:
        with urllib.request.urlopen(request, timeout=60):
            return primary
    except OSError as e:
        raise KitError(f"Patroni refused to switch over: {e}") from None


def kill_primary(cluster):
    """Kills the primary's PostgreSQL; its Patroni gives the lock away. Returns the former primary."""
    primary = _primary(cluster)
    _kill_postgres(cluster, primary)
    return primary


def kill_machine(cluster):
    """Kills all that runs on the primary's machine at once. Returns the former primary."""
    primary = _primary(cluster)
    for kind in ("patroni", "causeboard", "etcd"):
        if kind in cluster.programs[primary]:
            cluster.program(primary, kind).send(signal.SIGKILL)
    _kill_postgres(cluster, primary)
    return primary


def cut_network(cluster):
    """Cuts the primary's machine off. Returns the former primary."""
    primary = _primary(cluster)
    cluster.network.cut(primary)
    return primary


def abandon(cluster):
    """Kills the Patroni of the primary and leaves its PostgreSQL running: a primary that nobody stops when another one
    has taken its place. Returns the former primary."""
    primary = _primary(cluster)
    cluster.program(primary, "patroni").kill()
    return primary


def set_synchronous(cluster, is_on):
    """Whether a commit waits for a standby."""
    node = _primary(cluster)
    request = _order(cluster, node, "PATCH", "config", {"synchronous_mode": is_on})
    with urllib.request.urlopen(request, timeout=10):
        pass


def mend(cluster):
    """Brings back what does not run or cannot be reached."""
    for node in cluster.nodes:
        if cluster.network.can_cut:
            cluster.network.heal(node)
        if "etcd" in cluster.programs[node]:
            cluster.start_etcd(node)
        cluster.start_patroni(node)
        cluster.start_server(node)
    cluster.start_haproxy()


def _order(cluster, node, method, path, what):
    """A request that changes something, which Patroni takes only with its password."""
    word = base64.b64encode(f"patroni:{cluster.plan['passwords']['restapi_password']}".encode()).decode()
    return urllib.request.Request(f"http://{cluster.address(node)}:8008/{path}", method=method,
                                  data=json.dumps(what).encode(), headers={"Authorization": f"Basic {word}"})


def _primary(cluster):
    found = cluster.primary()
    if found is None:
        raise KitError("There is no primary at present: see status.")
    return found


def _kill_postgres(cluster, node):
    pid = cluster.postmaster(node)
    if pid is None:
        raise KitError(f"The PostgreSQL of {node} does not run.")
    # With the postmaster its children have to go, or they would go on writing until they notice.
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        children = [int(child) for child in file.read().split()]
    for each in (pid, *children):
        try:
            os.kill(each, signal.SIGKILL)
        except ProcessLookupError:
            continue
