"""A program that is measured: its lengths, what draws its inputs, and the same in PyTorch and JAX."""

from dataclasses import dataclass, field
from functools import partial
from typing import Callable

import torch


def whole(function):
    """A function of the arrays by name that is compiled as one."""
    return lambda compiled: compiled(function)


def both(function):
    """One text for PyTorch and JAX: its first argument is torch or jax.numpy."""

    def with_jax(s):
        import jax.numpy as jnp

        return function(jnp, s)

    return whole(partial(function, torch)), with_jax


def uniform(low, high):
    return lambda shape, kind, g: low + (high - low) * torch.rand(shape, generator=g, device=g.device)


def integers(low, high):
    return lambda shape, kind, g: torch.randint(low, high + 1, shape, generator=g, device=g.device, dtype=torch.int64).to(kind)


@dataclass
class Case:
    """`peer` makes, with what compiles a function, a function of the inputs by name that gives results by name; `jax` is one. Lengths that
    `dims` does not say are the program's. `inputs` draw by shape, kind of cells and generator what is not even between -1 and 1. Results may be
    off by `most` of the largest. `small`: lengths at which all is quickly checked."""

    dims: dict
    peer: Callable
    jax: Callable | None = None
    inputs: dict = field(default_factory=dict)
    small: dict = field(default_factory=dict)
    most: float = 1e-4
