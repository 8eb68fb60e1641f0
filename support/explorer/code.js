// The program beside the emitted code, line by line.

function commentAt(text) {
  const at = text.indexOf("//");
  return at < 0 ? text.length : at;
}

function programLine(pieces, index) {
  const number = index + 1;
  const line = make("div", {}, make("a", { class: "number", href: `#line-${number}`, id: `line-${number}` }, String(number)));
  const text = make("span", { class: "text" });
  const started = [];
  for (const [piece, statement] of pieces) {
    if (statement < 0) {
      const at = commentAt(piece);
      text.append(piece.slice(0, at), make("span", { class: "comment" }, piece.slice(at)));
      continue;
    }
    const { kernels } = data.source.statements[statement];
    const begins = !section(`statement-${statement}`) && !started.includes(statement);
    if (begins) started.push(statement);
    const link = make("a", { class: `statement ${kernels.length > 0 ? hue(kernels[0]) : ""}`, href: `#statement-${statement}`,
      id: begins ? `statement-${statement}` : null, tabindex: begins ? null : -1, onclick: picks({ statement }) }, piece.trimStart());
    lights(link, "source", statement);
    text.append(piece.slice(0, piece.length - piece.trimStart().length), link);
    if (piece.trim() && kernels.length > 0) line.className = `of ${hue(kernels[0])}`;
  }
  const kernels = [...new Set(started.flatMap((s) => data.source.statements[s].kernels))];
  line.append(make("span", { class: "badges" }, kernels.slice(0, 1).map(badge),
    kernels.length > 1 ? make("span", { class: "quiet" }, `+${kernels.length - 1}`) : null), text);
  return line;
}

function codeFile(file, index) {
  const kernels = new Map(), statements = new Map();
  for (const [first, last, kernel] of file.kernels) for (let at = first; at <= last; ++at) kernels.set(at, kernel);
  for (const [at, , statement] of file.statements) statements.set(at, statement);
  const text = file.text.endsWith("\n") ? file.text.slice(0, -1) : file.text;
  return text.split("\n").map((words, k) => {
    const number = k + 1, kernel = kernels.get(number), statement = statements.get(number);
    const at = commentAt(words);
    const line = make("div", { class: kernel === undefined ? null : `of ${hue(kernel)}` },
      make("a", { class: "number", href: `#code-${index}-${number}`, id: `code-${index}-${number}` }, String(number)),
      make("span", { class: `text ${statement === undefined ? "" : "linked"}`,
        onclick: kernel === undefined ? null : picks(statement === undefined ? { kernel } : { statement }) },
        words.slice(0, at), make("span", { class: "comment" }, words.slice(at))));
    lights(line, "kernel", kernel);
    return lights(line, "statement", statement);
  });
}

/// [file, line] of what computes the statement in these kernels, or where the kernels begin.
function emittedLines(kernels, statement) {
  const found = [];
  data.code.forEach((file, index) => {
    if (statement !== null)
      for (const [line, kernel, of] of file.statements) if (of === statement && kernels.includes(kernel)) found.push([index, line]);
    if (statement === null) for (const [first, , kernel] of file.kernels) if (kernels.includes(kernel)) found.push([index, first]);
  });
  return found.filter(([index]) => index === found[0][0]);
}

function showFile(index) {
  data.code.forEach((_, k) => {
    section(`file-${k}`).hidden = k !== index;
    section(`tab-${k}`).setAttribute("aria-pressed", String(k === index));
  });
}
/// The code's own box goes there; the page stays.
function showCodeOf(kernels, statement) {
  const lines = emittedLines(kernels, statement);
  if (lines.length === 0) return;
  const [file, line] = lines[0];
  showFile(file);
  const box = section("emitted"), target = section(`code-${file}-${line}`);
  box.scrollTop += target.getBoundingClientRect().top - box.getBoundingClientRect().top - 40;
}

function writeCode() {
  const tabs = data.code.map((file, k) => make("button", { id: `tab-${k}`, onclick: () => showFile(k) }, file.name));
  const files = data.code.map((file, k) => make("div", { id: `file-${k}`, class: "lines" }, codeFile(file, k)));
  const program = make("div", { class: "lines" });
  const box = make("div", { class: "box tall", tabindex: 0, role: "region", "aria-label": "program" }, program);
  section("code").append(
    make("p", { class: "quiet" }, "A statement lights up its kernels here and below; a line of emitted code its statement. "
      + "The coloured names lead to kernels."),
    make("div", { class: "side" },
      make("div", {}, make("div", { class: "bar" }, make("b", {}, data.source.name)), box),
      make("div", {}, make("div", { class: "bar" }, tabs),
        make("div", { class: "box tall", id: "emitted", tabindex: 0, role: "region", "aria-label": "emitted code" }, files))));
  data.source.lines.forEach((pieces, k) => program.append(programLine(pieces, k)));
  // Those that others hold from begin to end have a place to go to all the same.
  data.source.statements.forEach((s, k) => {
    if (!section(`statement-${k}`)) section(`line-${s.line}`).after(make("span", { id: `statement-${k}` }));
  });
  showFile(0);
}
