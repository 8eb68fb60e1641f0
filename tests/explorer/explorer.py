"""explorer.py KASC   reports of programs of all kinds, opened in a headless Chromium: 77 where there is none.

Each page at 1280 and 400 pixels, dark and light: nothing is wrong on the console, nothing comes from elsewhere, every
link leads to something, filters leave what they say, a statement lights up its kernel and a kernel its statements,
and no element is wider than the page."""

import os
import subprocess
import sys
import tempfile

import browser

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
PROGRAMS = {
    "streams": ["examples/big_fusion.kas"],
    "loop in a kernel": ["examples/polar_decomposition.kas"],
    "field": ["examples/heat3d.kas"],
    "steps in a kernel": [
        "examples/diffusion.kas",
        "--steps",
        "4",
        "--plan",
        "T+T.2+T.3+T.4: pipeline 32x8 rows 4 chunk 128 unroll 3",
    ],
    "transforms": ["examples/kwave/kwave.kas"],
    "whole lines": ["examples/blas/softmax.kas"],
    "cpu": ["examples/sync_test.kas", "--device", "cpu", "--set", "n=1024"],
}
MEASURED = "cpu"  # kasc tune times two of its plans before

LINKS = """
[...document.querySelectorAll('a[href^="#"]')].map((a) => a.getAttribute('href').slice(1))
  .filter((id) => !document.getElementById(id)).map((id) => 'links to nothing: ' + id)
"""
# What scrolls by itself may hold what is wider.
TOO_WIDE = """
[...document.querySelectorAll('body *')].filter((e) => {
  if (e.closest('.box, nav, .skip, #selection') && !e.matches('.box, nav')) return false;
  const r = e.getBoundingClientRect();
  return r.width > 0 && (r.right > innerWidth + 1 || r.left < -1);
}).slice(0, 5).map((e) => e.outerHTML.slice(0, 120))
"""
# Texts must have 4.5 times the relative luminance of what is behind them, or the reverse (WCAG 2); a statement is selected.
CONTRAST = """
(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true }), known = new Map();
  const painted = (c) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = c;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const channels = (c) => known.get(c) || known.set(c, painted(c)).get(c);
  const luminance = (rgb) => rgb.map((v) => v / 255)
    .map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((s, v, k) => s + v * [0.2126, 0.7152, 0.0722][k], 0);
  // What is behind a text: marks let the colour of what is behind them through.
  const behind = (e) => {
    if (!e) return [255, 255, 255];
    const [r, g, b, a] = channels(getComputedStyle(e).backgroundColor), share = a / 255;
    if (share === 1) return [r, g, b];
    const back = behind(e.parentElement);
    return [r, g, b].map((v, k) => v * share + back[k] * (1 - share));
  };
  const found = [];
  select({ statement: data.source.statements.findLastIndex((s) => s.kernels.length > 0) });
  for (const e of document.querySelectorAll('h1, p, dt, dd, td, a, .badge, .comment, .number, button, summary, label, li')) {
    if (e.getBoundingClientRect().width === 0 || !e.textContent.trim()) continue;
    const a = luminance(channels(getComputedStyle(e).color).slice(0, 3)), b = luminance(behind(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.push(`contrast ${ratio.toFixed(2)}: ${e.outerHTML.slice(0, 100)}`);
    if (found.length > 3 || e.closest('#candidate-rows tr:nth-child(n+4)')) break;
  }
  select({});
  return found;
})()
"""
STATEMENT = """
(() => {
  const faults = [];
  data.source.statements.forEach((s, number) => {
    const link = document.querySelector(`a.statement[href="#statement-${number}"]`);
    if (!link || s.kernels.length === 0) return;
    link.click();
    if (!link.classList.contains('on')) faults.push(`statement ${number} is not marked`);
    for (const k of s.kernels) {
      const card = document.getElementById(data.kernels[k].anchor);
      if (!card.querySelector('summary').classList.contains('on')) faults.push(`statement ${number}: card of kernel ${k}`);
      if (!document.querySelector(`#kernels tbody tr:nth-child(${k + 1})`).classList.contains('on')) faults.push(`row of kernel ${k}`);
      const drawn = data.graphs.some((g) => g.drawing.nodes.some((n) => n.kernel === k));
      if (drawn && !document.querySelector(`#graph .node.k${k % 10}.on`)) faults.push(`graph of kernel ${k}`);
      const emitted = data.code.some((f) => f.kernels.some((l) => l[2] === k));
      if (emitted && !document.querySelector(`#emitted .of.k${k % 10}.on`)) faults.push(`code of kernel ${k}`);
    }
    if (location.hash !== `#statement-${number}`) faults.push(`address ${location.hash}`);
  });
  return faults;
})()
"""
KERNEL = """
(() => {
  const faults = [];
  data.kernels.forEach((kernel, k) => {
    document.querySelector(`#kernels tbody tr:nth-child(${k + 1}) td:nth-child(3)`).click();
    const wanted = data.source.statements.flatMap((s, number) => s.kernels.includes(k) ? [number] : []);
    for (const number of wanted) {
      const links = [...document.querySelectorAll(`a.statement[href="#statement-${number}"]`)];
      if (links.length > 0 && !links.every((a) => a.classList.contains('on'))) faults.push(`kernel ${k}: statement ${number}`);
    }
    const others = document.querySelectorAll('details.kernel > summary.on').length;
    if (others !== 1) faults.push(`kernel ${k}: ${others} cards`);
  });
  select({});
  if (document.querySelector('.on')) faults.push('something stays marked');
  return faults;
})()
"""
FILTERS = """
(() => {
  const faults = [], input = (id, value) => {
    const e = document.getElementById(id);
    if (e.type === 'checkbox') e.checked = value; else e.value = value;
    e.dispatchEvent(new Event(e.tagName === 'SELECT' || e.type === 'checkbox' ? 'change' : 'input'));
  };
  const count = () => parseInt(document.getElementById('candidate-count').textContent);
  const rows = () => document.querySelectorAll('#candidate-rows tr').length;
  const check = (what, wanted) => {
    if (count() !== wanted || rows() !== Math.min(wanted, table.most)) faults.push(`${what}: ${count()} and ${rows()} for ${wanted}`);
  };
  const all = table.rows.length;
  check('all', all);
  const chosen = table.rows.filter((r) => r.chosen === 1);
  input('filter-best', true);
  check('of the plan', chosen.length);
  input('filter-best', false);
  const name = chosen[0].set.split('+')[0];
  input('filter-calls', name);
  const named = table.rows.filter((r) => r.set.split('+').some((c) => c === name || c.startsWith(name + '.'))).length;
  check('calls', named);
  input('filter-calls', 'no_such_call');
  check('no call', 0);
  input('filter-calls', '');
  input('filter-kind', chosen[0].kind);
  check('kind', table.rows.filter((r) => r.kind === chosen[0].kind).length);
  input('filter-kind', '');
  input('filter-feasible', 'no');
  check('impossible', table.rows.filter((r) => r.reason !== undefined).length);
  input('filter-feasible', 'yes');
  const best = Math.min(...table.rows.map((r) => r.time_ns)), most = best / 1e3 * 1.5;
  input('filter-time', String(most));
  const fast = table.rows.filter((r) => r.time_ns <= most * 1e3).length;
  check('time', fast);
  if (fast === 0 || fast > all) faults.push('no row is fast');
  input('filter-time', '');
  input('filter-feasible', '');
  check('all again', all);
  return faults;
})()
"""
DEEP = """
(() => {
  const faults = [];
  for (const kernel of data.kernels.slice(-2)) {
    location.hash = '#' + kernel.anchor;
    follow();
    const card = document.getElementById(kernel.anchor), top = card.getBoundingClientRect().top;
    if (!card.open || !(top < innerHeight)) faults.push(`${kernel.anchor} is not shown: ${top}`);
  }
  return faults;
})()
"""


def report(kasc, arguments, page):
    subprocess.run(
        [kasc, "explain", *arguments, "--html", page],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "XDG_DATA_HOME": os.path.dirname(page)},
    )


def look(window, name, width, dark, scripts=()):
    faults = [f"too wide: {e}" for e in window.run(TOO_WIDE)]
    if window.run("document.documentElement.scrollWidth") > width:
        faults.append("the page scrolls sideways")
    for script in scripts:
        faults += window.run(script)
    faults += window.complaints()
    return [f"{name}, {width} pixels, {'dark' if dark else 'light'}: {fault}" for fault in faults]


def measure(kasc, folder):
    """A database as kasc tune leaves it, as an option of kasc explain."""
    database = os.path.join(folder, "measured.sqlite")
    subprocess.run(
        [
            kasc,
            "tune",
            *PROGRAMS[MEASURED][:1],
            "--target",
            "cpu",
            "--set",
            "n=1024",
            "--top",
            "2",
            "--repeats",
            "3",
            "--db",
            database,
        ],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return ["--db", database]


def main(kasc):
    command = browser.find()
    if command is None:
        print("there is no Chromium")
        return 77
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        opened = browser.Browser(command)
        try:
            for name, arguments in PROGRAMS.items():
                page = os.path.join(folder, name.replace(" ", "_") + ".html")
                measured = name == MEASURED
                report(kasc, arguments + (measure(kasc, folder) if measured else []), page)
                window = browser.Page(opened, page, 1280)
                faults += look(window, name, 1280, False, (CONTRAST, LINKS, FILTERS, STATEMENT, KERNEL, DEEP))
                window.size(400)
                faults += look(window, name, 400, False)
                window.scheme(True)
                faults += look(window, name, 400, True, (CONTRAST,))
                window.size(1280)
                faults += look(window, name, 1280, True)
                if measured and window.run("document.querySelectorAll('#scatter circle').length") != 2:
                    faults.append("two plans were measured, and the scatter has others")
                if not measured and window.run("document.getElementById('not-measured') === null"):
                    faults.append(f"{name}: it does not say that nothing was measured")
                window.close()
        finally:
            opened.close()
    for fault in faults[:40]:
        print(fault)
    print(f"{len(PROGRAMS)} pages, {len(faults)} faults")
    return 1 if faults else 0


sys.exit(main(sys.argv[1]))
