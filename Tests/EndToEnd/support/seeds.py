"""The seed of this run's random histories: SEED of the environment, or a new one. `run` prints it with every failure of
a module that imports it; and how many steps and rounds such a history has."""
import os
import random

SEED = int(os.environ.get("SEED") or random.SystemRandom().randrange(10**9))


def steps(usual):
    """STEPS of the environment, or as many as are usual."""
    return int(os.environ.get("STEPS") or usual)


def rounds(usual):
    """ROUNDS of the environment, or as many as are usual."""
    return int(os.environ.get("ROUNDS") or usual)
