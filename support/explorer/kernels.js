// The kernels of the plan: a table of all, then each with what is known of it.

const parts = [["global", "memory"], ["shared", "shared memory, L1"], ["arithmetic", "arithmetic"], ["latency", "latency"],
  ["dispatch", "dispatch of blocks"], ["launch", "launch"]];

function partNote(p, part) {
  if (part === "global") return bytes(p.global_bytes);
  if (part === "shared") return bytes(p.shared_bytes);
  if (part !== "arithmetic") return "";
  return p.flops < 1e9 ? `${digits(p.flops / 1e6)} Mflop` : p.flops < 1e12 ? `${digits(p.flops / 1e9)} Gflop` : `${digits(p.flops / 1e12)} Tflop`;
}
function partsOf(p) {
  const most = Math.max(...parts.map(([part]) => p[part + "_ns"]), 1);
  return make("div", { class: "parts" }, parts.flatMap(([part, name]) => [
    make("span", {}, name),
    make("div", { class: "track" }, make("div", { class: "fill", style: `width:${(100 * p[part + "_ns"]) / most}%` })),
    make("span", {}, `${time(p[part + "_ns"])} ${partNote(p, part) && "· " + partNote(p, part)}`)]));
}

function kernelsTable() {
  const rows = data.kernels.map((kernel, k) => {
    const p = explained(k).prediction, whole = p.time_ns * times(k), share = plan.time_ns > 0 ? whole / plan.time_ns : 0;
    const row = make("tr", { class: hue(k), onclick: () => select({ kernel: k }) },
      make("td", { class: "words" }, make("a", { href: `#${kernel.anchor}` }, kernel.name)),
      make("td", { class: "words" }, data.graphs[kernel.graph].name),
      make("td", {}, String(explained(k).calls.length)),
      make("td", {}, time(p.time_ns)),
      make("td", {}, times(k) === 1 ? "1" : `${Math.round(times(k))}`),
      make("td", {}, make("span", { class: "share" }, make("i", { style: `width:${Math.min(100, 100 * share)}%` })), ` ${percent(share)}`),
      make("td", {}, bytes(p.global_bytes)),
      ...parts.map(([part]) => make("td", {}, time(p[part + "_ns"]))),
      make("td", {}, String(p.registers)), make("td", {}, percent(p.occupancy)));
    return lights(row, "kernel", k);
  });
  const head = ["kernel", "launched by", "calls", "time", "launches", "of the plan", "bytes", ...parts.map(([part]) => part),
    "registers", "occupancy"];
  return make("div", { class: "box", tabindex: 0, role: "region", "aria-label": "kernels" }, make("table", {},
    make("thead", {}, make("tr", {}, head.map((h, k) => make("th", { scope: "col", class: k < 2 ? "words" : null }, h)))),
    make("tbody", {}, rows)));
}

/// Long texts open on demand.
function folded(text, most = 240) {
  if (text.length <= most) return text;
  return make("details", { class: "inline" }, make("summary", {}, shortened(text, most)), text);
}
function list(items, ...more) { return make("ul", {}, items.map((item) => make("li", {}, item)), ...more); }
function boxed(drawing, label) {
  return drawing && make("div", { class: "box pad", tabindex: 0, role: "region", "aria-label": label }, drawing);
}

function callsOf(k) {
  const graph = data.graphs[data.kernels[k].graph];
  const own = graph.drawing.nodes.filter((node) => node.kernel === k);
  return make("ul", {}, own.map((node) => lights(make("li", { class: hue(k) }, node.statement === undefined ? make("code", {}, node.text)
    : make("a", { href: `#statement-${node.statement}`, onclick: picks({ statement: node.statement }) }, make("code", {}, node.text))),
    "statement", node.statement)));
}
function valuesOf(kernel) {
  const line = (name, values) => values.length > 0 ? make("p", {}, make("span", { class: "quiet" }, name + " "), make("code", {}, values.join(", "))) : null;
  return [line("reads", kernel.inputs), line("writes", kernel.outputs), line("never leave the chip:", kernel.inner)];
}

function memoryOf(e) {
  const drawing = sharedMemoryDrawing(e);
  const registers = (e.placements || []).filter((p) => p.where === "registers");
  if (drawing === null && registers.length === 0) return null;
  return make("div", {},
    make("h3", {}, "Shared memory over time"),
    drawing === null ? make("p", { class: "quiet" }, "It uses none.")
      : make("p", { class: "quiet" }, "Steps from left to right; R read, W written; a red line is a barrier."),
    boxed(drawing, "shared memory over time"),
    make("details", { class: "more" }, make("summary", {}, `${several((e.steps || []).length, "step")} and ${several((e.placements || []).length, "value")}`),
      make("ol", { start: 0 }, (e.steps || []).map((s) => make("li", {}, s.label || s.kind))),
      list((e.placements || []).map((p) => [make("code", {}, p.value), `: ${p.where}, ${several(p.words, "word")}`
        + `${p.copies > 1 ? ` in ${p.copies} copies` : ""}, steps ${p.first_step}–${p.last_step}${p.reason ? "; " + p.reason : ""}${p.what ? "; " + p.what : ""}`]))));
}

function barriersOf(e) {
  const all = e.barriers || [], kept = all.filter((b) => b.kept), saved = all.filter((b) => !b.kept);
  const line = (b) => `before step ${b.before_step}: ${b.reason}`;
  return make("div", {}, make("h3", {}, `Barriers: ${kept.length} of ${all.length}`),
    all.length === 0 ? make("p", { class: "quiet" }, "No step touches what other threads share.") : null,
    kept.length > 0 ? list(kept.map((b) => [make("b", { class: "bad" }, "barrier "), line(b)])) : null,
    saved.length > 0 ? make("details", { class: "more", open: saved.length < 5 }, make("summary", {}, `${several(saved.length, "place")} without one`),
      list(saved.map((b) => [make("b", { class: "good" }, "none "), line(b)]))) : null);
}

function neighboursOf(k) {
  const kernel = data.kernels[k], met = (data.graphs[kernel.graph].neighbours || []).filter((n) => n.first === k || n.second === k);
  const items = met.map((n) => {
    const other = n.first === k ? n.second : n.first;
    const how = n.values.length > 0 ? `${n.first === k ? "takes" : "gives"} ${n.values.join(", ")}` : `reads ${n.shared.join(", ")}, too`;
    return make("li", {}, badge(other), ` ${how}: `, folded(n.reason));
  });
  const outside = data.graphs[kernel.graph].loop
    ? make("p", { class: "quiet" }, `Kernels outside of ${data.graphs[kernel.graph].name}, which the host runs, are launched at other times.`) : null;
  return make("div", {}, make("h3", {}, "Why its neighbours are kernels of their own"),
    items.length === 0 ? make("p", { class: "quiet" }, "No other kernel of the same loop hands it values, or reads the same.")
      : make("ul", {}, items.slice(0, 8)),
    items.length > 8 ? make("details", { class: "more" }, make("summary", {}, `${items.length - 8} more`), make("ul", {}, items.slice(8))) : null,
    outside);
}

function shapeOf(k) {
  const e = explained(k), found = [];
  if (e.cells && e.cells.axes.length > 0) {
    const { axes, reach_below: below, reach_above: above, block, kept_layers: kept, tiles } = e.cells;
    const reaches = axes.map((a, i) => `${a} −${below[i]} +${above[i]}`).join(", ");
    found.push(make("h3", {}, "Cells and halo"),
      make("p", {}, block.length > 0 ? `A block has ${block.join(" × ")} cells of ${axes.join(", ")}. ` : `Cells of ${axes.join(", ")}. `,
        below.some((n, i) => n > 0 || above[i] > 0) ? `It reads around a cell: ${reaches}. ` : "It reads each cell's own words. ",
        kept > 0 ? `The outermost ${several(kept, "layer")} stay as they are.` : ""),
      boxed(haloDrawing(e.cells), "block and halo"),
      ...(tiles || []).map((t) => make("p", {}, make("code", {}, t.value), ` in a tile with a halo of ${t.below.join(", ")} below and ${t.above.join(", ")} above`)));
  }
  if (e.pipeline) {
    found.push(make("h3", {}, "Depth and halos"),
      make("p", {}, `${several(e.pipeline.stages.length, "stage")} behind each other, a block of ${e.pipeline.block.join(" × ")} cells; what is loaded `
        + `reaches ${e.pipeline.halo.join(", ")} cells beyond it.`),
      boxed(pipelineDrawing(k), "stages and halos"));
  }
  if (e.loop) {
    const { loop, cells, iterations_in_tiles: chunk, unrolled, handed_on: handed, in_memory: memory } = e.loop;
    found.push(make("h3", {}, `It runs loop ${loop}`),
      make("p", {}, `A thread goes through all iterations for one cell, ${cells} cells a block`, unrolled > 1 ? `, ${unrolled} iterations unrolled` : "",
        chunk > 0 ? `; tiles hold the words of ${chunk} iterations` : "", "."),
      boxed(insideDrawing(k), "iterations in a kernel"),
      handed.length > 0 ? make("p", {}, "From iteration to iteration in registers: ", make("code", {}, handed.join(", "))) : null,
      memory.length > 0 ? make("p", {}, "In memory, where each iteration stands: ", make("code", {}, memory.join(", "))) : null);
  }
  if (e.line) found.push(make("h3", {}, "Whole lines"),
    make("p", {}, `A block of ${e.line.threads} threads has ${several(e.line.lines, "line")} along ${e.line.along} and goes through them ${e.line.passes === 1 ? "once" : `${e.line.passes} times`}.`));
  return found;
}

function kernelCard(k) {
  const kernel = data.kernels[k], e = explained(k), p = e.prediction;
  const count = Math.round(times(k));
  const open = e.placements || e.barriers;
  const rides = (data.explanation.small_kernels || []).find((r) => r.kernel === kernel.name);
  const card = make("details", { class: `kernel ${hue(k)}`, id: kernel.anchor },
    make("summary", {}, make("b", {}, kernel.name), make("span", {}, several(e.calls.length, "call")),
      make("span", {}, `${time(p.time_ns)}${count > 1 ? ` × ${count}` : ""}`), make("span", { class: "quiet" }, bytes(p.global_bytes)),
      make("code", { class: "quiet" }, shortened(kernel.set, 60))),
    make("div", {}, make("div", { class: "columns" },
      make("div", {}, make("h3", {}, "Calls"), callsOf(k), ...valuesOf(kernel),
        make("h3", {}, "Predicted time"), partsOf(p),
        make("p", { class: "quiet" }, "The launch, and about the longest of the others: they overlap."),
        make("dl", { class: "facts" }, fact("registers", String(p.registers)), fact("shared a block", bytes(p.shared_bytes_per_block)),
          fact("occupancy", percent(p.occupancy)), fact("waves", digits(p.waves)), fact("barriers met", String(p.barriers))),
        make("p", {}, make("span", { class: "quiet" }, "choice "), make("code", {}, e.choice)),
        rides ? make("p", {}, rides.rides ? "It rides on another launch: " : "A launch of its own: ", rides.reason) : null,
        make("p", {}, make("button", { onclick: () => select({ kernel: k }) }, "Show it in program, graph and code"))),
      make("div", {}, ...shapeOf(k), open ? memoryOf(e) : null, open ? barriersOf(e) : null, neighboursOf(k))),
      make("details", { class: "more" }, make("summary", {}, "Its schedule as text"), make("pre", { class: "box", tabindex: 0 }, kernel.text))));
  return lights(card.firstChild, "kernel", k) && card;
}

function writeKernels() {
  const cards = data.kernels.map((_, k) => kernelCard(k));
  if (cards.length > 0) {
    const longest = data.kernels.reduce((best, _, k) => explained(k).prediction.time_ns * times(k)
      > explained(best).prediction.time_ns * times(best) ? k : best, 0);
    cards[longest].open = true;
  }
  section("kernels").append(kernelsTable(), ...cards);
}
