"""Diagnostics as exceptions and warnings."""

from __future__ import annotations

import json
import warnings
from typing import Any


class Error(Exception):
    """What kasc says against a program, its sizes, its data or the machine.

    ``str()`` is the text that the command prints, with place, caret and help. ``diagnostics`` has the same as
    dictionaries (``code``, ``message``, ``line``, …), the first of which is the cause.
    """

    def __init__(self, text: str, diagnostics: list[dict[str, Any]]):
        super().__init__(text)
        self.diagnostics = diagnostics

    @property
    def code(self) -> str:
        """The first error's code, as docs/diagnostics.md lists them: "K0203"."""
        for diagnostic in self.diagnostics:
            if diagnostic.get("severity", "error") == "error":
                return diagnostic.get("code", "")
        return ""


class Warning(UserWarning):  # as Error: kasc.Warning
    """What is worth saying of a program that can be run."""


def taken(made: tuple[Any, str, str]) -> Any:
    """The value of what the library made; errors are raised, warnings told."""
    value, text, as_json = made
    if value is None:
        raise Error("\n" + text.rstrip(), json.loads(as_json))
    if text:
        warnings.warn("\n" + text.rstrip(), Warning, stacklevel=3)
    return value
