// The data, elements, and what is selected: a kernel, or a statement with its kernels.

const data = JSON.parse(document.getElementById("data").textContent);
const plan = data.explanation.plans[0];

/// An element with attributes, handlers (`onclick`) and children; null children are left out.
function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}
function draw(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}
function section(id) { return document.getElementById(id); }

// ---- numbers --------------------------------------------------------------------------------------------------------

function digits(value) { return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2); }
function time(ns) {
  if (ns < 1e3) return `${digits(ns)} ns`;
  if (ns < 1e6) return `${digits(ns / 1e3)} µs`;
  return ns < 1e9 ? `${digits(ns / 1e6)} ms` : `${digits(ns / 1e9)} s`;
}
function bytes(count) {
  if (count < 1e3) return `${Math.round(count)} B`;
  if (count < 1e6) return `${digits(count / 1e3)} kB`;
  return count < 1e9 ? `${digits(count / 1e6)} MB` : `${digits(count / 1e9)} GB`;
}
function percent(share) { return `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`; }
function several(count, word) { return `${count} ${word}${count === 1 ? "" : "s"}`; }

// ---- kernels and statements -----------------------------------------------------------------------------------------

function explained(kernel) {
  const [graph, place] = data.kernels[kernel].explained;
  return plan.graphs[graph].kernels[place];
}
function times(kernel) { return data.graphs[data.kernels[kernel].graph].times; }
function hue(kernel) { return `k${kernel % 10}`; }
/// "k3" of heat3d_k3; of a library's call what it does.
function shortName(kernel) {
  const { name, anchor } = data.kernels[kernel];
  return anchor.startsWith("kernel-") ? "k" + anchor.slice(7) : name === "transform" ? "fft" : name;
}
function statementText(statement) {
  return data.source.lines.flatMap((line) => line.filter((piece) => piece[1] === statement).map((piece) => piece[0].trim()))
    .join(" ");
}
function badge(kernel) {
  return make("a", { class: `badge ${hue(kernel)}`, href: `#${data.kernels[kernel].anchor}`, title: data.kernels[kernel].name },
    shortName(kernel));
}

// ---- selection ------------------------------------------------------------------------------------------------------

/// Elements that light up with a kernel, with a statement alone, or, the program's text, with either.
const lit = { kernel: new Map(), statement: new Map(), source: new Map() };
function lights(element, kind, number) {
  if (number === null || number === undefined || number < 0) return element;
  if (!lit[kind].has(number)) lit[kind].set(number, []);
  lit[kind].get(number).push(element);
  return element;
}

let selected = { kernel: null, statement: null };
function selectedKernels() {
  const { kernel, statement } = selected;
  return statement !== null ? data.source.statements[statement].kernels : kernel !== null ? [kernel] : [];
}
function select({ kernel = null, statement = null }) {
  for (const old of document.querySelectorAll(".on, .exact")) old.classList.remove("on", "exact");
  selected = { kernel, statement };
  const kernels = selectedKernels();
  for (const k of kernels) {
    for (const element of lit.kernel.get(k) || []) element.classList.add("on");
    for (const row of document.querySelectorAll(`tr[data-kernel="${k}"]`)) row.classList.add("on");
  }
  data.source.statements.forEach((s, number) => {
    const exact = number === statement;
    if (!exact && (statement !== null || !s.kernels.includes(kernel))) return;
    const elements = [...(lit.source.get(number) || []), ...(exact ? lit.statement.get(number) || [] : [])];
    for (const element of elements) element.classList.add("on", ...(exact ? ["exact"] : []));
  });
  tellSelection(kernels);
  showCodeOf(kernels, statement);
  showGraphOf(kernels);
  const hash = statement !== null ? `#statement-${statement}` : kernel !== null ? `#${data.kernels[kernel].anchor}` : "";
  if (location.hash !== hash) history.replaceState(null, "", hash || location.pathname + location.search);
}
/// For elements that select in place of leading somewhere.
function picks(choice) {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    select(choice);
  };
}

function tellSelection(kernels) {
  const box = section("selection");
  box.replaceChildren();
  box.hidden = kernels.length === 0 && selected.statement === null;
  if (box.hidden) return;
  box.append(make("button", { onclick: () => select({}), "aria-label": "Select nothing" }, "×"));
  if (selected.statement !== null) {
    const line = data.source.statements[selected.statement].line;
    box.append(make("p", {}, make("a", { href: `#line-${line}` }, `Line ${line}`), " ",
      make("code", {}, shortened(statementText(selected.statement), 160))));
  }
  const names = kernels.slice(0, 12).flatMap((k) => [make("a", { href: `#${data.kernels[k].anchor}`, class: hue(k) },
    data.kernels[k].name), ` (${time(explained(k).prediction.time_ns)}) `]);
  if (kernels.length > 12) names.push(`and ${kernels.length - 12} more `);
  const lines = emittedLines(kernels, selected.statement).slice(0, 16);
  box.append(make("p", {}, kernels.length > 0 ? "Kernel " : "No kernel computes it: what it says is used elsewhere. ", names,
    lines.length > 0 ? "· emitted lines " : null,
    lines.flatMap(([file, line], k) => [k > 0 ? ", " : "", make("a", { href: `#code-${file}-${line}` }, String(line))])));
}
function shortened(text, most) { return text.length > most ? text.slice(0, most - 1) + "…" : text; }

/// To what the address names: selected, opened, in sight.
function follow() {
  const id = decodeURIComponent(location.hash.slice(1));
  const kernel = data.kernels.findIndex((k) => k.anchor === id);
  if (kernel >= 0) {
    select({ kernel });
    section(id).open = true;
  }
  if (id.startsWith("statement-") && data.source.statements[+id.slice(10)]) select({ statement: +id.slice(10) });
  if (id.startsWith("code-")) showFile(+id.split("-")[1]);
  if (id.startsWith("graph-")) showGraph(+id.slice(6));
  const target = id && section(id);
  if (target) target.scrollIntoView({ block: target.closest(".lines") ? "center" : "start" });
}

// ---- header ---------------------------------------------------------------------------------------------------------

function fact(name, value, note) {
  return make("div", note ? { title: note } : {}, make("dt", {}, name), make("dd", {}, value));
}
function writeHeader() {
  const own = plan.time_ns, least = data.least_ns;
  const counted = data.kernels.filter((k) => k.anchor.startsWith("kernel-")).length;
  const calls = data.kernels.reduce((sum, _, k) => sum + explained(k).calls.length, 0);
  const bound = "Every input read once and every output written once, in every iteration of a loop that the host runs, at the "
    + `copy rate of ${digits(data.copy_gb_s)} GB/s. What caches keep between kernels can go below it.`;
  fill(section("top"), {}, [
    make("h1", {}, data.explanation.program),
    make("p", { class: "quiet" }, `${data.explanation.device}, ${data.sizes}`),
    make("dl", { class: "facts" },
      fact("predicted", time(own)),
      fact("floor", least > 0 ? `${time(least)}${own >= least ? ` (${digits(own / least)} times)` : ""}` : "not known", bound),
      fact("kernels", `${counted} for ${several(calls, "call")}`),
      fact("global traffic", bytes(plan.global_bytes)),
      fact("not fused", bytes(plan.unfused_global_bytes), "A kernel a call"),
      data.measured ? fact("measured", measuredBest()) : null,
      data.explanation.time_step ? fact("largest stable step", stepText(data.explanation.time_step)) : null),
    make("p", { class: "quiet" }, `floor: every input read once, every output written once, at ${digits(data.copy_gb_s)} GB/s.`)]);
}
function measuredBest() {
  const valid = data.measured.plans.filter((p) => p.measured_ns !== undefined).map((p) => p.measured_ns);
  return valid.length > 0 ? `${time(Math.min(...valid))}, best of ${several(valid.length, "plan")}` : "no valid plan";
}
function stepText(step) {
  if (step.largest_stable !== undefined) return `${step.parameter} = ${step.largest_stable.toPrecision(3)}`;
  return `${step.parameter}: depends on ${[...(step.needed_inputs || []), ...(step.needed_parameters || [])].join(", ")}`;
}

function start() {
  writeHeader();
  writeCode();
  writeGraphs();
  writeKernels();
  writeCandidates();
  writeLoops();
  writeDecisions();
  addEventListener("hashchange", follow);
  addEventListener("keydown", (event) => { if (event.key === "Escape") select({}); });
  follow();
}
addEventListener("DOMContentLoaded", start);
