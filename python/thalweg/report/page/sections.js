// The sections of the report, each a card for each run.

const data = JSON.parse(document.getElementById("data").textContent);
const runs = data.runs;

function section(id, title, ...children) {
  document.getElementById("contents").append(make("a", { href: `#${id}` }, title));
  document.getElementById("report").append(make("section", { id }, make("h2", {}, title), ...children));
}

// A grid of what each run has to show; its name stands above where there are two.
function perRun(show) {
  return make("div", { class: "grid" }, ...runs.map((run) => {
    const parts = show(run);
    return make("div", { style: "min-width:0" }, ...(runs.length > 1 ? [make("h3", {}, run.name)] : []), ...parts);
  }));
}

const last = (values) => values?.[values.length - 1];
// What its times and rates are of, where they are not of the whole run.
const since = (run) => (run.since > 0 ? ` (since step ${run.since})` : "");
const drift = (values) => (values.length > 1 && values[0] !== 0 ? values[values.length - 1] / values[0] - 1 : null);

function factsOf(run) {
  const begin = run.begin, keys = run.keys, found = [];
  const add = (name, value) => {
    if (value !== undefined && value !== null && value !== "") found.push([name, String(value)]);
  };
  add("application, problem", [keys["application.name"], keys["problem.name"]].filter(Boolean).join(", "));
  const { step, time, dimension } = run.last;
  add("last plotfile", `step ${step}, time ${short(time, 6)}, ${dimension}-D; ${count(run.n_plotfiles, "plotfile")}`);
  add("model, threads", [keys["run.model"], keys["run.threads"]].filter((v) => v !== undefined).join(", "));
  add("ranks", begin.ranks ?? run.traces[0]?.n_ranks);
  add("hosts", begin.hosts?.join(", ") ?? run.traces[0]?.hosts.join(", "));
  add("processor, cores of rank 0", [begin.processor, begin.cores].filter(Boolean).join(", "));
  add("Thalweg", begin.version);
  add("compiler", begin.compiler);
  add("MPI", begin.mpi);
  add("begun", begin.started);
  if (run.end.wall_s !== undefined) {
    add("time in steps", `${short(run.end.wall_s)} s${since(run)}`);
    add("zone updates", `${short(run.end.zone_updates)}, ${short(run.end.zone_updates / run.end.wall_s)} per second${since(run)}`);
    add("parallel efficiency", `${percent(run.end.parallel_efficiency)}${since(run)}`);
    add("fluxes limited, states replaced", `${run.end.limited_fluxes}, ${run.end.replaced_states}`);
    if (run.end.raised_states) add("states raised to the density floor", `${run.end.raised_states}`);
    if (run.end.unresolved_sources) add("unresolved sources", `${run.end.unresolved_sources}`);
  }
  return found;
}

function whatWasRun() {
  const parts = [perRun((run) => [make("div", { class: "card" }, facts(factsOf(run)),
    ...run.warnings.map((text) => note(text, "warn")),
    ...run.damage.map((text) => note(`A plotfile is left out: ${text}`, "warn")),
    ...(run.has_log ? [] : [note("No log.jsonl: run with run.log=both for efficiency, rates and memory of each step.")]),
    make("details", {}, make("summary", {}, "resolved deck"),
      make("pre", {}, run.deck || "no deck beside the plotfiles")))])];
  if (runs.length === 2) parts.push(card("Keys that differ", differences(...runs)));
  section("run", "What was run", ...parts);
}

function differences(a, b) {
  const names = [...new Set([...Object.keys(a.keys), ...Object.keys(b.keys)])].sort();
  const text = (run, key) => (key in run.keys ? JSON.stringify(run.keys[key]) : "–");
  const always = ["run.identity", "output.folder"];
  const rows = names.filter((key) => text(a, key) !== text(b, key) && !always.includes(key));
  if (!rows.length) return note("None.");
  return table([["key", (key) => key], ["A", (key) => text(a, key)], ["B", (key) => text(b, key)]], rows);
}

function comparison() {
  const [a, b] = runs;
  const ofTrace = (run, name) => run.traces[0]?.summary?.efficiencies[name];
  const rows = [
    ["time in steps [s]", (r) => r.end.wall_s],
    ["zone updates per second", (r) => r.end.zone_updates / r.end.wall_s],
    ["parallel efficiency of the run", (r) => r.end.parallel_efficiency],
    ["parallel efficiency of the traced steps", (r) => ofTrace(r, "parallel")],
    ["load balance of the traced steps", (r) => ofTrace(r, "load_balance")],
    ["blocks at the end", (r) => r.steps.blocks.reduce((sum, level) => sum + last(level), 0)],
    ["largest memory [MiB]", (r) => (r.has_log ? Math.max(...r.steps.memory) : undefined)],
  ].map(([name, of]) => ({ name, a: of(a), b: of(b) }))
    .filter((row) => Number.isFinite(row.a) && Number.isFinite(row.b));
  if (!rows.length) return;
  const columns = [["", (r) => r.name], ["A", (r) => r.a, short], ["B", (r) => r.b, short],
    ["B / A", (r) => r.b / r.a, (v) => short(v, 3)]];
  section("comparison", "A beside B",
    make("div", { class: "card" }, note(`A: ${a.name}${since(a)}; B: ${b.name}${since(b)}`), table(columns, rows)));
}

function picture(slice) {
  const where = slice.plane ? `, ${slice.plane}` : "";
  const title = `${slice.variable}, t = ${short(slice.time)}, step ${slice.step}${where}`;
  if (!slice.image)
    return lineChart({ title, x: slice.x, xLabel: "x", span: [slice.low, slice.high],
      lines: [{ name: slice.variable, values: slice.y }] });
  const paints = ["#d9d9d9", "#7fc8f8", "#5ad1a0", "#ffd166", "#ff8fab", "#c8b6ff", "#3f7cff"];
  const paths = slice.levels.map((level, n) => make("path", { d: level.path, fill: "none",
    stroke: paints[n % paints.length], "stroke-width": Math.max(0.5, 1 - 0.2 * n), "vector-effect": "non-scaling-stroke" }));
  const outlines = make("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none" }, ...paths);
  const scale = `background:linear-gradient(90deg,${data.colours.join(",")})`;
  const side = (name, words) => make("div", { class: name }, ...words.map((word) => make("span", {}, word)));
  const [left, right, bottom, top] = slice.extent.map((end) => short(end, 3));
  const own = `from ${short(slice.least)} to ${short(slice.greatest)}`;
  const hasOwn = slice.least !== slice.low || slice.greatest !== slice.high;
  return card(title,
    make("div", { class: "plane" },
      side("up", [top, slice.axes[1], bottom]),
      make("div", { class: "picture", style: `aspect-ratio:${1 / slice.aspect}` },
        make("img", { src: slice.image, alt: `${title}, ${own}` }), outlines),
      side("across", [left, slice.axes[0], right])),
    make("div", { class: "scale" }, short(slice.low), make("i", { style: scale }), short(slice.high)),
    note((hasOwn ? `${own}; ` : "") + slice.levels.map((level, n) => `level ${n}: ${count(level.n, "block")}`).join(", ")));
}

function slices() {
  const box = make("input", { type: "checkbox", id: "blocks" });
  box.checked = true;
  const grid = perRun((run) => [make("div", { class: "pictures" }, ...run.slices.map(picture)),
    ...(run.not_shown.length ? [note(`Not shown: ${run.not_shown.join(", ")}. --variable NAME shows one of them first.`)] : [])]);
  box.onchange = () => grid.classList.toggle("no-blocks", !box.checked);
  const hasOutlines = runs.some((run) => run.slices.some((slice) => slice.levels));
  const controls = make("div", { class: "controls" }, make("label", {}, box, " outlines of blocks"));
  section("slices", "Slices", ...(hasOutlines ? [controls] : []), grid);
}

function totals() {
  section("totals", "Totals and extrema over time", perRun((run) => {
    const { time, quantities, source } = run.series;
    const cards = Object.entries(quantities).flatMap(([name, of]) => {
      const found = [];
      for (const [kind, title] of [["total", `${name}, total`], ["value", name]]) {
        if (!of[kind]) continue;
        const change = drift(of[kind]);
        found.push(lineChart({ title, unit: of.units[kind], x: time, xLabel: "time",
          lines: [{ name: kind === "total" ? kind : name, values: of[kind] }],
          note: change === null ? "" : `relative change over the run: ${short(change, 3)}` }));
      }
      if (of.min || of.max)
        found.push(lineChart({ title: `${name}, least and greatest`, unit: of.units.min, x: time, xLabel: "time",
          lines: [["least", of.min, 0], ["greatest", of.max, 1]].filter(([, values]) => values)
            .map(([which, values, c]) => ({ name: which, values, paint: colour(c) })) }));
      return found;
    });
    return [make("div", { class: "small" }, ...cards), note(source === "series.csv" ? "Of series.csv, over leaf cells."
      : `Of ${count(time.length, "plotfile")}, over leaf cells: run with output.series_interval for all steps.`)];
  }));
}

function steps() {
  section("steps", "Blocks and speed over time", perRun((run) => {
    const s = run.steps, x = s.step, xLabel = "step", cards = [];
    cards.push(lineChart({ title: "blocks of each level", x, xLabel, fromZero: true,
      lines: s.blocks.map((values, n) => ({ name: `level ${n}`, values })) }));
    if (run.has_log) {
      for (const [title, name, values, unit] of [["parallel efficiency", "efficiency", s.efficiency, "%"],
        ["zone updates per second", "rate", s.rate], ["resident memory of all ranks", "memory", s.memory, "MiB"],
        ["dt", "dt", s.dt]])
        cards.push(lineChart({ title, unit, x, xLabel, fromZero: true, lines: [{ name, values }] }));
    }
    return [make("div", { class: "small" }, ...cards)];
  }));
}
