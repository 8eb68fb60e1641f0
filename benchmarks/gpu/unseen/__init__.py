"""Programs that nothing was tuned for: texts of kasc, and the same in PyTorch and JAX."""

from . import learning, science, statistics

CASES = {**learning.CASES, **statistics.CASES, **science.CASES}
