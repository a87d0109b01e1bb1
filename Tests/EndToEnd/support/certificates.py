"""Certificates for tests, made with openssl as an administrator would."""
import http.client
import os
import shutil
import ssl
import subprocess

import server


def have_openssl():
    return shutil.which("openssl") is not None


def make(folder, name, days=30):
    """The files of a self-signed certificate for 127.0.0.1 and of its key. It has expired when `days` are negative."""
    certificate, key = os.path.join(folder, f"{name}.pem"), os.path.join(folder, f"{name}-key.pem")
    extensions = os.path.join(folder, f"{name}.cnf")
    with open(extensions, "w") as f:
        f.write("subjectAltName=IP:127.0.0.1\n")
    openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-subj", f"/CN={name}", "-keyout", key, "-out", f"{certificate}.request")
    # `req -x509` takes no negative number of days.
    openssl("x509", "-req", "-in", f"{certificate}.request", "-signkey", key, "-days", str(days),
            "-extfile", extensions, "-out", certificate)
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
