"""Packages from PyPI in virtual environments of their own, in .build: pip refuses a system's Python (PEP 668)."""
import importlib.util
import os
import subprocess
import sys
import unittest

import server as servers
from repository import ROOT


def installed(name, *packages):
    """The `bin` folder of the environment .build/NAME, which is made when it lacks these packages in these versions."""
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
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise servers.Refused(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    with open(mark, "w") as f:
        f.write(wanted)
    return programs
