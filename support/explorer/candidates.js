// All candidates: filters, a scatter, a table; sets of calls that no kernel can have stand among them with the reason.

const kinds = ["stream", "grid", "flat", "column", "warp", "row", "line", "pipeline", "loop", "transform"];
const shownAtFirst = 60, mostPoints = 2500;

function kindOf(choice) {
  const word = choice.split(" ")[0];
  return word === "implementations" ? "stream" : kinds.includes(word) ? word : "transform";
}
function candidateRows() {
  const rows = [];
  data.graphs.forEach((graph, g) => {
    if (!graph.candidates) return;
    const { columns, sets, rows: all, impossible } = graph.candidates;
    for (const values of all) {
      const row = Object.fromEntries(columns.map((name, k) => [name, values[k]]));
      rows.push({ ...row, set: sets[row.set], graph: g, kind: kindOf(row.choice), plan: `${sets[row.set]}: ${row.choice}` });
    }
    for (const [set, kind, reason] of impossible) rows.push({ set, graph: g, kind, reason, time_ns: Infinity });
  });
  const measured = new Map();
  for (const p of data.measured ? data.measured.plans : [])
    if (p.measured_ns !== undefined)
      for (const part of p.plan.split("; ")) measured.set(part, Math.min(measured.get(part) ?? Infinity, p.measured_ns));
  for (const row of rows) row.measured_ns = measured.get(row.plan);
  return rows.sort((a, b) => a.time_ns - b.time_ns);
}

const table = { rows: [], shown: [], sort: "chosen", down: false, most: shownAtFirst };

/// Do these calls, "L+T.2", have all that the filter names?
function hasCalls(set, wanted) {
  const calls = set.split("+");
  return wanted.every((w) => calls.includes(w) || (!w.includes(".") && calls.some((c) => c === w || c.startsWith(w + "."))));
}
function readFilters() {
  const value = (id) => section(id).value.trim();
  return { calls: value("filter-calls").split(/[\s,;+]+/).filter(Boolean), kind: value("filter-kind"), feasible: value("filter-feasible"),
    most: value("filter-time") === "" ? Infinity : Number(value("filter-time")) * 1e3, graph: value("filter-graph"), best: section("filter-best").checked };
}
function passes(row, f) {
  if (f.calls.length > 0 && !hasCalls(row.set, f.calls)) return false;
  if (f.kind !== "" && row.kind !== f.kind) return false;
  if (f.feasible === "yes" && row.reason !== undefined) return false;
  if (f.feasible === "no" && row.reason === undefined) return false;
  if (f.most < Infinity && !(row.time_ns <= f.most)) return false;
  if (f.graph !== "" && row.graph !== Number(f.graph)) return false;
  return !f.best || row.chosen === 1;
}
function planPasses(p, f) {
  const kernels = p.plan.split("; ").map((part) => part.split(": "));
  if (f.calls.length > 0 && !kernels.some(([set]) => hasCalls(set, f.calls))) return false;
  if (f.kind !== "" && !kernels.some(([, choice]) => kindOf(choice || "") === f.kind)) return false;
  if (f.feasible !== "" && (p.measured_ns !== undefined) !== (f.feasible === "yes")) return false;
  return !(f.most < Infinity) || p.predicted_ns <= f.most;
}

const columns = [["set", "calls", "words wrap"], ["graph", "of", "words"], ["kind", "kind", "words"], ["choice", "choice", "words wrap choice"],
  ["time_ns", "predicted", ""], ["measured_ns", "measured", ""], ["global_bytes", "bytes", ""], ["global_ns", "memory", ""], ["shared_ns", "shared", ""],
  ["arithmetic_ns", "arithmetic", ""], ["latency_ns", "latency", ""], ["registers", "registers", ""],
  ["shared_bytes_per_block", "shared a block", ""], ["occupancy", "occupancy", ""], ["barriers", "barriers", ""]];

function shownColumns() { return columns.filter(([name]) => name !== "measured_ns" || data.measured); }
function cell(row, name) {
  const value = row[name];
  if (name === "choice" && row.reason !== undefined) return row.reason;
  if (name === "graph") return data.graphs[value].name;
  if (value === undefined || value === Infinity) return "–";
  if (name.endsWith("_ns")) return time(value);
  if (name === "global_bytes" || name === "shared_bytes_per_block") return bytes(value);
  return name === "occupancy" ? percent(value) : String(value);
}
/// The kernel that a chosen candidate has become; -1: it is not chosen.
function kernelOf(row) {
  return row.chosen === 1 ? data.kernels.findIndex((k) => k.graph === row.graph && k.set === row.set) : -1;
}
function rowElement(row) {
  const kernel = kernelOf(row), on = kernel >= 0 && selectedKernels().includes(kernel);
  return make("tr", { class: kernel >= 0 ? `chosen ${hue(kernel)} ${on ? "on" : ""}` : null, "data-kernel": kernel >= 0 ? kernel : null,
    onclick: kernel >= 0 ? () => select({ kernel }) : null },
    shownColumns().map(([name, , style]) => make("td", { class: style }, cell(row, name))));
}

/// The plan's own candidates, then others of the same calls, then the rest.
function planRank(row) {
  if (row.chosen === 1) return 0;
  return data.kernels.some((k) => k.graph === row.graph && k.set === row.set) ? 1 : 2;
}

function refresh() {
  const f = readFilters();
  table.shown = table.rows.filter((row) => passes(row, f));
  const key = table.sort, sign = table.down ? -1 : 1;
  const rank = (value) => value === undefined ? Infinity : value;
  if (key === "chosen") table.shown.sort((a, b) => planRank(a) - planRank(b));
  else table.shown.sort((a, b) => {
    const x = rank(a[key]), y = rank(b[key]);
    return x === y ? 0 : x < y ? -sign : sign;
  });
  section("candidate-rows").replaceChildren(...table.shown.slice(0, table.most).map(rowElement));
  section("candidate-count").textContent = `${table.shown.length} of ${table.rows.length} rows`
    + (table.shown.length > table.most ? `, the first ${table.most} are below` : "");
  section("candidate-more").hidden = table.shown.length <= table.most;
  for (const th of document.querySelectorAll("#candidate-table th"))
    th.setAttribute("aria-sort", th.dataset.column === key ? (table.down ? "descending" : "ascending") : "none");
  drawScatter(f);
}

// ---- scatter --------------------------------------------------------------------------------------------------------

function ticks(low, high) {
  for (const digits of [[1, 2, 5], [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9]]) {
    const all = [];
    for (let e = Math.floor(Math.log10(low)); e <= Math.log10(high); ++e) all.push(...digits.map((m) => m * 10 ** e));
    const inside = all.filter((t) => t >= low && t <= high);
    if (inside.length > 2) return inside;
  }
  return [0, 1, 2, 3].map((k) => low * (high / low) ** ((k + 0.5) / 4));
}
/// Points {x, y, class, title, pick} on logarithmic axes.
function scatter(points, xName, yName, xText, yText, ideal) {
  const width = Math.max(280, Math.min(1240, section("scatter").clientWidth - 4)), height = Math.min(460, Math.max(260, width * 0.6));
  const left = 66, bottom = 44, top = 10, right = 14;
  const svg = draw("svg", { width, height, role: "img", "aria-label": `${yName} against ${xName}, ${points.length} points` });
  const range = (values) => [Math.min(...values) / 1.15, Math.max(...values) * 1.15];
  if (points.length === 0) return draw("svg", { width, height: 30 }, draw("text", { x: 8, y: 20 }, "Nothing passes the filters."));
  const xs = points.map((p) => p.x), ys = points.map((p) => p.y), same = ideal === 1;
  const [x0, x1] = range(same ? xs.concat(ys) : xs), [y0, y1] = range(same ? xs.concat(ys) : ys);
  const x = (v) => left + ((width - left - right) * Math.log(v / x0)) / Math.log(x1 / x0);
  const y = (v) => height - bottom - ((height - top - bottom) * Math.log(v / y0)) / Math.log(y1 / y0);
  let last = -Infinity;
  for (const t of ticks(x0, x1)) {
    svg.append(draw("line", { class: "axis", x1: x(t), x2: x(t), y1: top, y2: height - bottom }));
    if (x(t) - last < 56) continue;
    last = x(t);
    svg.append(draw("text", { x: x(t), y: height - bottom + 16, "text-anchor": "middle", class: "quiet" }, xText(t)));
  }
  for (const t of ticks(y0, y1))
    svg.append(draw("line", { class: "axis", x1: left, x2: width - right, y1: y(t), y2: y(t) }),
      draw("text", { x: left - 6, y: y(t) + 4, "text-anchor": "end", class: "quiet" }, yText(t)));
  const along = [Math.max(x0, y0 / ideal), Math.min(x1, y1 / ideal)];
  if (along[0] < along[1])
    svg.append(draw("line", { class: "ideal", x1: x(along[0]), y1: y(along[0] * ideal), x2: x(along[1]), y2: y(along[1] * ideal) }));
  for (const p of points)
    svg.append(draw("circle", { class: `point ${p.class}`, cx: x(p.x), cy: y(p.y), r: p.class.includes("best") ? 6 : 4, onclick: p.pick }, draw("title", {}, p.title)));
  svg.append(draw("text", { x: (left + width) / 2, y: height - 8, "text-anchor": "middle" }, xName),
    draw("text", { transform: `translate(13 ${(height - bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, yName));
  return svg;
}
function kindHue(kind) { return hue(Math.max(0, kinds.indexOf(kind))); }

function measuredScatter(f) {
  const own = plan.plan;
  const points = data.measured.plans.filter((p) => p.measured_ns !== undefined && planPasses(p, f)).map((p) => ({
    x: p.predicted_ns, y: p.measured_ns, class: `${kindHue(kindOf((p.plan.split(": ")[1] || "")))} ${p.plan === own ? "best" : ""}`,
    title: `predicted ${time(p.predicted_ns)}, measured ${time(p.measured_ns)} (${time(p.low_ns)} to ${time(p.high_ns)})\n${p.plan}` }));
  return scatter(points, "predicted time of the plan", "measured time", time, time, 1);
}
function candidateScatter(f) {
  const points = table.shown.filter((row) => row.reason === undefined && row.global_bytes > 0).slice(0, mostPoints).map((row) => ({
    x: row.global_bytes, y: row.time_ns, class: `${kindHue(row.kind)} ${row.chosen === 1 ? "best" : ""}`,
    title: `${row.set}: ${row.choice}\n${time(row.time_ns)}, ${bytes(row.global_bytes)}`,
    pick: () => { section("filter-calls").value = row.set; refresh(); } }));
  return scatter(points, "bytes that the kernel moves", "predicted time", bytes, time, 1 / data.copy_gb_s);
}
function drawScatter(f = readFilters()) {
  const measured = data.measured && section("scatter-of").value === "measured";
  section("scatter").replaceChildren(measured ? measuredScatter(f) : candidateScatter(f));
  section("scatter-note").textContent = measured
    ? `Plans that kasc tune has timed on ${data.measured.device} with ${data.measured.sizes}; on the line prediction and measurement agree.`
    : "On the line a kernel moves its bytes at the copy rate. Points with a rim are the plan's; a click shows the other candidates of the same calls.";
}

function measuredTable() {
  if (!data.measured) return null;
  const plans = data.measured.plans.slice().sort((a, b) => (a.measured_ns ?? Infinity) - (b.measured_ns ?? Infinity));
  return make("details", { class: "more" }, make("summary", {}, `${several(plans.length, "plan")} as kasc tune measured them`),
    make("div", { class: "box tall", tabindex: 0, role: "region", "aria-label": "measured plans" }, make("table", {},
      make("thead", {}, make("tr", {}, ["place", "predicted", "measured", "ratio", "plan"].map((h, k) => make("th", { scope: "col", class: k === 4 ? "words" : null }, h)))),
      make("tbody", {}, plans.map((p) => make("tr", { class: p.plan === plan.plan ? "chosen" : null }, make("td", {}, String(p.position)), make("td", {}, time(p.predicted_ns)),
        make("td", {}, p.measured_ns === undefined ? "–" : time(p.measured_ns)),
        make("td", {}, p.measured_ns === undefined ? "–" : digits(p.measured_ns / p.predicted_ns)),
        make("td", { class: "words wrap" }, p.fault ? `${p.plan} (${p.fault})` : p.plan)))))));
}

function field(name, control) { return make("label", {}, name, control); }
function choices(id, all) {
  return make("select", { id, onchange: refresh }, all.map(([value, text]) => make("option", { value }, text)));
}

function writeCandidates() {
  table.rows = candidateRows();
  const left = data.graphs.reduce((sum, g) => sum + (g.candidates ? g.candidates.left_out + g.candidates.impossible_left_out : 0), 0);
  const graphs = [...new Set(table.rows.map((row) => row.graph))];
  fill(section("candidates"), {}, [
    make("p", {}, "Sets of calls that one kernel may compute, each with ways to run it, as the model prices them."),
    left > 0 ? make("p", { class: "quiet" }, `${left} more are left out of this page: the best of each set of calls are here. `
      + "kasc compile --emit space --format json has all.") : null,
    data.measured ? null : make("p", { class: "quiet", id: "not-measured" }, "Nothing was measured of this program on this device: ",
      make("code", {}, `kasc tune ${data.source.name}`), " times the best plans on the GPU, and this page, made again, has predicted against measured times."),
    make("form", { class: "filters", onsubmit: (event) => event.preventDefault() },
      field("calls, as L T.2", make("input", { id: "filter-calls", type: "search", size: 14, oninput: refresh })),
      field("kind", choices("filter-kind", [["", "all"], ...[...new Set(table.rows.map((row) => row.kind))].sort().map((k) => [k, k])])),
      field("feasible", choices("filter-feasible", [["", "all"], ["yes", "feasible"], ["no", "impossible"]])),
      field("at most, µs", make("input", { id: "filter-time", type: "number", min: 0, step: "any", size: 8, style: "width:7rem", oninput: refresh })),
      graphs.length > 1 ? field("of", choices("filter-graph", [["", "all"], ...graphs.map((g) => [String(g), data.graphs[g].name])]))
        : make("input", { type: "hidden", id: "filter-graph", value: "" }),
      field("of the plan", make("input", { id: "filter-best", type: "checkbox", onchange: refresh })),
      data.measured ? field("scatter", choices("scatter-of", [["measured", "plans: predicted against measured"], ["bytes", "candidates: time against bytes"]])) : null,
      make("button", { type: "reset", onclick: () => setTimeout(refresh) }, "Show all")),
    make("div", { class: "legend" }, [...new Set(table.rows.filter((r) => !r.reason).map((r) => r.kind))].sort().map((k) => make("span", { class: kindHue(k) }, make("i"), k))),
    make("div", { class: "box", id: "scatter" }),
    make("p", { class: "quiet", id: "scatter-note" }),
    measuredTable(),
    make("p", { id: "candidate-count", role: "status" }),
    make("div", { class: "box tall", tabindex: 0, role: "region", "aria-label": "candidates" }, make("table", { id: "candidate-table" },
      make("thead", {}, make("tr", {}, shownColumns().map(([name, title, style]) => make("th", { scope: "col", class: style, "data-column": name },
        make("button", { onclick: () => { table.down = table.sort === name && !table.down; table.sort = name; refresh(); } }, title))))),
      make("tbody", { id: "candidate-rows" }))),
    make("p", {}, make("button", { id: "candidate-more", onclick: () => { table.most += 300; refresh(); } }, "Show 300 more"))]);
  refresh();
  let waiting = 0;
  addEventListener("resize", () => { clearTimeout(waiting); waiting = setTimeout(() => drawScatter(), 150); });
}
