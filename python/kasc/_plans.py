"""Plans of a program: what was decided, what the model says of it, what was measured."""

from __future__ import annotations

import functools
import html
import json
import statistics
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator

from . import _kasc
from ._errors import taken

if TYPE_CHECKING:
    from ._program import Program


class Explanation(str):
    """What was fused, what was not, and why. As text for people, ``data`` as JSON has it, ``page`` for a browser, which
    a notebook shows."""

    _plans: "Plans"

    def __new__(cls, text: str, plans: "Plans") -> "Explanation":
        self = super().__new__(cls, text)
        self._plans = plans
        return self

    @functools.cached_property
    def data(self) -> dict[str, Any]:
        return json.loads(self._plans._plans.explanation_json())

    @functools.cached_property
    def page(self) -> str:
        return self._plans.page()

    def write(self, file: str | Path) -> None:
        """Writes the page (docs/explorer.md)."""
        Path(file).write_text(self.page, encoding="utf-8")

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.page)}" width="100%" height="720" style="border: 0"></iframe>'

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Plan:
    """A plan for some sizes and a machine: which calls are one kernel, and how each goes over its cells."""

    number: int
    _plans: Any = field(repr=False)

    @property
    def predicted_ns(self) -> float:
        """Nanoseconds of a run by the model."""
        return self._plans.predicted_ns(self.number)

    @property
    def text(self) -> str:
        """The plan in words, as ``Program(…, plan=…)`` takes it (docs/plans.md)."""
        return self._plans.text(self.number)

    @property
    def report(self) -> str:
        """What was fused and why, a few lines."""
        return self._plans.report(self.number)

    def files(self) -> dict[str, str]:
        """The emitted sources by name."""
        return taken(self._plans.files(self.number))

    def write(self, folder: str | Path) -> list[Path]:
        """Writes the emitted sources into a folder, which is made where missing."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        paths = []
        for name, text in self.files().items():
            paths.append(folder / name)
            paths[-1].write_text(text)
        return paths

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.report)}</pre>"


class Plans:
    """The best plans of a program, best first by the model."""

    def __init__(self, plans: Any):
        self._plans = plans

    def __len__(self) -> int:
        return len(self._plans)

    def __getitem__(self, number: int) -> Plan:
        if not -len(self) <= number < len(self):
            raise IndexError(f"there are {len(self)} plans")
        return Plan(number % len(self), self._plans)

    def __iter__(self) -> Iterator[Plan]:
        return (Plan(k, self._plans) for k in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} plans, the best predicted to take {self[0].predicted_ns / 1e3:.4g} us>"

    def explanation(self) -> Explanation:
        """Of the first plan. Requires: planned by ``Program.explain``, which keeps all candidates."""
        return Explanation(self._plans.explanation(), self)

    def page(self, tuning: Tuning | None = None) -> str:
        """The explorer page, with the times of what was measured."""
        timed = [m.timed() for m in tuning.measured if m.equal] if tuning else []
        return taken(self._plans.page(timed))


@dataclass(frozen=True)
class Measured:
    """A plan that was run."""

    plan: Plan
    seconds: list[float]
    """Of each repetition: the kernels' on a GPU, all of the call on a CPU."""
    equal: bool
    """Its results are those of the first plan."""

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    def timed(self) -> Any:
        """As the library has it, with quartiles."""
        ordered = sorted(self.seconds)
        quarter = len(ordered) // 4
        return _kasc.Timed(self.plan.number, 1e9 * self.median, 1e9 * ordered[quarter], 1e9 * ordered[-1 - quarter])


class Tuning:
    """Plans as they were measured, the fastest first."""

    def __init__(self, measured: list[Measured], plans: Plans):
        self.measured = sorted(measured, key=lambda m: (not m.equal, m.median))
        self._plans = plans

    def page(self) -> str:
        """The explorer page (docs/explorer.md), predicted against measured."""
        return self._plans.page(self)

    @property
    def best(self) -> Plan:
        """The fastest of those with the right results."""
        return self.measured[0].plan

    def __repr__(self) -> str:
        rows = [f"{'measured us':>12} {'spread %':>9} {'predicted us':>13}  plan"]
        for m in self.measured:
            spread = 100 * (max(m.seconds) - min(m.seconds)) / m.median
            note = "" if m.equal else "  (other results: not taken)"
            rows.append(f"{1e6 * m.median:12.2f} {spread:9.1f} {m.plan.predicted_ns / 1e3:13.2f}  {m.plan.number}{note}")
        return "\n".join(rows)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(repr(self))}</pre>"


def timed(call: Any, repeats: int) -> list[float]:
    """Seconds of each call: its own of the kernels where it tells them, else all of it. The first is not counted."""
    call()
    seconds = []
    for _ in range(repeats):
        begun = time.perf_counter()
        kernels = call()
        seconds.append(kernels or time.perf_counter() - begun)
    return seconds


def frame_of(space: str) -> Any:
    """The search space as a pandas data frame, a candidate a row; without pandas a list of dictionaries."""
    data = json.loads(space)
    rows = list(_rows(data))
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)


def _rows(data: Any) -> Iterator[dict[str, Any]]:
    for graph in data["graphs"]:
        for candidate in graph.get("candidates", []):
            row: dict[str, Any] = {
                "graph": graph["graph"],
                "calls": "; ".join(graph["fusions"][candidate["fusion"]]["calls"]),
            }
            for key, value in candidate.items():
                if isinstance(value, dict):
                    row.update({f"{key}.{inner}": v for inner, v in value.items()})
                else:
                    row[key] = value
            yield row
