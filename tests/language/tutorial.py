"""Runs the tutorial of docs/language.md as a reader does: tutorial.py KASC

Between "## Ten minutes" and the next heading each block of c is a program, whose first line names its file; in a block of console each
line behind "$ " is a command, which ends with status 0, and the lines below stand in what it prints, in their order. "…" is any text."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/language.md"


def commands_of(block):
    """Pairs of a command and the lines that it prints."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def missing(expected, printed):
    """The first of the expected lines that does not come behind those before it."""
    at = 0
    for line in expected:
        pattern = ".*".join(re.escape(part) for part in line.split("…"))
        found = re.compile(pattern).search(printed, at)
        if not found:
            return line
        at = found.end()
    return None


def main(kasc):
    tutorial = PAGE.read_text().split("\n## Ten minutes\n")[1].split("\n## ")[0]
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", tutorial, re.M | re.S)
    assert len(blocks) >= 10, "the tutorial is not where it was"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "bin").mkdir()
        (folder / "bin/python3").symlink_to(sys.executable)
        (folder / "bin/kasc").symlink_to(pathlib.Path(kasc).resolve())
        environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
        for kind, text in blocks:
            if kind == "c":
                (folder / text.split("\n")[0].removeprefix("// ")).write_text(text)
                continue
            assert kind == "console", f"a block of {kind} is not checked"
            for command, expected in commands_of(text):
                done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)
                printed = done.stdout + done.stderr
                lost = missing(expected, printed)
                if done.returncode != 0 or lost is not None:
                    sys.exit(f"$ {command}\nstatus {done.returncode}, not printed: {lost}\n{printed}")


main(sys.argv[1])
