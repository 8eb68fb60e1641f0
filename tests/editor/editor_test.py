"""kasc lsp as an editor meets it: editor_test.py KASC SOURCES. Each test is a function; they share no server but where
they say so."""

import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

from client import Client, Text

KASC, SOURCES = sys.argv[1], pathlib.Path(sys.argv[2])

HEAT = """// Heat in a plate; 20 °C at the rim, and a 𝑥 beyond UTF-16's first plane.
param float dt = 0.2;
param int steps = 100;
float T[x, y] boundary keep(1);   // °C
float q[x, y], hot[t];
function lap(u) = u[x - 1] + u[x + 1] + u[y - 1] + u[y + 1] - 4*u;
input T, q;
for (n = 0; n < steps; n++) {
    /* °C */ T = T + dt*(lap(T) + q);
    hot[t = n] = maximum(T);
}
return T, hot;
"""


def only(diagnostics):
    assert len(diagnostics) == 1, diagnostics
    return diagnostics[0]


def test_capabilities_and_an_orderly_end():
    client = Client(KASC)
    assert client.capabilities["textDocumentSync"]["change"] == 2
    for one in ("hover", "definition", "completion", "documentSymbol", "documentFormatting"):
        assert client.capabilities[one + "Provider"], one
    assert client.end() == 0


def test_an_end_without_shutdown_is_a_failure():
    client = Client(KASC)
    client.notify("exit", None)
    assert client.process.wait(timeout=10) == 1
    client = Client(KASC)
    client.process.stdin.close()
    assert client.process.wait(timeout=10) == 1


def test_requests_out_of_order_and_unknown_ones_are_answered():
    client = Client(KASC, begin=False)
    assert client.ask("textDocument/hover", {})["error"]["code"] == -32002
    client.request("initialize", None)
    assert client.ask("textDocument/rename", {})["error"]["code"] == -32601
    assert client.ask("textDocument/hover", {"textDocument": 3})["error"]["code"] == -32602
    assert client.request("textDocument/hover", {"textDocument": {"uri": "file:///none.kas"}}) is None
    client.notify("$/unknown", {"a": 1})
    client.notify("textDocument/didOpen", {"textDocument": "no object"})
    client.request("shutdown", None)
    assert client.ask("textDocument/hover", {})["error"]["code"] == -32600
    client.notify("exit", None)
    assert client.process.wait(timeout=10) == 0


def test_malformed_messages_are_answered_and_survived():
    client = Client(KASC)
    for body in (b"{", b"[]", b"3", b"\xff\xfe", b'{"jsonrpc": "2.0", "id": 7}', b'{"method": 3}', b"", b'"' + b"[" * 5000):
        client.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        answer = client.wait(lambda m: "error" in m)
        assert answer["error"]["code"] in (-32700, -32600), answer
    for header in (b"Content-Length: many\r\n\r\n", b"Other: 1\r\n\r\n", b"\r\n\r\n", b"Content-Length: -3\r\n\r\n"):
        client.send_bytes(header)
        assert client.wait(lambda m: "error" in m)["error"]["code"] == -32700
    client.send_bytes(b"content-length:  2 \r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n{}")
    assert client.wait(lambda m: "error" in m)["error"]["code"] == -32600
    assert Text(client, "file:///heat.kas", HEAT).diagnostics == []
    assert client.end() == 0


def test_diagnostics_come_and_go_with_edits():
    client = Client(KASC)
    text = Text(client, "file:///heat.kas", HEAT)
    assert text.diagnostics == []
    fault = only(text.edit("lap(T)", "lup(T)"))
    assert fault["code"] == "K0203" and fault["severity"] == 1 and fault["source"] == "kasc", fault
    assert text.covered(fault["range"]) == "lup", fault
    assert "help: did you mean 'lap'?" in fault["message"], fault
    assert text.edit("lup", "lap") == []
    fault = only(text.edit("lap(T) + q)", "lap(T) + )"))
    assert fault["code"] == "K0101" and text.covered(fault["range"]) == ")", fault
    assert text.edit("+ )", "+ q)") == []
    twice = only(text.edit("float q[x, y]", "float T[x], q[x, y]"))
    assert twice["code"] == "K0202" and text.covered(twice["range"]) == "T", twice
    note = only(twice["relatedInformation"])
    assert note["location"]["uri"] == text.uri and text.covered(note["location"]["range"]) == "T", note
    assert note["location"]["range"]["start"]["line"] == 3
    assert text.edit("T[x], ", "") == []
    unused = only(text.edit("param int", "param float unused;\nparam int"))
    assert unused["severity"] == 2 and text.covered(unused["range"]) == "unused", unused
    client.notify("textDocument/didClose", {"textDocument": {"uri": text.uri}})
    said = client.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics")
    assert said["params"]["diagnostics"] == []
    assert client.end() == 0


def test_positions_behind_characters_of_any_width():
    client = Client(KASC)
    text = Text(client, "file:///heat.kas", HEAT)
    fault = only(text.edit("/* °C */ T = T", "/* ° 𝑥 𝑦 */ T = V"))
    assert text.covered(fault["range"]) == "V", fault
    assert fault["range"]["start"]["character"] == 4 + len("/* ° ") + 2 + 1 + 2 + len(" */ T = "), fault
    text.edit("T = V", "T = T")
    assert "float T[x, y] boundary keep(1)" in text.hover("T = T")
    text.edit("𝑦", "é", said=False)  # edits behind such characters hit what they mean
    assert text.edit("é */ T = T", "𝑦 */ T = T + 0*q") == []
    where = text.definition("lap(T)")
    assert text.covered(where["range"]) == "lap"
    assert Text(client, "file:///crlf.kas", HEAT.replace("\n", "\r\n")).diagnostics == []
    assert client.end() == 0


def test_hover_tells_type_extents_access_and_cost():
    client = Client(KASC, {"settings": {"x": 512, "y": "1024"}, "device": "h100"})
    text = Text(client, "file:///heat.kas", HEAT)
    target = text.hover("T = T")
    for part in (
        "float T[x, y] boundary keep(1)",
        "field: °C",
        "`x`: as the input T has it (planned for 512)",
        "(planned for 1024)",
        "**Kernel `heat_k0`** (loop n)",
        "predicted on NVIDIA H100",
        "x = 512, y = 1024",
    ):
        assert part in target, (part, target)
    read = text.hover("T) + q")
    for part in ("the cell itself", "neighbours (-1, 0), (0, -1), (0, 1), (1, 0)"):
        assert part in read, (part, read)
    assert "Kernel" not in read
    assert "whole" not in text.hover("q);") and "This statement reads the cell itself." in text.hover("q);")
    assert "**Kernel" in text.hover("= T + dt")
    assert "An iteration: " in text.hover("for")
    assert "`t`: steps, the end of the loop that indexes it (planned for 100)" in text.hover("t = n")
    assert "function lap(u) = u[x - 1]" in text.hover("lap(T)")
    assert "param float dt = 0.2" in text.hover("dt*")
    assert "Over all cells" not in text.hover("maximum") and "The largest of all cells" in text.hover("maximum")
    assert text.hover("Heat in") is None and text.hover("°C */") is None
    text.edit("+ q)", "+ )")  # costs are not known any more, declarations are
    assert "float T[x, y]" in text.hover("T = T") and "Kernel" not in text.hover("T = T")
    assert client.end() == 0


def test_hover_on_streams_tells_the_library_s_patterns():
    client = Client(KASC)
    path = SOURCES / "examples/big_fusion.kas"
    text = Text(client, path.as_uri(), path.read_text())
    said = text.hover("mmul33")
    for part in ("mmul33(matrix3x3, matrix3x3) -> matrix3x3", "operations an element", "words that a thread touches"):
        assert part in said, (part, said)
    where = text.definition("mmul33")
    assert where["uri"].endswith(".cu") and pathlib.Path(where["uri"][len("file://") :]).is_file(), where
    assert "9 words" in text.hover("matrix3x3")
    assert "planned for 2097152" in text.hover("A", "mmul33")
    assert "**Kernel `big_fusion_k0`**" in text.hover("M1 =")
    assert client.end() == 0


def test_every_example_is_without_fault_and_has_costs():
    client = Client(KASC)
    for name in ("heat3d", "hifu", "lattice", "particles", "rotate_scale", "kwave/kwave"):
        path = SOURCES / "examples" / (name + ".kas")
        text = Text(client, path.as_uri(), path.read_text())
        assert text.diagnostics == [], (name, text.diagnostics)
        assert client.request("textDocument/formatting", text.at("//")) == [], name
        assert len(client.request("textDocument/documentSymbol", text.at("//"))) > 2, name
    assert "**Kernel" in text.hover("u_{a} = pml_{a}_sg{a}")  # of lists, each
    assert text.covered(text.definition("u_x", "source(u_x")["range"]) == "u_{a}"
    assert text.covered(text.definition("signal, n", "source(u_{a}")["range"]) == "signal"
    assert client.end() == 0


def test_definitions():
    client = Client(KASC)
    text = Text(client, "file:///heat.kas", HEAT)
    for mark, within, line in (
        ("T) + q", None, 3),
        ("dt*", None, 1),
        ("steps; n++", None, 2),
        ("lap(T)", None, 5),
        ("u[x + 1]", None, 5),
        ("n] = max", None, 7),
        ("x - 1", None, 3),
        ("hot;", None, 4),
        ("t = n", None, 4),
    ):
        where = text.definition(mark, within)
        assert where["uri"] == text.uri and where["range"]["start"]["line"] == line, (mark, where)
    assert text.definition("for") is None and text.definition("100") is None
    laplace = Text(client, "file:///b.kas", "float T[x];\ninput T;\nT = laplace2(T, 1);\nreturn T;\n")
    where = laplace.definition("laplace2")
    assert where["uri"].endswith("elementlib/field/derivatives.kas"), where
    assert client.end() == 0


def test_imported_files():
    with tempfile.TemporaryDirectory(prefix="kasc ä ") as folder:
        folder = pathlib.Path(folder)
        (folder / "more").mkdir()
        (folder / "waves.kas").write_text('// Twice.\nfunction twice(u) = 2*u;\nimport "more/inner.kas";\n')
        (folder / "more/inner.kas").write_text("function thrice(u) = 3*u;\n")
        client = Client(KASC)
        program = 'import "waves.kas";\nfloat T[x];\ninput T;\nT = twice(T) + thrice(T);\nreturn T;\n'
        text = Text(client, (folder / "p.kas").as_uri(), program)
        assert text.diagnostics == [], text.diagnostics
        assert text.definition("twice")["uri"] == (folder / "waves.kas").as_uri()
        assert text.definition("thrice")["uri"] == (folder / "more/inner.kas").as_uri()
        assert text.definition('"waves')["uri"] == (folder / "waves.kas").as_uri()
        assert "function of `waves.kas`: Twice." in text.hover("twice")
        assert {"twice", "thrice"} <= set(text.completion("twice(T)"))
        inner = Text(client, (folder / "waves.kas").as_uri(), (folder / "waves.kas").read_text())
        assert inner.diagnostics == [], inner.diagnostics  # it is no program, and need not be one
        (folder / "waves.kas").write_text("function twice(u) = 2*;\n")
        client.notify("textDocument/didSave", {"textDocument": {"uri": inner.uri}})
        fault = client.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == text.uri)[
            "params"
        ]["diagnostics"][0]
        assert text.covered(fault["range"]) == '"waves.kas"', fault
        assert fault["relatedInformation"][0]["location"]["uri"] == (folder / "waves.kas").as_uri(), fault
        assert only(text.edit("waves", "gone"))["code"] == "K0123"
        assert client.end() == 0


def test_completion():
    client = Client(KASC)
    text = Text(client, "file:///heat.kas", HEAT)
    text.edit("hot[t = n] = maximum(T);", "hot[t = n] = T[", said=False)
    inside = text.completion("= T[", behind=4)
    ranked = sorted(inside.values(), key=lambda item: item["sortText"])
    assert [item["label"] for item in ranked[:2]] == ["x", "y"], ranked[:3]  # the axes of T alone come first
    text.edit("= T[", "= ma", said=False)
    items = text.completion("= ma", behind=4)
    for name, detail in (
        ("maximum", "maximum(e, x)"),
        ("lap", "function lap(u)"),
        ("n", "for (n = 0"),
        ("T", "float T[x, y]"),
        ("dt", "param float dt"),
        ("laplace4", "function laplace4(u, h)"),
        ("venorm3", "function venorm3(u)"),
        ("eigsym33", "eigsym33(matrix3x3) -> vector3"),
        ("steps", "param int steps"),
        ("matrix3x3", "type"),
    ):
        assert detail in items[name]["detail"], (name, items.get(name))
    assert "2n + 1 points" in items["laplace4"]["documentation"]
    begin = text.completion("return T", behind=0)
    assert begin["return"]["sortText"] < begin["T"]["sortText"]
    assert text.completion("Heat in", behind=3) == {}
    assert "u" not in begin and "u" in text.completion("u[x - 1]", behind=1)
    assert client.end() == 0


def test_words_and_functions_of_the_language_are_explained():
    client = Client(KASC)
    text = Text(client, "file:///heat.kas", HEAT)
    items = text.completion("return T", behind=0)
    grammar = (SOURCES / "grammar/Kasc.g4").read_text()
    words = set(re.findall(r"'([a-z]+)'", grammar))
    assert len(words) >= 25, words
    operators = (SOURCES / "compiler/frontend/operators.cpp").read_text()
    functions = re.findall(r'\{"([a-z0-9]+)", [0-9]', operators[operators.index("intrinsics{") :])
    reductions = re.findall(r'\{"([a-z]+)", FoldOperator', (SOURCES / "compiler/frontend/reduction.cpp").read_text())
    assert len(functions) > 30 and len(reductions) > 10, (functions, reductions)
    for word in sorted(words) + functions + reductions:
        assert items[word].get("documentation"), word
    assert client.end() == 0


def test_document_symbols():
    client = Client(KASC)
    text = Text(client, "file:///heat.kas", HEAT)
    symbols = client.request("textDocument/documentSymbol", {"textDocument": {"uri": text.uri}})
    assert [s["name"] for s in symbols] == ["dt", "steps", "T", "q", "hot", "lap"], symbols
    assert all(text.covered(s["selectionRange"]) == s["name"] for s in symbols)
    assert text.covered(symbols[2]["range"]) == "float T[x, y] boundary keep(1);"
    assert client.end() == 0


def applied(text, edits):
    for edit in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
        begin, end = text.offset(edit["range"]["start"]), text.offset(edit["range"]["end"])
        text.text = text.text[:begin] + edit["newText"] + text.text[end:]
    return text.text


def test_formatting_is_that_of_the_command():
    client = Client(KASC)
    rough = HEAT.replace(" = ", "=").replace("    ", "  ").replace("\n\n", "\n\n\n\n").replace("q);", "q) ;  // 𝑥 °")
    want = subprocess.run([KASC, "format", "-"], input=rough.encode(), stdout=subprocess.PIPE, check=True).stdout.decode()
    text = Text(client, "file:///heat.kas", rough)
    edits = client.request("textDocument/formatting", {"textDocument": {"uri": text.uri}, "options": {}})
    assert len(edits) == 1 and applied(text, edits) == want
    text.replace(want + "T = (;\n")
    assert client.request("textDocument/formatting", {"textDocument": {"uri": text.uri}, "options": {}}) is None
    assert client.end() == 0


def test_settings_of_other_programs_do_not_matter():
    client = Client(KASC, {"settings": {"x": 512, "elsewhere": 3, "source": "no word", "n": 1000}})
    text = Text(client, "file:///heat.kas", HEAT)
    assert text.diagnostics == [] and "planned for 512" in text.hover("T = T")
    stream = Text(client, "file:///s.kas", "matrix3x3 A, B;\ninput A;\nB = mmul33(A, A);\nreturn B;\n")
    assert stream.diagnostics == [] and "planned for 1000" in stream.hover("A, B")
    assert client.end() == 0


def test_large_and_deep_texts_take_no_long_time():
    client = Client(KASC)
    declarations = "".join("float a%d[x, y];  // the field %d\n" % (k, k) for k in range(5000))
    blocks = "for (n = 0; n < 3; n++) { let a = b; " * 8000
    open_blocks = "a{b c[x]; " * 20000
    for k, program in enumerate((declarations, blocks, open_blocks, "(" * 150000, "a = " + "b + " * 30000, "x" * 3000000)):
        text = Text(client, "file:///large%d.kas" % k, program)
        for method in ("hover", "definition", "completion", "formatting", "documentSymbol"):
            place = {"line": 0, "character": 7}
            client.request("textDocument/" + method, {"textDocument": {"uri": text.uri}, "position": place})
        client.notify("textDocument/didClose", {"textDocument": {"uri": text.uri}})
    for deep in (b"[" * 200000 + b"]" * 200000, b'{"a":' * 200000 + b"1" + b"}" * 200000):
        deep = b'{"jsonrpc": "2.0", "method": "initialize", "id": ' + deep + b"}"
        client.send_bytes(b"Content-Length: %d\r\n\r\n" % len(deep) + deep)
        assert client.wait(lambda m: "error" in m)["error"]["code"] == -32700
    client.send({"jsonrpc": "2.0", "id": [1], "method": "shutdown"})
    assert client.wait(lambda m: "error" in m)["error"]["code"] == -32600
    assert client.end() == 0


def test_settings():
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "own.kas").write_text("// Four times.\nfunction fourfold(u) = 4*u;\n")
        program = "float T[x];\ninput T;\nT = fourfold(T);\nreturn T;\n"
        client = Client(KASC)
        assert only(Text(client, "file:///b.kas", program).diagnostics)["code"] == "K0203"
        client.notify("workspace/didChangeConfiguration", {"settings": {"kasc": {"libraries": [folder], "device": "a100"}}})
        assert client.wait(lambda m: m.get("method") == "textDocument/publishDiagnostics")["params"]["diagnostics"] == []
        assert client.end() == 0
        client = Client(KASC, {"libraries": folder, "device": "no device", "settings": ["x=12"]})
        fault = only(Text(client, "file:///b.kas", program).diagnostics)
        assert fault["code"].startswith("K05") and fault["range"]["start"] == {"line": 0, "character": 0}, fault
        assert client.end() == 0


def test_typing_a_program_letter_by_letter():
    client = Client(KASC)
    text = Text(client, "file:///heat.kas", "")
    program = HEAT[HEAT.index("param float") :]
    for k, letter in enumerate(program):
        at = text.position(len(text.text))
        text.text += letter
        text.changed([{"range": {"start": at, "end": at}, "text": letter}], said=False)
        if k % 16 == 0:
            client.request("textDocument/completion", {"textDocument": {"uri": text.uri}, "position": at})
            client.request("textDocument/hover", {"textDocument": {"uri": text.uri}, "position": at})
    assert client.diagnostics(text.uri, text.version) == []
    assert client.end() == 0


def test_damaged_texts_and_messages_end_nothing():
    draw = random.Random(7)
    client = Client(KASC)
    texts = [HEAT] + [(SOURCES / "examples" / (name + ".kas")).read_text() for name in ("poisson", "elastic_waves", "kwave/kwave")]
    text = Text(client, "file:///damaged.kas", "")
    for _ in range(60):
        damaged = list(draw.choice(texts)[: draw.randrange(4000)])
        for _ in range(draw.randrange(8)):
            if damaged:
                damaged[draw.randrange(len(damaged))] = draw.choice("(){}[];=,/*\"'.°𝑥\n\r 1aT{")
        text.replace("".join(damaged), said=False)
        for method in ("hover", "definition", "completion", "formatting", "documentSymbol"):
            place = {"line": draw.randrange(60), "character": draw.randrange(60)}
            client.ask("textDocument/" + method, {"textDocument": {"uri": text.uri}, "position": place})
    for _ in range(60):
        body = json.dumps({"jsonrpc": "2.0", "id": "x", "method": "textDocument/hover", "params": text.at("")}).encode()
        cut = body[: draw.randrange(len(body))]
        client.send_bytes(b"Content-Length: %d\r\n\r\n" % len(cut) + cut)
    client.send_bytes(b"Content-Length: 100000\r\n\r\n{")  # cut off within a message: the input ends
    client.process.stdin.close()
    assert client.process.wait(timeout=20) == 1


def main():
    tests = {name: test for name, test in globals().items() if name.startswith("test_")}
    wanted = sys.argv[3:] or tests
    for name in wanted:
        begun = time.monotonic()
        tests[name]()
        print("ok %s, %.1f s" % (name, time.monotonic() - begun), flush=True)


main()
