#!/usr/bin/env bash
# The documentation becomes a site without a warning, and no link of it leads to nowhere. Skipped (77) without mkdocs.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
command -v mkdocs >/dev/null || { echo "no mkdocs: skipped" && exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export KASC_SITE_PAGES=$work/pages KASC_SITE=$work/site PYTHONDONTWRITEBYTECODE=1
python3 "$root/packaging/site_pages.py" "$work/pages"
mkdocs build --quiet --strict -f "$root/mkdocs.yml"
python3 - "$work/site" <<'END'
import html, pathlib, re, sys, urllib.parse
site = pathlib.Path(sys.argv[1])
texts = {page: page.read_text(encoding="utf-8") for page in site.rglob("*.html") if page.name not in ("404.html", "search.html")}
ids = {page: set(re.findall(r'\bid="([^"]*)"', text)) for page, text in texts.items()}
faults = 0
for page, text in texts.items():
    for link in re.findall(r'<(?:a|img)\b[^>]*?\b(?:href|src)="([^"]*)"', text):
        link = urllib.parse.urlsplit(html.unescape(link))
        if link.scheme or link.netloc:
            continue
        to = (page.parent / urllib.parse.unquote(link.path)).resolve() if link.path else page
        place = urllib.parse.unquote(link.fragment)
        if not to.is_file() or (place and place not in ids.get(to, {place})):
            faults += 1
            print(f"error: {page.relative_to(site)}: {link.geturl()}")
print(f"{len(texts)} pages, {faults} faults")
sys.exit(1 if faults or len(texts) < 50 else 0)
END
