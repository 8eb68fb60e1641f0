"""The extension of VS Code: its files are JSON, its colours know every word of the grammar, and every function and type of
numbers of the language. extension_test.py SOURCES"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

SOURCES = pathlib.Path(sys.argv[1])
EXTENSION = SOURCES / "editors/vscode"
grammar = json.loads((EXTENSION / "syntaxes/kasc.tmLanguage.json").read_text())
package = json.loads((EXTENSION / "package.json").read_text())
configuration = json.loads((EXTENSION / "language-configuration.json").read_text())

# The version is kasc's, and the file that the page tells to install is the one that is made.
version = re.search(r"project\(kasc VERSION ([0-9.]+)", (SOURCES / "CMakeLists.txt").read_text()).group(1)
assert package["version"] == version, (package["version"], version)
assert f"--install-extension kasc-{version}.vsix" in (EXTENSION / "README.md").read_text()


def rules(patterns):
    for pattern in patterns:
        if "include" in pattern:
            yield from rules(grammar["repository"][pattern["include"][1:]]["patterns"])
        else:
            yield pattern


def scopes(line):
    """The texts of a line with their scopes, as an editor finds them: the first rule among those that match earliest."""
    found, at = [], 0
    while at < len(line):
        best = None
        for rule in rules(grammar["patterns"]):
            match = re.compile(rule.get("match") or rule["begin"] + ".*?" + rule["end"]).search(line, at)
            if match and match.end() > match.start() and (best is None or match.start() < best[0].start()):
                best = match, rule
        if best is None:
            break
        match, rule = best
        parts = {int(k): v["name"] for k, v in rule.get("captures", {}).items()} or {0: rule.get("name")}
        found += [(match.group(k), name) for k, name in parts.items()]
        at = match.end()
    return found


def check_colours(line, *wanted):
    for text, scope in wanted:
        assert any(t == text and s.startswith(scope) for t, s in scopes(line)), (line, text, scope, scopes(line))


# Words of the grammar, in quotes there.
words = set(re.findall(r"'([a-z]+)'", (SOURCES / "grammar/Kasc.g4").read_text()))
assert len(words) >= 25, words
for word in words:
    check_colours(word + " a", (word, ("keyword", "storage")))

# Functions and types of the language, as the compiler has them.
operators = (SOURCES / "compiler/frontend/operators.cpp").read_text()
functions = re.findall(r'\{"([a-z0-9]+)", [0-9]', operators[operators.index("intrinsics{") :])
reductions = re.findall(r'\{"([a-z]+)", FoldOperator', (SOURCES / "compiler/frontend/reduction.cpp").read_text())
assert len(functions) > 30 and len(reductions) > 10, (functions, reductions)
for name in functions + reductions + ["extent", "fft", "ifft", "dct2", "idst4", "axis_sum", "half", "staggered", "distinct"]:
    check_colours("a = " + name + "(b);", (name, "support.function"))
cell_types = (SOURCES / "compiler/foundation/cell_type.hpp").read_text()
types = re.findall(r'return "([a-z0-9_]+)";', cell_types[cell_types.index("name_of(CellType") : cell_types.index("c_name_of")])
assert len(types) == 9, types
for name in types:
    check_colours(name + " T[x];", (name, "support.type"), ("T", "variable"))

check_colours("T = 2.5e-3*u.x; // °C", ("2.5e-3", "constant.numeric"), ("// °C", "comment.line"), ("u", "variable"))
check_colours("a /* b */ = c;", ("/* b */", "comment.block"), ("=", "keyword.operator"))
check_colours('import "waves.kas";', ('"waves.kas"', "string"), ("import", "keyword"))
check_colours("function lap(u) = u[-1];", ("function", "storage"), ("lap", "entity.name.function"))
check_colours("u_{a}[x] = mmul33(A, B);", ("u_{a}", "variable"), ("mmul33", "entity.name.function"))
check_colours("matrix3x3 A;", ("matrix3x3", "support.type"))

language = package["contributes"]["languages"][0]
assert language["id"] == "kasc" and ".kas" in language["extensions"]
assert (EXTENSION / language["configuration"]).is_file() and (EXTENSION / package["main"]).is_file()
assert package["contributes"]["grammars"][0]["scopeName"] == grammar["scopeName"]
assert "kasc.path" in package["contributes"]["configuration"]["properties"]
assert configuration["comments"]["lineComment"] == "//"
if shutil.which("node"):
    subprocess.run(["node", "--check", EXTENSION / package["main"]], check=True)
print("ok")
