"""The files of each machine of a cluster, filled in from the templates: the same for a cluster on one machine, which
is tried here, and for three."""
import os
import secrets

TEMPLATES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "templates")
NAMES = ("patroni.yml", "haproxy.cfg", "etcd.env", "causeboard.env")

# What a machine of its own has, and what a trial on one machine has instead.
REAL = {
    "home": "/var/lib/postgresql", "data": "/var/lib/postgresql/causeboard", "socket": "/var/run/postgresql",
    "etcd_data": "/var/lib/etcd/causeboard", "secret": "/etc/causeboard/secret", "bind": "*", "strict": "false",
    "connections": "200", "slot_keep": "16GB", "max_wal": "16GB", "shared_buffers": "1GB", "local_auth": "peer",
    "auth": "scram-sha-256", "bin": "/usr/lib/postgresql/15/bin"
}
TRIAL = REAL | {
    "connections": "150", "slot_keep": "2GB", "max_wal": "1GB", "shared_buffers": "64MB", "local_auth": "trust"
}


def fill(name, values):
    with open(os.path.join(TEMPLATES, name)) as file:
        text = file.read()
    for key, value in values.items():
        text = text.replace("{{" + key + "}}", value)
    if "{{" in text:
        raise ValueError(f"{name} has a gap that nothing fills: {text[text.index('{{'):][:40]}")
    return text


def passwords():
    names = ("superuser", "replicator", "rewinder", "restapi", "server", "stream")
    return {f"{name}_password": secrets.token_urlsafe(24) for name in names}


def values(machines, name, base, words, witnesses=None):
    """What fills in the templates of one machine.

    `machines` are addresses by name, `base` is REAL or TRIAL with changes, `words` the passwords, and `witnesses` the
    machines that have an etcd."""
    with_etcd = witnesses or list(machines)
    network = "127.0.0.0/8" if machines[name].startswith("127.") else machines[name].rpartition(".")[0] + ".0/24"
    return base | words | {
        "name": name,
        "address": machines[name],
        "network": network,
        "etcd_clients": ",".join(f"{machines[m]}:2379" for m in with_etcd),
        "etcd_members": ",".join(f"{m}=http://{machines[m]}:2380" for m in with_etcd),
        "proxies": ",".join(f"{address}/32" for address in machines.values()),
        "hosts": ",".join(f"{address}:5432" for address in machines.values()),
        "servers": "\n".join(f"    server {m} {a}:8080 check" for m, a in machines.items()),
        "databases": "\n".join(f"    server {m} {a}:5432 check port 8008" for m, a in machines.items()),
        "server_password": f":{words['server_password']}",
        "stream_password": f":{words['stream_password']}"
    }


def write(folder, filled, only=NAMES):
    """Writes the files of one machine. They have passwords, so nobody else may read them."""
    os.makedirs(folder, exist_ok=True)
    for name in only:
        path = os.path.join(folder, name)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(fill(name, filled))
        yield path


def settings(path):
    """The variables of a file for systemd."""
    with open(path) as file:
        lines = [line.strip() for line in file]
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
