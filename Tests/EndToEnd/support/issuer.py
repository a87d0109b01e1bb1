"""A sign-in provider of the tests' own: an issuer of OpenID Connect over https, and the network in which it is one.

The server asks public addresses only, and private ones that an operator allows, but never the machine itself. So the
process of the tests gets a network of its own, whose loopback interface also has private addresses, and files of its
own for the names of hosts and the authorities that are trusted."""
import base64
import contextlib
import ctypes
import hashlib
import hmac
import http.server
import json
import os
import shutil
import ssl
import subprocess
import tempfile
import threading
import time
import unittest

import certificates

ADDRESS = "10.9.8.7"            # of the issuer; --outgoing-allow names it
CLOSED = "10.9.8.8"             # an address that nobody allows
NETWORK = f"{ADDRESS}/32"
HOSTS = {
    "issuer.test": [ADDRESS], "slow.test": [ADDRESS], "large.test": [ADDRESS], "moved.test": [ADDRESS],
    "private.test": [CLOSED], "own.test": ["127.0.0.1"], "both.test": [ADDRESS, CLOSED], "other.test": [ADDRESS],
}
AUTHORITIES = "/etc/ssl/certs/ca-certificates.crt"
NEW_NETWORK, NEW_MOUNTS = 0x40000000, 0x00020000        # <sched.h>


def separate_network():
    """Gives this process, and those that it starts, the network of the module. Skips where that is not permitted."""
    for program in ("ip", "mount", "openssl"):
        if not shutil.which(program):
            raise unittest.SkipTest(f"there is no {program}")
    if not os.path.exists(AUTHORITIES):
        raise unittest.SkipTest(f"there is no {AUTHORITIES}")
    if ctypes.CDLL(None, use_errno=True).unshare(NEW_NETWORK | NEW_MOUNTS) != 0:
        raise unittest.SkipTest(f"no network of its own: {os.strerror(ctypes.get_errno())}")
    run("mount", "--make-rprivate", "/")
    run("ip", "link", "set", "lo", "up")
    for address in (ADDRESS, CLOSED):
        run("ip", "address", "add", f"{address}/32", "dev", "lo")
    folder = tempfile.mkdtemp(prefix="causeboard-issuer-")
    unittest.addModuleCleanup(shutil.rmtree, folder)
    certificate, key = os.path.join(folder, "issuer.pem"), os.path.join(folder, "issuer-key.pem")
    certificates.openssl(
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=issuer.test", "-keyout", key, "-out", certificate,
        "-addext", "subjectAltName=" + ",".join(f"DNS:{name}" for name in HOSTS if name != "other.test"))
    with open("/etc/hosts") as known, open(os.path.join(folder, "hosts"), "w") as hosts:
        hosts.write(known.read())
        for name, addresses in HOSTS.items():
            for address in addresses:
                hosts.write(f"{address} {name}\n")
    run("mount", "--bind", hosts.name, "/etc/hosts")
    run("mount", "--bind", certificate, AUTHORITIES)
    return folder, certificate, key


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise unittest.SkipTest(f"{' '.join(command)}: {done.stderr.strip()}")


def text(value):
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Key:
    """A key pair of an issuer, RSA of 2,048 bits."""

    def __init__(self, folder, name):
        self.name = name
        self.file = os.path.join(folder, f"{name}.pem")
        certificates.openssl("genrsa", "-out", self.file, "2048")
        told = subprocess.run(["openssl", "rsa", "-in", self.file, "-noout", "-modulus"], capture_output=True).stdout
        self.modulus = bytes.fromhex(told.decode().strip().partition("=")[2])
        self.public = subprocess.run(["openssl", "rsa", "-in", self.file, "-pubout"], capture_output=True).stdout

    @property
    def web(self):
        return {"kty": "RSA", "use": "sig", "alg": "RS256", "kid": self.name, "n": text(self.modulus), "e": "AQAB"}

    def sign(self, data):
        return subprocess.run(["openssl", "dgst", "-sha256", "-sign", self.file], input=data, capture_output=True,
                              check=True).stdout


def token(key, claims, **header):
    """An ID token that the key signs."""
    head = {"alg": "RS256", "kid": key.name, "typ": "JWT", **header}
    begin = f"{text(head)}.{text(claims)}"
    return f"{begin}.{text(key.sign(begin.encode()))}"


def unsigned(claims, **header):
    return f"{text({'alg': 'none', 'kid': 'first', **header})}.{text(claims)}."


def shared(key, claims):
    """Signed with the text of a public key, as if both sides shared it."""
    begin = f"{text({'alg': 'HS256', 'kid': key.name})}.{text(claims)}"
    return f"{begin}.{text(hmac.new(key.public, begin.encode(), hashlib.sha256).digest())}"


def claims(nonce, subject="117", issuer="https://issuer.test", audience="game", **more):
    now = int(time.time())
    made = {"iss": issuer, "aud": audience, "sub": subject, "iat": now, "exp": now + 600, "nonce": nonce,
            "email": "ada@example.org", "name": "Ada"}
    made.update(more)
    return {name: value for name, value in made.items() if value is not None}


class Issuer:
    """Answers at https://issuer.test/keys with the keys that it signs with at the time, and elsewhere with what a server
    must not take."""

    def __init__(self, folder, certificate, key):
        self.keys = [Key(folder, "first")]
        self.asked = []
        issuer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                host = self.headers["Host"].partition(":")[0]
                issuer.asked.append(f"{host}{self.path}")
                with contextlib.suppress(OSError):
                    issuer.answer(self, host)

            def log_message(self, *_):
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server = http.server.ThreadingHTTPServer((ADDRESS, 443), Handler, bind_and_activate=False)
        self.server.daemon_threads = True
        self.server.server_bind()
        self.server.server_activate()
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True, do_handshake_on_connect=False)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, handler, host):
        body = json.dumps({"keys": [key.web for key in self.keys]}).encode()
        if handler.path == "/.well-known/openid-configuration":
            body = json.dumps({"issuer": f"https://{host}", "jwks_uri": f"https://{host}/keys"}).encode()
        if host == "moved.test":
            handler.send_response(302)
            handler.send_header("Location", "https://issuer.test/keys")
            handler.send_header("Content-Length", "0")
            return handler.end_headers()
        if host == "large.test":
            body = body[:-1] + b" " * 70_000 + body[-1:]
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Cache-Control", "public, max-age=600")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        if host == "slow.test":
            for byte in body:
                handler.wfile.write(bytes([byte]))
                handler.wfile.flush()
                time.sleep(0.2)
        handler.wfile.write(body)

    def times_asked(self, what):
        return self.asked.count(what)

    def rotate(self, folder, name):
        """Signs with a new key from now on, and forgets the former ones."""
        self.keys = [Key(folder, name)]

    @property
    def key(self):
        return self.keys[-1]
