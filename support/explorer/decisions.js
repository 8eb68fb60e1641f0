// Time loops, and what was decided of the whole program.

function verdicts(title, all, text) {
  if (!all || all.length === 0) return null;
  return make("div", {}, make("h3", {}, title), list(all.map(text)));
}
function verdict(good, yes, no) { return make("b", { class: good ? "good" : "quiet" }, good ? yes + " " : no + " "); }

/// Verdicts of rules over loops, whose text the statement is.
function loopCard(graph, index) {
  const { loop } = graph, heads = ["steps", "inside"];
  const kernels = graph.kernel !== undefined ? [graph.kernel] : graph.kernels;
  const known = new Set();  // of loops of one name, each reason once
  const said = (data.explanation.rewrites || []).filter((r) => heads.includes(r.rule) && r.statement.startsWith(`for (${loop.name} `)
    && !known.has(r.rule + r.reason) && known.add(r.rule + r.reason));
  const captured = (data.explanation.cuda_graphs || []).find((c) => c.loop === loop.name);
  const ahead = (data.explanation.conditions || []).find((c) => c.loop === loop.name);
  const where = graph.kernel !== undefined ? ["It runs within ", badge(graph.kernel), ", all iterations in one launch."]
    : [graph.times < 0.5 ? "The host runs it for the steps that are left" : `The host runs it about ${Math.round(graph.times) === 1 ? "once" : `${Math.round(graph.times)} times`}`, loop.by > 1 ? `, ${loop.by} steps of the program at a time` : "", ". Its launches: ",
      kernels.slice(0, 12).flatMap((k) => [badge(k), " "]), kernels.length > 12 ? `and ${kernels.length - 12} more` : ""];
  const reaches = graph.kernel !== undefined ? [] : kernels.flatMap((k) => {
    const e = explained(k);
    if (e.pipeline) return [make("h3", {}, `Depth and halos of ${data.kernels[k].name}`), boxed(pipelineDrawing(k), "stages and halos")];
    if (e.cells && e.cells.reach_below.some((n, i) => n + e.cells.reach_above[i] > 0))
      return [make("p", {}, badge(k), ` looks ${e.cells.axes.map((a, i) => `${a} −${e.cells.reach_below[i]} +${e.cells.reach_above[i]}`).join(", ")} around a cell, `
        + "so that a launch ends each step.")];
    return [];
  });
  return make("div", {}, make("h3", {}, make("a", { href: `#graph-${index}` }, graph.name)), make("p", {}, ...where.flat()),
    graph.kernel === undefined ? boxed(iterationDrawing(graph), "launches")
      : explained(graph.kernel).loop ? boxed(insideDrawing(graph.kernel), "iterations in a kernel") : null, ...reaches,
    list([
      ...said.map((r) => [verdict(r.applied, r.rule === "steps" ? "several steps in a kernel:" : "within kernels:",
        r.rule === "steps" ? "one step at a time:" : "not within kernels:"), folded(r.reason)]),
      ...(captured ? [[verdict(captured.captured, "CUDA graph:", "no CUDA graph:"), captured.reason]] : []),
      ...(ahead ? [[verdict(ahead.run_ahead, "launched ahead:", "the host looks before each iteration:"), ahead.reason]] : [])]));
}

function writeLoops() {
  const loops = data.graphs.map((graph, k) => [graph, k]).filter(([graph]) => graph.loop);
  section("loops").append(...(loops.length === 0 ? [make("p", { class: "quiet" }, "The program has no loops.")]
    : loops.map(([graph, k]) => loopCard(graph, k))));
}

function searched() {
  return list(plan.graphs.map((g) => [make("b", {}, g.graph), `: ${several(g.fusions, "set")} of calls, ${several(g.evaluated, "schedule")} priced; ${g.strategy}: ${g.bound}`
    + (g.cut ? `; cut: ${g.cut}` : "")]));
}
function refusedOf(g) {
  if (!g.refused || g.refused.length === 0) return null;
  return make("details", { class: "more" }, make("summary", {}, `Refused in ${g.graph}: ${several(g.refused.length, "reason")}`),
    list(g.refused.map((r) => [`${several(r.count, "time")}: ${r.reason}`, list(r.examples.map((calls) => make("code", {}, folded(calls))))])),
    g.refused_for_other_reasons > 0 ? make("p", {}, `and ${g.refused_for_other_reasons} for other reasons`) : null);
}

function writeDecisions() {
  const e = data.explanation, second = e.plans[1];
  section("decisions").append(...[
    make("h3", {}, "Search"), searched(), ...plan.graphs.map(refusedOf),
    verdicts("Rewrites", e.rewrites, (r) => [verdict(r.applied, `${r.rule} applied:`, `${r.rule} left:`), folded(r.reason), make("br"), make("code", { class: "quiet" }, folded(r.statement))]),
    verdicts("CUDA graphs", e.cuda_graphs, (c) => [verdict(c.captured, `loop ${c.loop}:`, `loop ${c.loop}: none,`), c.reason]),
    verdicts("Small kernels of loops", e.small_kernels, (r) => [verdict(r.rides, `${r.kernel} rides:`, `${r.kernel}, a launch of its own:`), r.reason]),
    verdicts("Kernels of one block", e.last_blocks, (k) => [verdict(k.completed, `${k.kernel} has no launch:`, `${k.kernel}, a launch of its own:`), k.reason]),
    verdicts("Lists of cells", e.lists, (l) => l),
    e.left_out ? make("p", {}, "Left out, since nothing needs them with these options: ", make("code", {}, e.left_out.join(", "))) : null,
    plan.plan ? make("div", {}, make("h3", {}, "As a plan"), make("p", { class: "quiet" }, "--plan takes it, whole or in part."),
      make("pre", { class: "box", tabindex: 0 }, plan.plan.split("; ").join(";\n"))) : null,
    second && second.plan ? make("details", { class: "more" }, make("summary", {}, `Next best: ${time(second.time_ns)}`),
      make("pre", { class: "box", tabindex: 0 }, second.plan.split("; ").join(";\n"))) : null,
    make("p", { class: "quiet" }, `Made by kasc ${data.kasc}.`)].filter(Boolean));
}
