"""The network of a cluster on one machine: a namespace for each node, so that its network can be cut, or the machine's
own loopback. All addresses are of 127.0.0.0/8 either way, so nothing leaves the machine."""
import os
import subprocess

FRONT = "front"


class NetworkError(Exception):
    """What is wrong with the machine, as a sentence."""


def ip(*arguments):
    done = subprocess.run(["ip", *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=30)
    if done.returncode != 0:
        raise NetworkError(f"ip {' '.join(arguments)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def addresses(prefix, nodes):
    """The address of each node and of the front, such as 127.0.77.11, 127.0.77.12 and 127.0.77.1."""
    return {FRONT: f"{prefix}.1"} | {f"node{n}": f"{prefix}.{10 + n}" for n in range(1, nodes + 1)}


class Loopback:
    """Every address of 127.0.0.0/8 is there without doing anything, and cannot be cut off."""
    can_cut = False

    def __init__(self, prefix, nodes):
        self.addresses = addresses(prefix, nodes)

    def up(self):
        pass

    def down(self):
        pass

    def inside(self, _):
        """What a command begins with to run on a node."""
        return []

    def cut(self, _):
        raise NetworkError("A network can be cut only in namespaces: start the cluster as root, with --namespaces.")

    heal = cut

    def is_cut(self, _):
        return False


class Namespaces:
    """A namespace for each node and one for clients, which has the switch that joins them."""
    can_cut = True

    def __init__(self, prefix, nodes):
        self.prefix = prefix
        self.addresses = addresses(prefix, nodes)

    def name(self, node):
        return f"causeboard-{self.prefix}-{node}"

    def up(self):
        self.down()
        for node in self.addresses:
            name = self.name(node)
            ip("netns", "add", name)
            ip("-n", name, "link", "set", "lo", "up")
            # The whole of 127.0.0.0/8 is the loopback's by default; here it is a network of several machines.
            ip("-n", name, "addr", "del", "127.0.0.1/8", "dev", "lo")
            ip("-n", name, "addr", "add", "127.0.0.1/32", "dev", "lo")
            self.allow_loopback_addresses(name)
        front = self.name(FRONT)
        ip("-n", front, "link", "add", "switch", "type", "bridge")
        ip("-n", front, "addr", "add", f"{self.addresses[FRONT]}/24", "dev", "switch")
        ip("-n", front, "link", "set", "switch", "up")
        for node, address in self.addresses.items():
            if node == FRONT:
                continue
            ip("-n", front, "link", "add", node, "type", "veth", "peer", "name", "eth0", "netns", self.name(node))
            ip("-n", front, "link", "set", node, "master", "switch", "up")
            ip("-n", self.name(node), "addr", "add", f"{address}/24", "dev", "eth0")
            ip("-n", self.name(node), "link", "set", "eth0", "up")

    def allow_loopback_addresses(self, name):
        """Lets packets to 127.0.0.0/8 leave a namespace. What is created later inherits the default."""
        settings = "/proc/sys/net/ipv4/conf"
        script = f"echo 1 > {settings}/all/route_localnet; echo 1 > {settings}/default/route_localnet"
        done = subprocess.run(["ip", "netns", "exec", name, "sh", "-c", script], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=30)
        if done.returncode != 0:
            raise NetworkError(f"route_localnet cannot be set: {done.stderr.strip()}")

    def down(self):
        there = {line.split()[0] for line in ip("netns", "list").splitlines() if line.strip()}
        for node in self.addresses:
            if self.name(node) in there:
                ip("netns", "del", self.name(node))

    def inside(self, node):
        return ["ip", "netns", "exec", self.name(node)]

    def cut(self, node):
        """Drops everything between a node and the others; what runs on it still reaches itself."""
        ip("-n", self.name(FRONT), "link", "set", node, "down")

    def heal(self, node):
        ip("-n", self.name(FRONT), "link", "set", node, "up")

    def is_cut(self, node):
        return "state DOWN" in ip("-n", self.name(FRONT), "link", "show", node)


def supports_namespaces():
    """Whether this process may make network namespaces here."""
    if os.geteuid() != 0:
        return False
    name = f"causeboard-probe-{os.getpid()}"
    try:
        ip("netns", "add", name)
        ip("netns", "del", name)
        return True
    except (NetworkError, OSError):
        return False
