// Graphs as they were laid out: calls in the colours of their kernels, values along the edges.

const nodeWidth = 128, nodeHeight = 40, columnWidth = 146, rowHeight = 84;

function place([x, layer]) { return { x: x * columnWidth + 6, y: layer * rowHeight + 6 }; }
/// Through the middles of the bends, straight up and down at the ends.
function edgePath(from, to, bends) {
  const points = [{ x: from.x + nodeWidth / 2, y: from.y + nodeHeight },
    ...bends.map(place).map((p) => ({ x: p.x + nodeWidth / 2, y: p.y + nodeHeight / 2 })),
    { x: to.x + nodeWidth / 2, y: to.y }];
  let path = `M${points[0].x} ${points[0].y}`;
  for (let k = 1; k < points.length; ++k) {
    const a = points[k - 1], b = points[k], half = (a.y + b.y) / 2;
    path += `C${a.x} ${half} ${b.x} ${half} ${b.x} ${b.y}`;
  }
  return path;
}

function graphNode(node, at) {
  const { x, y } = place(node.at);
  const words = node.input !== undefined ? node.input : node.name || "loop";
  const kernel = node.kernel;
  const group = draw("g", { class: `node ${kernel === undefined ? "" : hue(kernel)} ${node.graph === undefined ? "" : "loop"}` },
    draw("title", {}, node.text || `${node.input}: enters the graph`),
    draw("rect", { x, y, width: nodeWidth, height: nodeHeight, rx: node.input !== undefined ? 18 : 5 }),
    draw("text", { x: x + nodeWidth / 2, y: y + 17, "text-anchor": "middle" }, shortened(words, 17)),
    draw("text", { x: x + nodeWidth / 2, y: y + 32, "text-anchor": "middle", class: "quiet" },
      node.input !== undefined ? "input" : shortened(
        (kernel !== undefined ? shortName(kernel) : node.graph !== undefined ? "its own graph" : "") + (node.output ? ", leaves" : ""), 18)));
  lights(group, "kernel", kernel);
  lights(group, "statement", node.statement);
  if (node.input !== undefined) return group;
  const choice = node.statement !== undefined ? { statement: node.statement } : { kernel };
  if (node.graph !== undefined && kernel === undefined)
    return draw("a", { href: `#graph-${node.graph}`, "aria-label": node.text }, group);
  const href = node.statement !== undefined ? `#statement-${node.statement}` : `#${data.kernels[kernel].anchor}`;
  return draw("a", { href, onclick: picks(choice), "aria-label": node.text }, group);
}

function graphDrawing(graph) {
  const { nodes, edges, width, layers } = graph.drawing;
  const whole = { width: width * columnWidth + 12, height: Math.max(1, layers) * rowHeight };
  const svg = draw("svg", { ...whole, viewBox: `0 0 ${whole.width} ${whole.height}`, role: "group",
    "aria-label": `graph of ${graph.name}` });
  for (const [from, to, values, bends] of edges) {
    const path = draw("path", { class: "edge", d: edgePath(place(nodes[from].at), place(nodes[to].at), bends) },
      draw("title", {}, `${values.join(", ")}: ${nodes[from].name || nodes[from].input} → ${nodes[to].name || "loop"}`));
    for (const end of [from, to]) if (nodes[end].kernel !== undefined) lights(path, "kernel", nodes[end].kernel);
    svg.append(path);
  }
  svg.append(...nodes.map(graphNode));
  return svg;
}

function showGraph(index) {
  data.graphs.forEach((_, k) => {
    const box = section(`graph-${k}`);
    if (box === null) return;
    box.hidden = k !== index;
    section(`graph-tab-${k}`).setAttribute("aria-pressed", String(k === index));
  });
  const box = section(`graph-${index}`);
  if (!box.dataset.seen) bringIntoSight(box, box.querySelector("a .node") || box.querySelector(".node"));
  box.dataset.seen = "yes";
}
/// The box goes there; the page stays.
function bringIntoSight(box, element) {
  if (!element) return;
  const there = element.getBoundingClientRect(), here = box.getBoundingClientRect();
  if (there.left < here.left || there.right > here.right) box.scrollLeft += (there.left + there.right - here.left - here.right) / 2;
  if (there.top < here.top || there.bottom > here.bottom) box.scrollTop += (there.top + there.bottom - here.top - here.bottom) / 2;
}
function showGraphOf(kernels) {
  if (kernels.length === 0) return;
  const graph = data.graphs.findIndex((g) => g.kernel === undefined && g.drawing.nodes.some((n) => n.kernel === kernels[0]));
  if (graph < 0) return;
  showGraph(graph);
  const box = section(`graph-${graph}`);
  bringIntoSight(box, box.querySelector(".exact") || box.querySelector(".node.on"));
}
/// The whole drawing, as wide as its box, or as it is drawn.
function fitGraphs(fit) {
  for (const svg of document.querySelectorAll("#graph .box > svg")) svg.classList.toggle("fitted", fit);
}

function writeGraphs() {
  const tabs = [], boxes = [];
  data.graphs.forEach((graph, k) => {
    tabs.push(make("button", { id: `graph-tab-${k}`, onclick: () => showGraph(k) },
      graph.name + (graph.kernel !== undefined ? ` in ${shortName(graph.kernel)}` : "")));
    boxes.push(make("div", { id: `graph-${k}`, class: "box tall pad", tabindex: 0, role: "region", "aria-label": graph.name },
      graph.drawing.nodes.length > 0 ? graphDrawing(graph) : "It has no calls."));
  });
  section("graph").append(
    make("p", { class: "quiet" }, "Calls from above to below, each in the colour of its kernel; an edge is a value. "
      + "Loops that the host runs (dashed) have graphs of their own."),
    make("div", { class: "bar" }, tabs, make("label", {}, make("input", { type: "checkbox", id: "graph-fit",
      onchange: (event) => fitGraphs(event.target.checked) }), " as wide as the page")), ...boxes);
  const calls = (graph) => graph.drawing.nodes.filter((node) => node.kernel !== undefined).length;
  const most = data.graphs.reduce((best, graph, k) => calls(graph) > calls(data.graphs[best]) ? k : best, 0);
  showGraph(most);
}
