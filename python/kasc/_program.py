"""A program, called like a function."""

from __future__ import annotations

import difflib
import functools
import itertools
import math
import operator
from collections import namedtuple
from pathlib import Path
from typing import Any, Iterable, Mapping, Sequence

import numpy as np

from . import _kasc
from ._arrays import Kind, alignment, as_array, kind_of, numpy_kind
from ._errors import taken
from ._plans import Explanation, Measured, Plan, Plans, Tuning, frame_of, timed

_most_kept = 64  # sizes, with the code of each


class Field:
    """An input or output as Python has it: the words of a cell are the last dimensions of one array, or the first.

    name: as the program says it. type: of a word, as NumPy calls it. axes: names, the slowest first, as the
    dimensions of an array stand; ``("n",)`` of a stream. cell: the shape of a cell or an element; () for one number.
    soa: declared with ``layout(soa)``, the words come first.
    """

    def __init__(self, of: Any, axes: tuple[str, ...], place: int):
        self.name, self.type, self.axes = of.field or of.name, of.type, axes
        self.cell, self.soa = tuple(of.cell or of.element), of.soa
        self._apart = bool(of.field)  # the code has an array for each word of a cell
        self._places = [place]  # among the code's arrays
        self._indices = list(itertools.product(*map(range, self.cell)))  # of the words

    def __repr__(self) -> str:
        return f"{self.type} {self.name}[{', '.join(map(str, self._ordered(self.axes, self.cell)))}]"

    def _ordered(self, axes: Sequence, cell: Sequence) -> tuple:
        """What is said of the axes and of the cell's dimensions, as the dimensions of the array stand."""
        return (*cell, *axes) if self.soa else (*axes, *cell)

    def _split(self, dimensions: Sequence) -> tuple[tuple, tuple]:
        """Such a thing as of the axes, and of the cell."""
        cut = len(self.cell) if self.soa else len(self.axes)
        first, second = tuple(dimensions[:cut]), tuple(dimensions[cut:])
        return (second, first) if self.soa else (first, second)

    def _word(self, array: Any, index: tuple[int, ...]) -> Any:
        return array[index] if self.soa else array[(..., *index)]

    def _words(self, array: Any) -> list[Any]:
        """The code's arrays: views of the one that the user sees."""
        if not self._apart:
            return [array]
        if isinstance(array, _Apart):
            return array.words
        if kind_of(array).name == "jax":
            return _jax_functions()[0](array, tuple(self._indices), self.soa)
        return [self._word(array, word) for word in self._indices]


class _Apart:
    """A new array of JAX, which has no views: a word each, put together when they are computed."""

    def __init__(self, words: list[Any], field: Field):
        self.words, self.field = words, field

    def together(self) -> Any:
        return _jax_functions()[1](self.words, self.field.cell, self.field.soa)


@functools.cache
def _jax_functions() -> tuple[Any, Any]:
    """Compiled: the words of an array by their indices, and an array of words."""
    import jax

    def words(array: Any, indices: tuple, first: bool) -> list[Any]:
        return [array[index if first else (..., *index)] for index in indices]

    def together(words: list[Any], cell: tuple, first: bool) -> Any:
        stacked = jax.numpy.stack(words, 0 if first else -1)
        return stacked.reshape(*cell, *stacked.shape[1:]) if first else stacked.reshape(*stacked.shape[:-1], *cell)

    return jax.jit(words, static_argnums=(1, 2)), jax.jit(together, static_argnums=(1, 2))


def _fields(arrays: Sequence[Any], interface: Any) -> list[Field]:
    fields: dict[str, Field] = {}
    for place, array in enumerate(arrays):
        name = array.field or array.name
        if name in fields:
            fields[name]._places.append(place)
            continue
        axes = ("n",) if interface.stream else tuple(interface.axes[a] for a in reversed(array.axes))
        fields[name] = Field(array, axes, place)
    return list(fields.values())


class _Sizes:
    """Extents and parameters of a call, as the code takes them."""

    def __init__(self, of_library: Any):
        self.of_library = of_library
        self.extents = tuple(of_library.extents)
        self.parameters = list(of_library.parameters)


class _Ready:
    """Code for some sizes and one kind of arrays."""

    def __init__(self, code: Any, program: "Program", sizes: Any, kind: Kind):
        def expected(arrays: Sequence[Any], fields: list[Field]) -> list[Any]:
            made = [None] * len(arrays)
            for field in fields:
                shape = program._shape(field, sizes, words=not field._apart)
                for place in field._places:
                    made[place] = arrays[place].expected(list(shape))
            return made

        interface = program._interface
        self.caller = _kasc.Caller(code, expected(interface.inputs, program.inputs), expected(interface.outputs, program.outputs))
        self.shapes = [program._shape(field, sizes) for field in program.outputs]
        self.kind = kind


class Program:
    """A program that is understood, planned and built for the sizes that it meets.

    source: a path of a .kas file, or the program's text.
    target: "auto" takes a GPU where there is one, "cuda" or "cpu" that alone.
    libraries: folders of elementary functions beyond kasc's own.
    plan: as docs/plans.md has it, or a Plan; None: the search decides.
    plans: how many of the best ``plan()`` and ``tune()`` see.
    rewrite: rules that are off unless asked for: ``["modes"]``, many linear steps as one product of waves.
    settings: options, and parameters and extents that stay the same in all calls, by name.

    Raises ``kasc.Error`` where the program is at fault, with place, caret and help.
    """

    def __init__(
        self,
        source: str | Path,
        *,
        target: str = "auto",
        libraries: Sequence[str | Path] = (),
        plan: str | Plan | None = None,
        plans: int = 2,
        strategy: str = "exact",
        seed: int | None = None,
        budget: str = "",
        no_rewrite: Sequence[str] = (),
        rewrite: Sequence[str] = (),
        steps: int | str = "best",
        **settings: float | str,
    ):
        text, name = _text_of(source)
        options = _kasc.Options()
        options.library_folders = [str(folder) for folder in libraries]
        options.settings = {k: float(v) for k, v in settings.items() if not isinstance(v, str)}
        options.words = {k: v for k, v in settings.items() if isinstance(v, str)}
        options.strategy, options.seed, options.budget = strategy, seed, budget
        options.no_rewrite, options.steps, options.plans = list(no_rewrite), str(steps), plans
        options.rewrite = list(rewrite)
        options.plan = plan.text if isinstance(plan, Plan) else plan or ""
        self._program = taken(_kasc.read(text, name, options))
        self._interface = self._program.interface()
        self._target = target
        self._machines: dict[str, Any] = {}
        self.source = text
        self.name: str = self._interface.name
        self.axes: list[str] = list(self._interface.axes)
        self.parameters: list[str] = [p.name for p in self._interface.parameters]
        self.inputs = _fields(self._interface.inputs, self._interface)
        self.outputs = _fields(self._interface.outputs, self._interface)
        self._names = {field.name: k for k, field in enumerate(self.inputs)}
        self._has_words_apart = any(field._apart for field in (*self.inputs, *self.outputs))
        self._result = None
        if len(self.outputs) > 1:
            self._result = namedtuple(f"{self.name}_results", [f.name for f in self.outputs], rename=True)
        self._sizes: dict[Any, Any] = {}
        self._ready: dict[Any, _Ready] = {}

    def __repr__(self) -> str:
        def listed(fields: list[Field]) -> str:
            return ", ".join(map(repr, fields)) or "nothing"

        text = f"<kasc program {self.name}: {listed(self.inputs)} -> {listed(self.outputs)}"
        return text + (f"; parameters {', '.join(self.parameters)}>" if self.parameters else ">")

    # ---- calls ----------------------------------------------------------------------------------------------------

    def __call__(
        self,
        *arrays: Any,
        out: Any = None,
        check: bool = True,
        **named: Any,
    ) -> Any:
        """Runs the program on arrays, which it does not change.

        arrays: inputs in the order of the input statement, or by name (``T=T0``); parameters by name as well.
        out: an array, or of several outputs a sequence of arrays, to compute into; None: new ones of the inputs' kind,
        for a program without inputs of NumPy.
        check: hold what the program asks of its data (positions on their axes, its ``require``) against arrays in the
        host's memory; what does not hold is an Error. Without it wrong positions read and write outside of arrays.

        Returns the output, or of several a named tuple. On a GPU the call returns at once where the package of the
        arrays has a stream of its own (CuPy, PyTorch), in which what follows it waits for the results.
        """
        return self.run(_by_position(arrays, named, self.inputs), out=out, check=check)

    def run(self, arguments: Mapping[str, Any], *, out: Any = None, check: bool = True) -> Any:
        """As a call, with arguments of any name: {"T": T0, "out": 3}."""
        inputs, kind, sizes = self._bind(arguments)
        key = (kind, sizes.extents)
        ready = self._ready.get(key)
        if ready is None:
            ready = self._build(key, sizes, kind)
        results = self._results(ready, kind, out)
        self._launch(ready, inputs, results, sizes, check, kind.stream())
        results = [array.together() if isinstance(array, _Apart) else array for array in results]
        return results[0] if self._result is None else self._result(*results)

    def _launch(self, ready: _Ready, inputs: list[Any], results: list[Any], sizes: _Sizes, check: bool, stream: int) -> float:
        """Seconds of the kernels, where they are known. stream: as a kind has it; 0: in none of the caller's."""
        kind = ready.kind
        copies: list[Any] = []  # are there until the call has returned
        places, targets = inputs, results
        if self._has_words_apart:
            places = _in_places([_taken(f, a, kind, copies) for f, a in zip(self.inputs, inputs)], self.inputs)
            targets = _in_places(
                [_word_places(f, a, kind) or _words_first(f, a) for f, a in zip(self.outputs, results)], self.outputs
            )
        elif kind.address is not None:
            places = [kind.address(array, field.name, field.type) for array, field in zip(inputs, self.inputs)]
            targets = [kind.address(array, field.name, field.type) for array, field in zip(results, self.outputs)]
        return taken(ready.caller.call(places, targets, sizes.parameters, kind.on_gpu, check, stream))

    def _results(self, ready: _Ready, kind: Kind, out: Any) -> list[Any]:
        if out is None:
            return [_new(field, shape, kind) for field, shape in zip(self.outputs, ready.shapes)]
        if isinstance(out, Mapping):
            results = [out[field.name] for field in self.outputs if field.name in out]
        else:
            results = [out] if self._result is None else list(out)
        if len(results) != len(self.outputs):
            raise TypeError(f"{self.name} has {len(self.outputs)} outputs, out has {len(results)} arrays")
        for field, array, shape in zip(self.outputs, results, ready.shapes):
            if tuple(array.shape) != shape:
                raise ValueError(f"{field.name}: out has shape {tuple(array.shape)}, expected is {shape}")
            if not getattr(getattr(array, "flags", None), "writeable", True):
                raise ValueError(f"{field.name}: out is read-only")
        return results

    def _bind(self, arguments: Mapping[str, Any]) -> tuple[list[Any], Kind, _Sizes]:
        """Inputs in order, whose they are, and all sizes."""
        try:
            inputs = [arguments[name] for name in self._names]
        except KeyError:
            missing = ", ".join(name for name in self._names if name not in arguments)
            wanted = ", ".join(map(repr, self.inputs))
            raise TypeError(f"{self.name} misses {missing}: it takes {wanted}") from None
        kind = numpy_kind
        for array in inputs:
            if type(array) is not np.ndarray:
                kind = kind_of(array)
                if kind is not numpy_kind:
                    break
        for k, array in enumerate(inputs):
            if not hasattr(array, "shape") or isinstance(array, np.generic):
                inputs[k] = as_array(array, self.inputs[k].type, kind)
        values: tuple = ()
        if len(arguments) > len(inputs):
            values = tuple((name, float(value)) for name, value in arguments.items() if name not in self._names)
        return inputs, kind, self._sizes_of(tuple([array.shape for array in inputs]), values)

    def _sizes_of(self, shapes: tuple, values: tuple) -> _Sizes:
        sizes = self._sizes.get((shapes, values))
        if sizes is not None:
            return sizes
        extents: dict[str, int] = {}
        bound_by: dict[str, str] = {}
        for field, shape in zip(self.inputs, shapes):
            self._bind_extents(field, tuple(shape), extents, bound_by)
        parameters, named = self._told_apart(values)
        for axis, extent in named.items():
            if extents.setdefault(axis, extent) != extent:
                raise ValueError(f"{axis}={extent}, and {bound_by[axis]} has {extents[axis]} along it")
        sizes = _Sizes(taken(self._program.sizes(parameters, extents)))
        if len(self._sizes) >= _most_kept:
            self._sizes.clear()
        self._sizes[shapes, values] = sizes
        return sizes

    def _bind_extents(self, field: Field, shape: tuple, extents: dict[str, int], bound_by: dict[str, str]) -> None:
        along, cell = field._split(shape)
        if len(along) != len(field.axes) or cell != field.cell:
            raise ValueError(f"{field.name}: has shape {shape}, and its dimensions are {field!r}")
        for axis, extent in zip(field.axes, along):
            if extents.setdefault(axis, extent) != extent:
                raise ValueError(f"{field.name}: has {extent} cells along {axis}, and {bound_by[axis]} has {extents[axis]}")
            bound_by.setdefault(axis, field.name)

    def _told_apart(self, values: Iterable[tuple[str, Any]]) -> tuple[dict[str, float], dict[str, int]]:
        """Parameters and extents among them, by name."""
        parameters: dict[str, float] = {}
        extents: dict[str, int] = {}
        for name, value in values:
            if name in self.parameters:
                parameters[name] = float(value)
            elif name in self.axes or (self._interface.stream and name == "n"):
                extents[name] = int(value)
            else:
                raise TypeError(self._unknown(name))
        return parameters, extents

    def _unknown(self, name: str) -> str:
        known = [*self._names, *self.parameters, *self.axes]
        near = difflib.get_close_matches(name, known, 1)
        return f"{self.name} has no input, parameter or axis {name}" + (f": did you mean {near[0]}?" if near else "")

    # ---- plans ----------------------------------------------------------------------------------------------------

    def plan(self, **named: Any) -> Plans:
        """The best plans for these sizes: arrays and parameters as in a call, or extents by their axes' names."""
        return Plans(self._plan(*self._planned(named)))

    def explain(self, **named: Any) -> Explanation:
        """What is fused for these sizes, what is not, and why: as text, and as a page that a notebook shows."""
        return Plans(self._plan(*self._planned(named), keep_all=True)).explanation()

    def space(self, **named: Any) -> Any:
        """The fusions and candidates that were priced, a row each with features and prediction: a pandas frame, or
        without pandas a list of dictionaries."""
        machine, sizes = self._planned(named)
        return frame_of(self._plan(machine, sizes, keep_all=True).space_json())

    def tune(self, *arrays: Any, repeats: int = 20, **named: Any) -> Tuning:
        """Runs the best plans (as many as ``plans`` of the program) on these arrays; later calls of the same sizes take
        the fastest whose results are the same as the first plan's."""
        inputs, kind, sizes = self._bind(_by_position(arrays, named, self.inputs))
        machine = self._machine(kind)
        plans = Plans(self._plan(machine, sizes, keep_all=True))
        kind.wait()  # kernels are timed in no stream of the caller's
        measured: list[Measured] = []
        built: list[_Ready] = []
        reference = None
        for plan in plans:
            ready = _Ready(taken(plan._plans.build(plan.number)), self, sizes, kind)
            built.append(ready)
            results = self._results(ready, kind, None)
            self._launch(ready, inputs, results, sizes, plan.number == 0, 0)
            reference = reference or results

            def call() -> float:
                seconds = self._launch(ready, inputs, self._results(ready, kind, None), sizes, False, 0)
                return seconds if machine.target == _kasc.Target.cuda else 0

            measured.append(Measured(plan, timed(call, repeats), all(map(_equal, results, reference))))
        tuning = Tuning(measured, plans)
        self._ready[kind, sizes.extents] = built[tuning.best.number]
        return tuning

    def _planned(self, named: Mapping[str, Any]) -> tuple[Any, Any]:
        given = [name for name in self._names if name in named]
        if len(given) == len(self._names):
            _, kind, sizes = self._bind(named)
            return self._machine(kind), sizes
        if given:
            raise TypeError("plans are for all arrays, or for extents alone")
        parameters, extents = self._told_apart(named.items())
        return self._machine(None), _Sizes(taken(self._program.sizes(parameters, extents)))

    def _plan(self, machine: Any, sizes: _Sizes, keep_all: bool = False) -> Any:
        return taken(self._program.plan(machine, sizes.of_library, keep_all))

    def _machine(self, kind: Kind | None) -> Any:
        """Arrays on a GPU are computed there, those of the host's memory by ``target``."""
        target = "cuda" if kind is not None and kind.on_gpu else self._target
        if target not in self._machines:
            self._machines[target] = taken(_kasc.find_machine(target))
        return self._machines[target]

    def _build(self, key: Any, sizes: Any, kind: Kind) -> _Ready:
        plans = self._plan(self._machine(kind), sizes)
        ready = _Ready(taken(plans.build(0)), self, sizes, kind)
        if len(self._ready) >= _most_kept:
            self._ready.clear()
        self._ready[key] = ready
        return ready

    def _shape(self, field: Field, sizes: Any, words: bool = True) -> tuple[int, ...]:
        names = ["n"] if self._interface.stream else self.axes
        extents = dict(zip(names, sizes.extents))
        return field._ordered([extents[a] for a in field.axes], field.cell if words else ())


def _text_of(source: str | Path) -> tuple[str, str]:
    is_path = isinstance(source, Path) or (source.endswith(".kas") and "\n" not in source)
    if not is_path:
        return source, "program.kas"
    path = Path(source)
    return path.read_text(), str(path)


def _by_position(arrays: Sequence[Any], named: dict[str, Any], fields: list[Field]) -> dict[str, Any]:
    if len(arrays) > len(fields):
        raise TypeError(f"{len(arrays)} arrays for {len(fields)} inputs")
    for field, array in zip(fields, arrays):
        if field.name in named:
            raise TypeError(f"{field.name} is given twice")
        named[field.name] = array
    return named


def _in_places(words: list[list[Any]], fields: list[Field]) -> list[Any]:
    """The code's arrays in their order, from those of each field."""
    placed = [pair for field, own in zip(fields, words) for pair in zip(field._places, own)]
    return [word for _, word in sorted(placed, key=lambda pair: pair[0])]


def _new(field: Field, shape: tuple[int, ...], kind: Kind) -> Any:
    if not field._apart:
        return kind.empty(shape, field.type)
    # Each word's array contiguous: the words are the slowest dimension in memory, and the last of the view.
    cells, words = field._split(shape)[0], math.prod(field.cell)
    if kind.name == "jax":
        return _Apart([kind.empty(cells, field.type) for _ in range(words)], field)
    size = math.prod(cells)
    apart = -(-size // alignment) * alignment if kind.on_gpu else size  # each starts where code for a GPU takes it
    whole = kind.empty((words, apart), field.type)[:, :size].reshape((words, *cells))
    if field.soa:
        return whole.reshape(shape)
    order = (*range(1, 1 + len(cells)), 0)
    view = whole.permute(*order) if kind.name == "torch" else whole.transpose(order)
    return view.reshape(shape)


def _taken(field: Field, array: Any, kind: Kind, copies: list[Any]) -> list[Any]:
    """The code's arrays of an input, or where they lie. What it does not take is copied."""
    places = _word_places(field, array, kind)
    if places is not None:
        return places
    words = field._words(array)
    if not field._apart:
        return words
    if kind.address is not None:
        copy = _new(field, tuple(array.shape), kind)
        if type(array) is type(copy) and array.dtype == copy.dtype and array.device == copy.device:
            copy[...] = array  # all words at once
            copies.append(copy)
            places = _word_places(field, copy, kind)
    return places or [word if _is_contiguous(word) else _copy(word) for word in words]


def _word_places(field: Field, array: Any, kind: Kind) -> list[Any] | None:
    """Where the code's arrays lie, if that is known and it takes them there."""
    if kind.address is None:
        return None
    if not field._apart:
        return [kind.address(array, field.name, field.type)]
    first = kind.address(field._word(array, field._indices[0]), field.name, field.type)
    if not isinstance(first, int):
        return None
    strides = field._split(list(kind.strides(array)))[1]
    places = [first + sum(map(operator.mul, word, strides)) for word in field._indices]
    return None if kind.on_gpu and any(place % alignment for place in places) else places


def _words_first(field: Field, array: Any) -> list[Any]:
    """The code's arrays of an output."""
    words = field._words(array)
    if field._apart and not isinstance(array, _Apart) and not _is_contiguous(words[0]):
        raise ValueError(
            f"{field.name}: the words of its cells are computed apart; give an array whose dimensions of the cell vary"
            f" slowest in memory, numpy.moveaxis(numpy.empty((3, ny, nx)), 0, -1), or leave out"
        )
    return words


def _copy(array: Any) -> Any:
    return array.contiguous() if hasattr(array, "contiguous") else array.copy()


def _is_contiguous(array: Any) -> bool:
    if hasattr(array, "flags"):
        return bool(array.flags.c_contiguous)
    return not hasattr(array, "is_contiguous") or array.is_contiguous()  # JAX's always are


def _equal(a: Any, b: Any) -> bool:
    if isinstance(a, _Apart):
        return all(map(_equal, a.words, b.words))
    same = (a == b) | ((a != a) & (b != b))
    return bool(same.all())
