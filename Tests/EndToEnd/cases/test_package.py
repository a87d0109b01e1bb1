"""The Debian package of this program: what it holds, and that its unit, manual page, completions and settings are what
other programs can read. `deploy/package test` installs it."""
import argparse
import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import repository
import server as servers
from server import clean_environment

sys.path.append(os.path.join(repository.ROOT, "deploy"))

from installation import deb, manual  # noqa: E402

EXPOSURE_MAX = 20       # tenths, as `systemd-analyze security` counts them: 0 is closed, 100 open
MODES = {
    "usr/bin/causeboard": "-rwxr-xr-x", "lib/systemd/system/causeboard.service": "-rw-r--r--",
    "etc/causeboard/causeboard.conf": "-rw-r--r--", "usr/lib/tmpfiles.d/causeboard.conf": "-rw-r--r--",
    "usr/share/man/man1/causeboard.1.gz": "-rw-r--r--", **{path: "-rw-r--r--" for path in deb.SHELLS.values()},
    **{f"usr/share/doc/causeboard/examples/{os.path.basename(path)}": "-rw-r--r--" for path in deb.EXAMPLES}
}


def run(*command, **more):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, **more)


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"there is no {program}")


class Previous(unittest.TestCase):
    """What `deploy/package test` upgrades from."""

    def test_it_is_the_commit_before_unless_another_one_is_asked_for(self):
        loader = importlib.machinery.SourceFileLoader("package_of", os.path.join(repository.ROOT, "deploy", "package"))
        package = importlib.util.module_from_spec(importlib.util.spec_from_loader("package_of", loader))
        loader.exec_module(package)
        asked = {"binary": "program", "previous": None, "previous_commit": None, "relabelled": False}
        folder = tempfile.mkdtemp(prefix="causeboard-previous-")
        self.addCleanup(shutil.rmtree, folder)
        with unittest.mock.patch.multiple(
                package, PACKAGES=folder, of_commit=lambda commit: f"of {commit}",
                commit_before=lambda: "HEAD~1", with_version=lambda path: path), \
                unittest.mock.patch.object(package.deb, "make", lambda binary, version, *_, **__: f"made {version}"):
            for change, older in (({}, "of HEAD~1"), ({"previous_commit": "abc"}, "of abc"),
                                  ({"previous": "a.deb"}, "a.deb"), ({"relabelled": True}, "made 0.0.1-1")):
                self.assertEqual(package.packages(argparse.Namespace(**asked | change))[0], older)


class Package(unittest.TestCase):
    """One package, and the tree that it unpacks to."""

    @classmethod
    def setUpClass(cls):
        if shutil.which("dpkg-deb") is None:
            raise unittest.SkipTest("there is no dpkg-deb")
        cls.folder = tempfile.mkdtemp(prefix="causeboard-package-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.archive = deb.make(servers.binary(), "1.2.3-1", cls.folder, compression="none")
        cls.tree = os.path.join(cls.folder, "unpacked")
        deb.run("dpkg-deb", "--raw-extract", cls.archive, cls.tree)

    def read(self, path):
        with open(os.path.join(self.tree, path), encoding="utf-8") as f:
            return f.read()

    def good(self, *command, **more):
        done = run(*command, **more)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), command)

    def test_its_files_are_root_s_and_have_their_modes(self):
        listed = {}
        for line in deb.run("dpkg-deb", "--contents", self.archive).splitlines():
            mode, owner, *_, path = line.split()
            self.assertEqual(owner, "root/root", line)
            listed[path.removeprefix("./")] = mode
        self.assertEqual({path: listed.get(path) for path in MODES}, MODES)
        self.assertEqual(self.read("DEBIAN/conffiles"), "/etc/causeboard/causeboard.conf\n")
        data = [path for path in listed if path.startswith(("var/", "run/"))]
        self.assertEqual(data, [], "data is not the package's")

    def test_its_control_fields(self):
        fields = dict(re.findall(r"^([A-Za-z-]+): (.*)$", self.read("DEBIAN/control"), re.M))
        self.assertEqual((fields["Package"], fields["Version"]), ("causeboard", "1.2.3-1"))
        for library in ("libc6", "libpq5", "libgd3"):
            self.assertIn(library, fields["Depends"])
        self.assertNotIn("@", self.read("DEBIAN/control").replace(fields["Maintainer"], ""))
        for script in deb.SCRIPTS:
            self.good("sh", "-n", os.path.join(self.tree, "DEBIAN", script))

    def test_a_start_that_fails_is_told_and_the_package_is_installed(self):
        """Everything that the script calls is a program of ours, and each directory one of ours."""
        folder = os.path.join(self.folder, "postinst")
        os.makedirs(os.path.join(folder, "systemd"))
        script = self.read("DEBIAN/postinst").replace("/run/systemd/system", os.path.join(folder, "systemd"))
        for path in ("/etc/causeboard/causeboard.conf", "/etc/causeboard", "/var/lib/causeboard",
                     "/run/causeboard-service"):
            script = script.replace(path, folder)
        for status, words in ((0, ""), (1, "did not start"), (124, "still starting")):
            for program in ("getent", "adduser", "chown", "chmod", "install", "dpkg-statoverride", "deb-systemd-helper",
                            "systemctl", "deb-systemd-invoke"):
                path = os.path.join(folder, program)
                with open(path, "w") as f:
                    f.write(f"#!/bin/sh\nexit {status if program == 'deb-systemd-invoke' else 0}\n")
                os.chmod(path, 0o755)
            done = run("sh", "-c", script, "postinst", "configure", "", env={"PATH": f"{folder}:{os.environ['PATH']}"})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, "")
            self.assertEqual(words in done.stderr and bool(done.stderr), bool(words), done.stderr)

    def test_its_version_is_the_program_s(self):
        said = run(servers.binary(), "--version").stdout.strip()
        self.assertEqual(said, deb.program_version())
        self.assertTrue(deb.package_version().startswith(said), deb.package_version())

    def test_versions_of_commits_are_older_than_the_release_and_grow(self):
        for older, newer in (("0.1.0~9.gfffffff-1", "0.1.0~10.g0000000-1"), ("0.1.0~10.gfffffff-1", "0.1.0-1")):
            self.good("dpkg", "--compare-versions", older, "lt", newer)

    def test_its_settings_are_some_that_the_server_knows(self):
        """Also those that wait behind a # for an operator."""
        text = re.sub(r"^#([A-Z_]+=)", r"\1", self.read("etc/causeboard/causeboard.conf"), flags=re.M)
        self.assertIn("DATABASE_URL=", text)
        path = os.path.join(self.folder, "settings")
        with open(path, "w") as f:
            f.write(text.replace("PORT=8080", f"PORT={servers.free_port()}"))
        done = run(servers.binary(), "healthy", "--settings", path, env=clean_environment())
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not answer", done.stderr)

    def test_its_paths_are_those_of_the_program(self):
        program = deb.source("Sources/causeboard/Settings/InstalledService.swift")
        unit = self.read("lib/systemd/system/causeboard.service")
        self.assertIn('"/var/lib/causeboard"', program)
        self.assertIn("\nStateDirectory=causeboard\n", unit)
        for path in ("/etc/causeboard/causeboard.conf", "/run/causeboard-service"):
            self.assertIn(f'"{path}"', program)
        self.assertIn("\nRuntimeDirectory=causeboard-service\n", unit)
        self.assertIn("/run/causeboard-service 0700 causeboard", self.read("usr/lib/tmpfiles.d/causeboard.conf"))

    @needs("systemd-analyze")
    def test_its_unit_is_sound_and_closed(self):
        unit = os.path.join(self.folder, "causeboard.service")
        with open(unit, "w") as f:
            f.write(self.read("lib/systemd/system/causeboard.service").replace("/usr/bin/causeboard", servers.binary()))
        done = run("systemd-analyze", "verify", "--man=no", unit)
        self.assertEqual([line for line in done.stderr.splitlines() if "causeboard" in line], [])
        self.assertEqual(done.returncode, 0, done.stderr)
        done = run("systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSURE_MAX}", unit)
        self.assertEqual(done.returncode, 0, done.stdout[-300:])

    def test_its_manual_page_has_every_command_and_option(self):
        command = manual.dump(servers.binary())
        page = os.path.join(self.folder, "causeboard.1")
        with open(page, "w") as f:
            f.write(manual.page(command, "1.2.3", "November 23, 2026"))
        if shutil.which("mandoc"):
            self.good("mandoc", "-T", "lint", "-W", "warning", page)
            shown = run("mandoc", "-T", "utf8", page).stdout
            text = re.sub(r"\s+", " ", re.sub(r".\x08", "", shown))
        else:
            with open(page) as f:
                text = re.sub(r"\s+", " ", f.read().replace("\\-", "-"))
        leaves = list(manual.leaves(command))
        self.assertGreater(len(leaves), 20)
        for one, path in leaves:
            self.assertIn(" ".join(path), text)
            for argument in manual.arguments(one):
                for name in argument.get("names", []):
                    if name["kind"] == "long":
                        self.assertIn(("--" if shutil.which("mandoc") else "Fl -") + name["name"], text)

    def test_completions_complete(self):
        path = os.path.join(self.tree, deb.SHELLS["bash"])
        script = f". {path}; COMP_WORDS=(causeboard boa); COMP_CWORD=1; COMP_LINE='causeboard boa'; COMP_POINT=14; " \
            "_causeboard causeboard boa causeboard; printf '%s\\n' \"${COMPREPLY[@]}\""
        done = run("bash", "--norc", "-c", script)
        self.assertEqual([word.strip() for word in done.stdout.split()], ["board"], done.stderr)
        for shell in ("zsh", "fish"):
            if shutil.which(shell):
                self.good(shell, "-n", os.path.join(self.tree, deb.SHELLS[shell]))
