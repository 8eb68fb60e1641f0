// Drawings of a kernel: its shared memory step by step, the halos of its blocks, the stages of a pipeline.

/// Regions as bars from their first to their last step, as high as their bytes; barriers between the steps.
function sharedMemoryDrawing(kernel) {
  const regions = placed((kernel.placements || []).filter((p) => p.where === "shared"));
  if (regions.length === 0) return null;
  const steps = kernel.steps.length, column = 30, left = 78, top = 22, height = 190;
  const total = Math.max(...regions.map((r) => r.at + r.bytes));
  const y = (at) => top + (height * at) / total, x = (step) => left + step * column;
  const svg = draw("svg", { width: x(steps) + 12, height: top + height + 34, role: "img",
    "aria-label": `shared memory over ${steps} steps` });
  for (let step = 0; step < steps; ++step)
    svg.append(draw("text", { x: x(step) + column / 2, y: top - 7, "text-anchor": "middle", class: "quiet" }, String(step)));
  for (const share of [0, 0.5, 1])
    svg.append(draw("text", { x: left - 6, y: y(total * share) + 4, "text-anchor": "end", class: "quiet" }, bytes(total * share)),
      draw("line", { class: "axis", x1: left, x2: x(steps), y1: y(total * share), y2: y(total * share) }));
  regions.forEach((r, k) => {
    const box = { x: x(r.first_step) + 1, y: y(r.at), width: (r.last_step - r.first_step + 1) * column - 2, height: y(r.at + r.bytes) - y(r.at) };
    const title = `${r.value}: ${bytes(r.bytes)}${r.copies > 1 ? ` in ${r.copies} copies` : ""}, steps ${r.first_step} to ${r.last_step}`;
    const group = draw("g", { class: hue(k) }, draw("title", {}, title), draw("rect", { class: "region", ...box }));
    if (box.height >= 13) {
      group.append(draw("text", { x: box.x + 4, y: box.y + 12 }, shortened(r.value, Math.max(2, Math.floor(box.width / 8)))));
      if (box.height >= 28)
        for (const [step, how] of r.touches)
          group.append(draw("text", { x: x(step) + column / 2, y: box.y + 25, "text-anchor": "middle", class: "quiet" }, how.toUpperCase()));
    }
    svg.append(group);
  });
  for (const b of kernel.barriers || [])
    if (b.kept) svg.append(draw("line", { class: "barrier", x1: x(b.before_step), x2: x(b.before_step), y1: top, y2: top + height },
      draw("title", {}, b.reason)));
  for (const l of kernel.loops || [])
    svg.append(draw("line", { class: "ideal", x1: x(l.first_step), x2: x(l.last_step + 1), y1: top + height + 10, y2: top + height + 10 }),
      draw("text", { x: x(l.first_step), y: top + height + 26, class: "quiet" }, shortened(l.text, 60)));
  return svg;
}
/// Where each region lies: at its offset, or behind the others.
function placed(regions) {
  let next = 0;
  return regions.map((r) => {
    const size = r.words * r.copies * r.word_bytes;
    const at = r.offset !== undefined ? r.offset * r.word_bytes : next;
    if (r.offset === undefined) next = Math.ceil((at + size) / 16) * 16;
    return { ...r, bytes: size, at };
  });
}

/// A block's cells in the plane of the first two axes, and what is read around them.
function haloDrawing(cells) {
  const rank = cells.axes.length, block = cells.block;
  if (rank === 0 || block.length === 0) return null;
  const across = (axis) => (axis < rank ? { own: block[axis], low: cells.reach_below[axis], high: cells.reach_above[axis] } : { own: 1, low: 0, high: 0 });
  const x = across(0), y = across(1);
  const scale = (a) => Math.min(22, 240 / (a.own + a.low + a.high));
  const sx = scale(x), sy = Math.max(6, Math.min(scale(y), 160 / (y.own + y.low + y.high)));
  const width = (x.own + x.low + x.high) * sx, height = (y.own + y.low + y.high) * sy;
  return draw("svg", { width: width + 20, height: height + 30, role: "img", "aria-label": "cells of a block and their halo" },
    draw("rect", { class: "halo", x: 4, y: 4, width, height }),
    draw("rect", { class: "own", x: 4 + x.low * sx, y: 4 + y.low * sy, width: x.own * sx, height: y.own * sy }),
    draw("text", { x: 4, y: height + 22 }, rank > 1 ? `${cells.axes[0]} → , ${cells.axes[1]} ↓` : `${cells.axes[0]} →`));
}

/// Stage by stage, how many cells of a line of the block are computed: the halo shrinks from what is loaded to what is
/// stored; beside it, by how many planes each stage lies behind the one that is loaded.
function pipelineDrawing(kernel) {
  const { pipeline } = explained(kernel);
  const rows = [
    ...(pipeline.kept || []).filter((k) => k.loaded).map((k) => ({ ...k, name: `load ${k.value}` })),
    ...pipeline.stages.map((s) => ({ ...s, name: s.calls.length > 1 ? `${s.calls.length} calls` : s.calls[0].split(" = ")[0] }))];
  const own = pipeline.block[0], halo = Math.max(...rows.map((r) => r.halo[0]), 1), lags = Math.max(...rows.map((r) => r.lag));
  const label = 118, unit = Math.min(9, Math.max(110, Math.min(300, innerWidth - 330)) / (own + 2 * halo)), left = label + halo * unit, row = 30;
  const planes = left + own * unit + halo * unit + 40, cell = 18;
  const height = rows.length * row + 44;
  const svg = draw("svg", { class: hue(kernel), width: planes + (lags + 1) * cell + 20, height, role: "img", "aria-label": "stages of the pipeline" },
    draw("text", { x: label, y: 14, class: "quiet" }, `cells along ${pipeline.axes[0]}`),
    draw("text", { x: planes, y: 14, class: "quiet" }, `plane of ${pipeline.axes.at(-1)}`));
  rows.forEach((r, k) => {
    const y = 22 + k * row, plane = planes + (lags - r.lag) * cell;
    svg.append(draw("text", { x: 0, y: y + 16 }, shortened(r.name, 15)),
      draw("rect", { class: "halo", x: left - r.halo[0] * unit, y, width: (own + 2 * r.halo[0]) * unit, height: 22 }),
      draw("rect", { class: "own", x: left, y, width: own * unit, height: 22 }),
      draw("text", { x: left + 4, y: y + 16 }, r.halo[0] > 0 ? `${own} + 2·${r.halo[0]}` : String(own)),
      draw("rect", { class: "own", x: plane, y, width: cell - 2, height: 22 }),
      draw("text", { x: plane + cell / 2 - 1, y: y + 16, "text-anchor": "middle" }, r.lag === 0 ? "p" : `-${r.lag}`));
  });
  svg.append(draw("text", { x: 0, y: height - 6, class: "quiet" }, `${pipeline.planes} planes of a block, one after the other`));
  return svg;
}

/// Iterations of a loop that a kernel runs: those that are unrolled stand close together, tiles hold the framed ones.
function insideDrawing(kernel) {
  const { loop } = explained(kernel);
  const chunk = loop.iterations_in_tiles, unrolled = Math.max(1, loop.unrolled), shown = Math.min(48, Math.max(12, chunk));
  const unit = 16, gap = 6, x = (i) => 74 + i * unit + Math.floor(i / unrolled) * gap;
  const svg = draw("svg", { class: hue(kernel), width: x(shown) + 40, height: 92, role: "img", "aria-label": `iterations of loop ${loop.loop}` },
    draw("text", { x: 74, y: 12, class: "quiet" }, `iterations of loop ${loop.loop}`));
  for (let row = 0; row < 3; ++row) {
    svg.append(draw("text", { x: 0, y: 31 + row * 20 }, row < 2 ? `thread ${row}` : "…"));
    for (let i = 0; i < shown; ++i) svg.append(draw("rect", { class: "own", x: x(i), y: 18 + row * 20, width: unit - 2, height: 16 }));
    svg.append(draw("text", { x: x(shown) + 4, y: 31 + row * 20, class: "quiet" }, "…"));
  }
  for (let i = 0; chunk > 0 && i < shown; i += chunk)
    svg.append(draw("rect", { class: "ideal", fill: "none", "stroke-width": 2, x: x(i) - 3, y: 15, width: x(Math.min(i + chunk, shown + 2) - 1) + unit - x(i) + 4, height: 66 },
      draw("title", {}, `a tile of ${chunk} iterations`)));
  return svg;
}

/// Iterations of a loop as the host launches them: kernels as long as they take, `by` steps at a time.
function iterationDrawing(graph) {
  const kernels = graph.kernels.filter((k) => explained(k).prediction.time_ns > 0);
  const one = kernels.reduce((sum, k) => sum + explained(k).prediction.time_ns, 0);
  if (one === 0) return null;
  const shown = Math.min(3, Math.max(1, Math.round(graph.times))), width = Math.max(300, Math.min(900, section("loops").clientWidth - 30));
  const iteration = (width - 70) / shown;
  const svg = draw("svg", { width, height: 66, role: "img", "aria-label": `launches of ${graph.name}` });
  for (let i = 0; i < shown; ++i) {
    let x = i * iteration;
    const by = graph.loop ? graph.loop.by : 1;
    for (const k of kernels) {
      const long = ((iteration - 8) * explained(k).prediction.time_ns) / one;
      svg.append(draw("g", { class: hue(k) }, draw("title", {}, `${data.kernels[k].name}: ${time(explained(k).prediction.time_ns)}`),
        draw("rect", { class: "own", x, y: 24, width: Math.max(1, long - 1), height: 24 }),
        long > 26 ? draw("text", { x: x + 4, y: 40 }, shortName(k)) : null));
      x += long;
    }
    for (let step = 0; step < by; ++step) {
      const wide = (iteration - 8) / by, at = i * iteration + step * wide;
      svg.append(draw("line", { class: "axis", x1: at, x2: at + wide - 3, y1: 18, y2: 18, "stroke-width": 3 }),
        wide > 16 ? draw("text", { x: at + wide / 2, y: 12, "text-anchor": "middle", class: "quiet" }, String(i * by + step)) : null);
    }
  }
  if (graph.times > shown) svg.append(draw("text", { x: shown * iteration, y: 40, class: "quiet" }, `… × ${Math.round(graph.times)}`));
  return svg;
}
