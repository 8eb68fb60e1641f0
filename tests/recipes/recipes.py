"""recipes.py KASC   follows the recipes of CONTRIBUTING.md and docs/walks.md, docs/search.md, so that they cannot go stale.

Commands in boxes marked "sh" are run, on the files that stand in boxes before them: the last name in backquotes before a box is the
file's. Files that tables and lists name must exist, and what stands in backquotes beside them must stand in one of the files of
that row. Of what the compiler has several of, such as rules, each must have been made as its recipe says.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)
faults = []


def expect(holds, fault):
    if not holds:
        faults.append(fault)


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def sections(page, level):
    """Of a page's headings of this level: title → text."""
    parts = re.split(rf"^{'#' * level} (.*)$", text_of(page), flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def follow(title, text, kasc):
    """Runs what a recipe says in a folder that looks like a checkout, and is thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        for entry in ROOT.iterdir():
            if not entry.name.startswith((".", "build")):
                (here / entry.name).symlink_to(entry)
        (here / ".bin").mkdir()
        (here / ".bin/kasc").symlink_to(pathlib.Path(kasc).resolve())
        before = 0
        for box in FENCE.finditer(text):
            if box.group(1) == "sh":
                called = ["bash", "-euo", "pipefail", "-c", f'PATH="$PWD/.bin:$PATH"\n{box.group(2)}']
                run = subprocess.run(called, cwd=here, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8")
                expect(run.returncode == 0, f"{title}: status {run.returncode} of\n{box.group(2)}{run.stdout}")
            else:
                names = re.findall(r"`([\w/.]+\.\w+)`", text[before : box.start()])
                expect(names, f"{title}: a box without a name before it")
                if names:
                    (here / names[-1]).parent.mkdir(exist_ok=True)
                    (here / names[-1]).write_text(box.group(2), encoding="utf-8")
            before = box.end()


def rows(text):
    """Rows of tables of files: the first cell's words in backquotes, and those of the second."""
    for line in text.splitlines():
        cells = line.strip("| ").split(" | ")
        if line.startswith("| `") and len(cells) == 2:
            yield re.findall(r"`([^`]+)`", cells[0]), re.findall(r"`([^`]+)`", cells[1])


def named_files(names, folder, stands_for):
    """`walk.hpp`, `walk.cpp` of a row lie in the folder of its first file; `<walk>` stands for an example, `walk.*` for all."""
    found, last = [], folder
    for name in names:
        for mark, example in stands_for.items():
            name = name.replace(mark, example)
        places = [last] if "/" not in name else [folder]
        paths = [p for place in places for p in sorted((ROOT / place).glob(name.rstrip("/")))]
        found.append((name, paths))
        if paths:
            last = paths[0].parent.relative_to(ROOT)
    return found


def check_tables(title, text, folders, stands_for, words):
    for names, marked in rows(text):
        texts = ""
        for name, paths in max(
            (named_files(names, folder, stands_for) for folder in folders), key=lambda f: sum(map(bool, dict(f).values()))
        ):
            expect(paths, f"{title}: there is no {name}")
            texts += "".join(p.read_text(encoding="utf-8") for p in paths if p.is_file())
        if not texts or not words:
            continue
        for word in marked:
            word = word.split("=")[0].split("(")[0].removeprefix("r_.")
            if re.fullmatch(r"[A-Za-z_]\w+", word) and word != "KASC_UPDATE_GOLDEN":
                expect(word in texts, f"{title}: no '{word}' in {', '.join(names)}")


def check_rules():
    """Each rule has its enumerator, its line and its row; rules are what --no-rewrite takes."""
    source, header = text_of("compiler/rewrite/rewrite.cpp"), text_of("compiler/rewrite/rewrite.hpp")
    rules = re.findall(r"\{Rule::(\w+), \"(\w+)\"", source)
    expect(len(rules) >= 9, "rules: the list of compiler/rewrite/rewrite.cpp was not found")
    for enumerator, name in rules:
        expect(enumerator == name, f"rules: {enumerator} is called {name}")
        expect(re.search(rf"^///   {name} +\S", header, re.M), f"rules: no line for {name} in the comment of rewrite.hpp")
        expect(
            f"\n| `{name}` |" in sections("docs/architecture.md", 2)["Rewrites"],
            f"rules: no row for {name} in docs/architecture.md",
        )


def check_walks():
    """Each walk has its enumerator, a word in docs/plans.md and one in the glossary."""
    source, header = text_of("compiler/search/choice_text.cpp"), text_of("compiler/search/choice.hpp")
    walks = re.findall(r"\"(\w+)\", static_cast<int>\(Walk::(\w+)\)", source)
    expect(len(walks) >= 9, "walks: the list of compiler/search/choice_text.cpp was not found")
    row = next(line for line in text_of("docs/glossary.md").splitlines() if line.startswith("| walk |"))
    for name, enumerator in walks:
        expect(enumerator == name, f"walks: {enumerator} is called {name}")
        expect(re.search(rf"enum class Walk \{{[^}}]*\b{name}\b", header), f"walks: no enumerator {name}")
        word = "storing" if name == "stored" else name  # nobody asks for its threads, which are the library's
        expect(re.search(rf"`[^`]*\b{word}\b[^`]*`", text_of("docs/plans.md")), f"walks: no word {word} in docs/plans.md")
        expect(f"`{name}`" in row, f"walks: no {name} in the glossary's row of walks")


def check_devices():
    """Devices that come with kasc are found by name."""
    for device in sorted((ROOT / "devices").glob("*.json")):
        call = [sys.argv[1], "compile", "examples/heat2d.kas", "--device", device.stem, "--emit", "plan"]
        said = subprocess.run(call, cwd=ROOT, capture_output=True, encoding="utf-8")
        expect(said.returncode == 0, f"devices: {device.stem}\n{said.stderr}")


def check_forges():
    """Hosted CI runs what everybody runs."""
    for file in (".github/workflows/ci.yml", ".gitlab-ci.yml", ".forgejo/workflows/ci.yml"):
        expect(re.search(r"^ *- (run: )?\.ci/run$", text_of(file), re.M), f"{file} does not call .ci/run")


def check_dependencies():
    """docs/dependencies.md has every package that examples/setup.sh installs, and no library is linked that it lacks."""
    page = text_of("docs/dependencies.md")
    packages = re.search(r"^packages=\((.*?)\$\{", text_of("examples/setup.sh"), re.S | re.M).group(1).split()
    expect(len(packages) >= 15, "dependencies: the list of examples/setup.sh was not found")
    for package in packages:
        expect(package in page, f"docs/dependencies.md lacks {package}")
    for library in re.findall(r"^find_package\((\w+)", text_of("cmake/dependencies.cmake"), re.M):
        plain = library.lower().removesuffix("11").replace("_", "/").removesuffix("3")
        expect(library == "Threads" or plain in page.lower(), f"docs/dependencies.md lacks {library}")


def main(kasc):
    recipes = sections("CONTRIBUTING.md", 2)["Recipes"]
    parts = re.split(r"^### (.*)$", recipes, flags=re.M)
    titles = parts[1::2]
    for wanted in ("function", "walk", "rule", "diagnostic", "device"):
        expect(any(wanted in title for title in titles), f"no recipe for a {wanted}")
    for title, text in zip(titles, parts[2::2]):
        follow(title, text, kasc)
        check_tables(title, text, ["."], {}, words=True)
    check_tables("docs/walks.md", text_of("docs/walks.md"), ["compiler", "."], {"<walk>": "warp"}, words=False)
    strategy = sections("docs/search.md", 2)["Adding a strategy"]
    for word, file in re.findall(
        r"`([A-Z]\w+|make_selection|contract|tie_ranks)[^`]*`[^`]*?\(?`((?:compiler/)?select/\w+\.hpp)`", strategy
    ):
        path = file if file.startswith("compiler/") else f"compiler/{file}"
        expect((ROOT / path).exists() and word in text_of(path), f"docs/search.md: no {word} in {path}")
    check_rules()
    check_walks()
    check_devices()
    check_forges()
    check_dependencies()
    for fault in faults:
        print("error:", fault)
    print(f"{len(titles)} recipes, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
