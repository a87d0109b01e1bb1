"""Certificates for tests, made with openssl as an administrator would."""
import datetime
import http.client
import os
import shutil
import ssl
import subprocess

import server

AGE_DAYS = 60       # since when a certificate is valid
SETTINGS = """
[ca]
default_ca = issuer
[issuer]
database = {issued}/index
new_certs_dir = {issued}
rand_serial = yes
default_md = sha256
policy = subject
x509_extensions = extensions
[subject]
commonName = supplied
[extensions]
subjectAltName = IP:127.0.0.1, DNS:localhost
"""


def have_openssl():
    return shutil.which("openssl") is not None


def make(folder, name, days=30):
    """A self-signed certificate for this machine, and its key, as files. With negative `days` it has expired."""
    certificate, key = os.path.join(folder, f"{name}.pem"), os.path.join(folder, f"{name}-key.pem")
    issued = os.path.join(folder, f"{name}-issued")
    os.makedirs(issued, exist_ok=True)
    with open(os.path.join(issued, "index"), "w"), open(os.path.join(issued, "settings"), "w") as settings:
        settings.write(SETTINGS.format(issued=issued))
    openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-subj", f"/CN={name}", "-keyout", key, "-out", f"{certificate}.request")
    # Neither `req` nor `x509` of every OpenSSL makes a certificate that has ended already; `ca` does.
    now = datetime.datetime.now(datetime.timezone.utc)
    start, end = (f"{now + datetime.timedelta(days=n):%Y%m%d%H%M%SZ}" for n in (-AGE_DAYS, days))
    openssl("ca", "-batch", "-selfsign", "-notext", "-config", settings.name, "-in", f"{certificate}.request",
            "-keyfile", key, "-startdate", start, "-enddate", end, "-out", certificate)
    return certificate, key


def openssl(*arguments):
    done = subprocess.run(["openssl", *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise server.Refused(f"openssl {arguments[0]}: {done.stderr}")


def trusting(certificate, protocols=("http/1.1",)):
    """A client's settings that trust this certificate alone."""
    context = ssl.create_default_context(cafile=certificate)
    context.set_alpn_protocols(list(protocols))
    return context


def shown(port):
    """The certificate that the server shows to a new connection, in PEM."""
    return ssl.get_server_certificate(("127.0.0.1", port))


class TLSServer(server.Server):
    """A server whose port speaks TLS, with a plain port beside it."""

    def __init__(self, name):
        super().__init__(name, start=False)
        self.certificate = os.path.join(self.home, "certificate.pem")
        self.key = os.path.join(self.home, "key.pem")
        self.plain_port = server.free_port()

    def install(self, pair):
        """Puts another certificate and key where the server looks for them."""
        for source, target in zip(pair, (self.certificate, self.key)):
            shutil.copyfile(source, f"{target}.new")
            os.replace(f"{target}.new", target)

    def start(self, *arguments):
        return super().start("--tls-certificate", self.certificate, "--tls-key", self.key,
                             "--plain-port", str(self.plain_port), *arguments)

    def new_connection(self):
        return http.client.HTTPSConnection("127.0.0.1", self.port, timeout=5,
                                           context=ssl._create_unverified_context())
