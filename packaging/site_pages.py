"""site_pages.py FOLDER   collects what mkdocs makes a site of (mkdocs.yml): README.md and all that it leads to, by the same paths.

Pages of the repository link to its sources and folders, which a forge shows. Here a source becomes a page that shows it, and a folder
a page that lists it, so that every link leads somewhere.
"""
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
FIRST = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
COPIED = {".png", ".svg", ".csv"}
LANGUAGES = {".py": "python", ".sh": "bash", ".json": "json"}
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")


def title_of(page):
    return next(line[2:] for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("# "))


def page_of(path):
    """Where the page of a file or folder of the repository stands, by its path from the root."""
    if (ROOT / path).is_dir():
        return path / "README.md"
    return path if path.suffix == ".md" or path.suffix in COPIED else path.with_name(path.name + ".md")


def listing(folder):
    """Of a folder without README.md."""
    yield f"# {folder}"
    yield ""
    for entry in sorted((ROOT / folder).iterdir()):
        if entry.name.startswith((".", "__")):
            continue
        text = title_of(entry) if entry.suffix == ".md" else entry.name
        yield f"- [{text}]({entry.name})"


def shown(path):
    """A source as a page."""
    yield f"# {path.name}"
    yield ""
    yield f"`{path}`"
    yield ""
    yield f"~~~~{LANGUAGES.get(path.suffix, 'c')}"
    yield (ROOT / path).read_text(encoding="utf-8").rstrip("\n")
    yield "~~~~"


def outside_boxes(text):
    """Lines, and whether each stands outside of boxes of code."""
    outside = True
    for line in text.splitlines():
        if line.startswith(("```", "~~~")):
            outside = not outside
            yield line, False
        else:
            yield line, outside and not line.startswith("    ")


class Site:
    def __init__(self, folder):
        self.folder, self.done, self.open = folder, set(), []

    def collect(self):
        self.open = [pathlib.Path(name) for name in FIRST if (ROOT / name).exists()]
        while self.open:
            path = self.open.pop()
            if path not in self.done:
                self.done.add(path)
                self.write(path)

    def write(self, path):
        to = self.folder / page_of(path)
        to.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in COPIED:
            shutil.copyfile(ROOT / path, to)
        elif (ROOT / path).is_dir():
            readme = ROOT / path / "README.md"
            text = readme.read_text(encoding="utf-8") if readme.exists() else "\n".join(listing(path))
            to.write_text(self.linked(text, path), encoding="utf-8")
        elif path.suffix == ".md":
            to.write_text(self.linked((ROOT / path).read_text(encoding="utf-8"), path.parent), encoding="utf-8")
        else:
            to.write_text("\n".join(shown(path)) + "\n", encoding="utf-8")

    def linked(self, text, folder):
        """Links lead to pages; lists have an empty line before them, which mkdocs' Markdown needs."""

        def to_page(link):
            target, place = link.groups()
            if "://" in target or target.startswith("mailto:"):
                return link.group(0)
            path = (ROOT / folder / target).resolve().relative_to(ROOT)
            if not (ROOT / path).exists():
                sys.exit(f"{folder}: a link to {target}, which is not there")
            self.open.append(path)
            page = page_of(path)
            return "](" + pathlib.PurePosixPath(relative(page, folder)).as_posix() + (place or "") + ")"

        lines, before = [], ""
        for line, outside in outside_boxes(text):
            if outside:
                item = re.match(r"([-*]|\d+\.) ", line)
                if item and before.strip() and not re.match(r"([-*]|\d+\.) |  ", before):
                    lines.append("")
                line = LINK.sub(to_page, line)
            lines.append(line)
            before = line
        return "\n".join(lines) + "\n"


def relative(path, folder):
    """From a folder to a path, both from the root."""
    there, here = path.parts, pathlib.Path(folder).parts
    common = 0
    while common < min(len(there) - 1, len(here)) and there[common] == here[common]:
        common += 1
    return "/".join([".."] * (len(here) - common) + list(there[common:]))


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1])
    shutil.rmtree(target, ignore_errors=True)
    Site(target).collect()
