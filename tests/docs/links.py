"""links.py   Every link between pages of the repository leads to a file that is there, and to a heading that is there."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def without_boxes(text):
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", lambda code: code.group(0).replace("](", "] ("), text)


def place_of(heading):
    """As forges name it: small letters, hyphens for blanks, no other sign."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def pages():
    """Those that git knows, or would; without git all that are there."""
    found = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    if found.returncode == 0:
        return [ROOT / name for name in found.stdout.split() if (ROOT / name).exists()]
    return [page for page in ROOT.rglob("*.md") if not page.relative_to(ROOT).parts[0].startswith("build")]


def main():
    texts = {page: without_boxes(page.read_text(encoding="utf-8")) for page in pages()}
    places = {page: {place_of(h) for h in re.findall(r"^#+ (.*)$", text, flags=re.M)} for page, text in texts.items()}
    links = faults = 0
    for page, text in texts.items():
        for target, place in re.findall(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)", text):
            if "://" in target:
                continue
            links += 1
            to = (page.parent / target).resolve() if target else page
            fault = "" if to.exists() else "is not there"
            if place and to in places and place not in places[to]:
                fault = f"has no heading #{place}"
            if fault:
                faults += 1
                print(f"error: {page.relative_to(ROOT)}: {target or 'the page'} {fault}")
    print(f"{links} links of {len(texts)} pages, {faults} faults")
    return 1 if faults or links < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
