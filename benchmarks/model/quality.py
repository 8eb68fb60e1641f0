"""How good the model's order is: predicted against measured times from what `kasc tune --export` wrote.

    kasc tune examples/P.kas --set n=2097152 --top 50 --export T/P.best.json
    kasc tune examples/P.kas --set n=2097152 --strategy random:1 --top 32 --export T/P.random.json
    python3 benchmarks/model/quality.py --exports T --out results

Writes model-quality.md, a table with a row a program, model-quality.svg, a plot a program, and model-quality.csv, every plan. `best`: the plans that the
model thinks best; `random`: partitions drawn at random, each fusion in its best form. Plans whose medians lie closer together
than a run's own spread cannot be told apart by any model: the column 'spread of the best' says how much there was to order."""
import argparse
import json
from pathlib import Path

COLUMNS, WIDTH, HEIGHT, MARGIN = 4, 300, 260, 46


def ranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    rank, i = [0.0] * len(values), 0
    while i < len(order):
        j = i
        while j + 1 < len(order) and values[order[j + 1]] == values[order[i]]:
            j += 1
        for k in order[i : j + 1]:
            rank[k] = (i + j) / 2
        i = j + 1
    return rank


def spearman(points):
    """Rank correlation of predicted and measured times; ties share their mean rank."""
    a, b = (ranks([p[k] for p in points]) for k in (0, 1))
    mean = (len(points) - 1) / 2
    cross = sum((x - mean) * (y - mean) for x, y in zip(a, b))
    scale = (sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)) ** 0.5
    return cross / scale if scale > 0 else 0.0


def read(path):
    """(predicted, measured, relative spread of a run), times in microseconds; best predicted first."""
    points = []
    document = json.loads(path.read_text())
    for result in sorted(document["results"], key=lambda r: int(r["configuration"]["position"])):
        if result["invalidity"] != "correct":
            continue
        values = {m["name"]: m["value"] for m in result["measurements"]}
        times = sorted(result["times"]["runtimes"])
        quartiles = (times[3 * len(times) // 4] - times[len(times) // 4]) / values["time"]
        points.append((values["predicted"] * 1e3, values["time"] * 1e3, quartiles))
    return points


def lines_of(name, kind, path):
    """program, set, predicted us, measured us, plan"""
    for result in json.loads(path.read_text())["results"]:
        if result["invalidity"] == "correct":
            values = {m["name"]: m["value"] for m in result["measurements"]}
            yield f'{name},{kind},{values["predicted"] * 1e3:.2f},{values["time"] * 1e3:.2f},"{result["configuration"]["plan"]}"'


def row(name, best, random):
    measured = [m for _, m, _ in best]
    everything = best + random
    errors = sorted(abs(p / m - 1) for p, m, _ in everything)
    return {
        "program": name,
        "top-1 / best": measured[0] / min(measured),
        "position of the best": 1 + measured.index(min(measured)),
        "plans": len(best),
        "spread of the best": max(measured) / min(measured),
        "spread of a run": sorted(q for *_, q in best)[len(best) // 2],
        "Spearman, best": spearman(best),
        "Spearman, random": spearman(random),
        "Spearman, all": spearman(everything),
        "median error": errors[len(errors) // 2],
    }


def table(rows):
    lines = [
        "| program | top-1 time / best | position of the best | spread of the best | spread of a run | Spearman: best | random | all | median error |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for r in rows:
        lines.append(
            f"| {r['program']} | {r['top-1 / best']:.3f} | {r['position of the best']} of {r['plans']} | {(r['spread of the best'] - 1) * 100:.1f} % | "
            f"{r['spread of a run'] * 100:.1f} % | {r['Spearman, best']:.2f} | {r['Spearman, random']:.2f} | {r['Spearman, all']:.2f} | {r['median error'] * 100:.1f} % |"
        )
    return "\n".join(lines) + "\n"


def plot(name, best, random, left, top):
    """Both axes logarithmic and alike; the diagonal is a perfect prediction."""
    from math import log

    values = [v for p in best + random for v in p[:2]]
    low, high = log(min(values) * 0.95), log(max(values) * 1.05)
    size = min(WIDTH, HEIGHT) - MARGIN - 24
    place = lambda v: (log(v) - low) / (high - low) * size
    x0, y0 = left + MARGIN, top + 20 + size
    out = [
        f'<rect x="{x0}" y="{y0 - size}" width="{size}" height="{size}" fill="none" stroke="#999"/>',
        f'<line x1="{x0}" y1="{y0}" x2="{x0 + size}" y2="{y0 - size}" stroke="#bbb"/>',
        f'<text x="{x0}" y="{y0 - size - 6}" font-weight="bold">{name}</text>',
        f'<text x="{x0 + size / 2}" y="{y0 + 26}" text-anchor="middle">predicted, us</text>',
        f'<text transform="translate({x0 - 32} {y0 - size / 2}) rotate(-90)" text-anchor="middle">measured, us</text>',
    ]
    for value in ticks(min(values) * 0.95, max(values) * 1.05):
        at = place(value)
        out.append(f'<text x="{x0 + at:.1f}" y="{y0 + 12}" text-anchor="middle" fill="#555">{value:g}</text>')
        out.append(f'<text x="{x0 - 4}" y="{y0 - at + 3:.1f}" text-anchor="end" fill="#555">{value:g}</text>')
    for points, colour in ((random, "#c60"), (best, "#06c")):
        out += [
            f'<circle cx="{x0 + place(p):.1f}" cy="{y0 - place(m):.1f}" r="2.5" fill="{colour}" fill-opacity="0.6"/>'
            for p, m, _ in points
        ]
    return out


def ticks(low, high):
    found = [m * 10**e for e in range(0, 6) for m in (1, 2, 3, 5, 7) if low <= m * 10**e <= high]
    return found[:: max(1, len(found) // 4)]


def picture(programs):
    lines = -(-len(programs) // COLUMNS)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{COLUMNS * WIDTH}" height="{lines * HEIGHT + 20}" font-family="sans-serif" font-size="10">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for k, (name, best, random) in enumerate(programs):
        out += plot(name, best, random, k % COLUMNS * WIDTH, k // COLUMNS * HEIGHT)
    out.append(
        f'<text x="{MARGIN}" y="{lines * HEIGHT + 14}"><tspan fill="#06c">blue: the best by the model</tspan>, '
        '<tspan fill="#c60">orange: partitions drawn at random</tspan>, line: a perfect prediction</text></svg>'
    )
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--exports", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--title", default="")
    arguments = parser.parse_args()
    folder = Path(arguments.exports)
    names = sorted(p.name.removesuffix(".best.json") for p in folder.glob("*.best.json"))
    programs = [(n, read(folder / f"{n}.best.json"), read(folder / f"{n}.random.json")) for n in names]
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    heading = f"# {arguments.title}\n\n" if arguments.title else ""
    text = table([row(*p) for p in programs])
    (out / "model-quality.md").write_text(heading + text)
    (out / "model-quality.svg").write_text(picture(programs))
    plans = [line for n in names for kind in ("best", "random") for line in lines_of(n, kind, folder / f"{n}.{kind}.json")]
    (out / "model-quality.csv").write_text("\n".join(["program,set,predicted us,measured us,plan", *plans]) + "\n")
    print(text)


if __name__ == "__main__":
    main()
