"""Packages from PyPI in virtual environments of their own, in .build: pip refuses a system's Python (PEP 668)."""
import fcntl
import importlib.util
import os
import subprocess
import sys
import time
import unittest

import server as servers
from repository import ROOT

PAUSES_SECONDS = (2, 10, 0)     # after each try: an index of packages is away now and then


def installed(name, *packages):
    """The `bin` folder of the environment .build/NAME, which is made when it lacks these packages in these versions."""
    os.makedirs(os.path.join(ROOT, ".build"), exist_ok=True)
    with open(os.path.join(ROOT, ".build", name + ".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)        # two modules may want the same
        return installed_alone(name, packages)


def installed_alone(name, packages):
    folder = os.path.join(ROOT, ".build", name)
    programs = os.path.join(folder, "bin")
    mark = os.path.join(folder, "installed")
    wanted = "\n".join(packages)
    if os.path.exists(mark):
        with open(mark) as f:
            if f.read() == wanted:
                return programs
    if importlib.util.find_spec("ensurepip") is None:
        raise unittest.SkipTest("there is no ensurepip (python3-venv)")
    for command in ([sys.executable, "-m", "venv", "--clear", folder],
                    [os.path.join(programs, "python3"), "-m", "pip", "install", "--quiet", *packages]):
        for pause in PAUSES_SECONDS:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
            if done.returncode == 0:
                break
            time.sleep(pause)
        if done.returncode != 0:
            raise servers.Refused(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    with open(mark, "w") as f:
        f.write(wanted)
    return programs
