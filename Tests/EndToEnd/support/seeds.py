"""The seed of this run's random histories: SEED of the environment, or a new one. `run` prints it with every failure of
a module that imports it."""
import os
import random

SEED = int(os.environ.get("SEED") or random.SystemRandom().randrange(10**9))
