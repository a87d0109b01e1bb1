"""The Debian package: the tree that it installs, and the archive made of it."""
import gzip
import os
import re
import shutil
import subprocess
import time

from installation import manual

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
SCRIPTS = ("postinst", "prerm", "postrm")
SHELLS = {
    "bash": "usr/share/bash-completion/completions/causeboard",
    "zsh": "usr/share/zsh/vendor-completions/_causeboard",
    "fish": "usr/share/fish/vendor_completions.d/causeboard.fish",
}
EXAMPLES = ("deploy/proxy/nginx.conf", "deploy/proxy/Caddyfile", "deploy/proxy/nftables.conf", "deploy/Dockerfile",
            "deploy/compose.yaml")


def run(*command, **more):
    """Runs a program that has to succeed; returns what it printed."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def program_version():
    """The version in the API's document, where it has its one place."""
    return re.search(r"^  version: ([0-9][0-9.]*)$", source("Sources/HTTP/Contract/openapi.yaml"), re.M)[1]


def package_version():
    """The program's version on its tag; before it a version that is older than that and newer with each commit."""
    version = program_version()
    if not os.path.exists(os.path.join(ROOT, ".git")):
        return f"{version}-1"
    if f"v{version}" in run("git", "-C", ROOT, "tag", "--points-at", "HEAD").split():
        return f"{version}-1"
    count = run("git", "-C", ROOT, "rev-list", "--count", "HEAD").strip()
    return f"{version}~{count}.g{run('git', '-C', ROOT, 'rev-parse', '--short=10', 'HEAD').strip()}-1"


def build():
    """The program with Swift's own library inside it, so that the machine it goes to needs none."""
    command = ["swift", "build", "--package-path", ROOT, "-c", "release", "--product", "causeboard",
               "--static-swift-stdlib"]
    if subprocess.run(command, stdin=subprocess.DEVNULL, stdout=2).returncode != 0:
        raise SystemExit("the build failed, see above")
    return os.path.join(run(*command, "--show-bin-path").strip(), "causeboard")


def write(tree, path, text, mode=0o644):
    place = os.path.join(tree, path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode())
    os.chmod(place, mode)


def source(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def packed(text):
    """Text as gzip, the same bytes whenever it is made."""
    return gzip.compress(text.encode(), 9, mtime=0)


def fill(tree, binary, version):
    """Puts everything that is installed below `tree`."""
    moment = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    write(tree, "usr/bin/causeboard", b"")
    run("strip", "--strip-all", "--remove-section=.comment", "--remove-section=.note", "-o",
        os.path.join(tree, "usr/bin/causeboard"), binary)
    os.chmod(os.path.join(tree, "usr/bin/causeboard"), 0o755)
    write(tree, "lib/systemd/system/causeboard.service", source("deploy/systemd/causeboard.service"))
    write(tree, "usr/lib/tmpfiles.d/causeboard.conf", source("deploy/systemd/tmpfiles.conf"))
    write(tree, "etc/causeboard/causeboard.conf", source("deploy/debian/causeboard.conf"))
    month = time.strftime("%B %d, %Y", time.gmtime(moment)).replace(" 0", " ")
    page = manual.page(manual.dump(binary), program_version(), month)
    write(tree, "usr/share/man/man1/causeboard.1.gz", packed(page))
    for shell, path in SHELLS.items():
        # Shells read it; nobody runs it.
        write(tree, path, run(binary, "--generate-completion-script", shell).removeprefix("#!/bin/bash\n"))
    doc = "usr/share/doc/causeboard"
    write(tree, f"{doc}/copyright", source("deploy/debian/copyright").replace("@LICENCE@", source("LICENSE").strip()))
    write(tree, f"{doc}/changelog.gz", packed(source("CHANGELOG.md")))
    stamp = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(moment))
    write(tree, f"{doc}/changelog.Debian.gz", packed(
        f"causeboard ({version}) unstable; urgency=medium\n\n  * See changelog.gz for what has changed.\n\n"
        f" -- The Causeboard authors <causeboard@example.org>  {stamp}\n"))
    for path in EXAMPLES:
        write(tree, f"{doc}/examples/{os.path.basename(path)}", source(path))
    write(tree, "usr/share/lintian/overrides/causeboard", source("deploy/debian/lintian-overrides"))


def dependencies(tree, scratch):
    """The packages that the program's libraries are in."""
    os.makedirs(os.path.join(scratch, "debian"), exist_ok=True)
    write(scratch, "debian/control", "Source: causeboard\n\nPackage: causeboard\nArchitecture: any\n")
    printed = run("dpkg-shlibdeps", "-O", "-e", os.path.join(tree, "usr/bin/causeboard"), cwd=scratch)
    return re.search(r"^shlibs:Depends=(.*)$", printed, re.M)[1]


def control(tree, scratch, version):
    """Puts what dpkg reads below `tree`/DEBIAN."""
    size = sum(os.lstat(os.path.join(folder, name)).st_size for folder, _, names in os.walk(tree) for name in names)
    text = source("deploy/debian/control").replace("@VERSION@", version)
    text = text.replace("@ARCHITECTURE@", run("dpkg", "--print-architecture").strip())
    text = text.replace("@INSTALLED_SIZE@", str(size // 1024 + 1))
    text = text.replace("@DEPENDS@", dependencies(tree, scratch))
    names = sorted(os.path.relpath(os.path.join(folder, name), tree)
                   for folder, _, files in os.walk(tree) for name in files)
    sums = "".join(f"{run('md5sum', os.path.join(tree, name)).split()[0]}  {name}\n"
                   for name in names if not name.startswith("etc/"))
    write(tree, "DEBIAN/control", text)
    write(tree, "DEBIAN/conffiles", "".join(f"/{name}\n" for name in names if name.startswith("etc/")))
    write(tree, "DEBIAN/md5sums", sums)
    for script in SCRIPTS:
        write(tree, f"DEBIAN/{script}", source(f"deploy/debian/{script}"), 0o755)


def make(binary, version, folder, compression="xz"):
    """Builds the package of a program; returns the path of the archive in `folder`."""
    scratch = os.path.join(folder, f"tree-{version}")
    shutil.rmtree(scratch, ignore_errors=True)
    tree = os.path.join(scratch, "root")
    before = os.umask(0o022)
    try:
        os.makedirs(tree)
        fill(tree, binary, version)
        control(tree, scratch, version)
    finally:
        os.umask(before)
    architecture = run("dpkg", "--print-architecture").strip()
    archive = os.path.join(folder, f"causeboard_{version}_{architecture}.deb")
    run("dpkg-deb", "--root-owner-group", f"-Z{compression}", "--build", tree, archive)
    shutil.rmtree(scratch)
    return archive
