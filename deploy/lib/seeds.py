"""The seed of this run's random histories: SEED of the environment, or a new one. `run` prints it with every failure of
a module that imports it. Also how many steps and rounds such a history has, and whether this is a nightly run."""
import os
import random

SEED = int(os.environ.get("SEED") or random.SystemRandom().randrange(10**9))
# `deploy/test --nightly` sets it: tests then do in full what takes too long for every push.
NIGHTLY = bool(os.environ.get("NIGHTLY"))


def nightly(test):
    """Marks a test that only a nightly run has, as it costs a push too much."""
    return test if NIGHTLY else None


def load_pause(nightly):
    """How many seconds a client of a load waits between its requests: for every push longer than in a nightly run, as
    most of such a load's time passes while a test waits for something else."""
    return nightly if NIGHTLY else 4 * nightly


def steps(usual, nightly=None):
    """STEPS of the environment, or as many as are usual; `nightly` in a nightly run."""
    return int(os.environ.get("STEPS") or (NIGHTLY and nightly) or usual)


def rounds(usual, nightly=None):
    """ROUNDS of the environment, or as many as are usual; `nightly` in a nightly run."""
    return int(os.environ.get("ROUNDS") or (NIGHTLY and nightly) or usual)
