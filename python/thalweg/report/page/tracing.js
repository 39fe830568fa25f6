// What a trace says: efficiencies, each worker's time, critical path, timeline, tasks, messages.

const noTrace = () => note("No trace: run with trace.steps=[10,12], say, for efficiencies, a timeline, "
  + "the critical path, tasks and messages.");
const noSummary = () => note("thalweg was not found, so the trace is not accounted for: put it on PATH, "
  + "or name it with --program.", "warn");

function traceName(trace) {
  const [first, last] = [trace.steps?.[0], trace.steps?.[1] - 1];
  const steps = trace.steps ? (first === last ? `, step ${first}` : `, steps ${first} to ${last}`) : "";
  return `${trace.model}, ${count(trace.n_ranks, "rank")}${steps}`;
}

function perTrace(show, needsSummary) {
  return perRun((run) => (run.traces.length ? run.traces.map((trace) =>
    card(traceName(trace), ...(needsSummary && !trace.summary ? [noSummary()] : show(trace)))) : [noTrace()]));
}

const needsAllRanks = (words, trace) => note(`${words} a trace of all ranks, and ${trace.summary.ranks_traced} of `
  + `${trace.n_ranks} are in this one: leave trace.ranks out.`, "warn");

function efficiencyTree(trace) {
  const e = trace.summary.efficiencies;
  const rows = [["parallel efficiency", 0, e.parallel], ["load balance", 1, e.load_balance],
    ["communication", 1, e.communication], ["serialisation", 2, e.serialisation], ["transfer", 2, e.transfer]];
  return [make("div", { class: "tree" }, ...rows.flatMap(([name, depth, part]) => [
    make("span", { style: `padding-left:${depth}rem` }, name),
    make("div", { class: "bar" }, make("i", { style: `width:${100 * Math.min(1, part ?? 0)}%;background:${colour(depth)}` })),
    make("span", {}, percent(part))])),
    ...(Number.isFinite(e.parallel)
      ? [note("Each is the product of those below it. "
        + `${percent(trace.summary.overlap_ratio)} of messages' flight time is worked in.`)]
      : [needsAllRanks("Efficiencies need", trace)]),
    ...(trace.n_dropped
      ? [note(`${count(trace.n_dropped, "event")} found no room, so figures are not exact: trace fewer steps.`, "warn")] : [])];
}

function workers(trace) {
  const s = trace.summary;
  const causes = Object.keys(s.workers[0]?.idle_ns ?? {});
  const kinds = [["work", (w) => w.work_ns, 2], ["overhead", (w) => w.overhead_ns, 1],
    ["between runs", (w) => w.between_runs_ns, 9],
    ...causes.map((cause, n) => [cause.replaceAll("_", " "), (w) => w.idle_ns[cause], [0, 6, 4, 3, 5, 7, 8][n]])]
    .filter(([, of]) => s.workers.some((w) => of(w) > 0));
  return [make("div", { class: "tree" }, ...s.workers.slice(0, 64).flatMap((w) => [
    make("span", {}, `rank ${w.rank} worker ${w.worker}`),
    make("div", { class: "bar" }, ...kinds.map(([name, of, c]) =>
      make("i", { title: `${name}: ${percent(of(w) / s.wall_ns)}`,
        style: `width:${(100 * of(w)) / s.wall_ns}%;background:${colour(c)}` }))),
    make("span", {}, percent(w.work_ns / s.wall_ns))])),
    legend(kinds.map(([name, , c]) => [name, colour(c)])),
    note(`Of ${duration(s.wall_ns)}; on the right what is work.`
      + (s.workers.length > 64 ? ` The first 64 of ${s.workers.length} workers.` : ""))];
}

function criticalPath(trace) {
  const path = trace.summary.critical_path, wall = trace.summary.wall_ns;
  if (!Number.isFinite(path.length_ns)) return [needsAllRanks("The critical path needs", trace)];
  const shares = path.shares.filter((share) => share.time_ns > 0);
  return [make("div", { class: "bar" }, ...shares.map((share, n) =>
    make("i", { title: `${share.name}: ${percent(share.time_ns / path.length_ns)}`,
      style: `width:${(100 * share.time_ns) / path.length_ns}%;background:${colour(Math.min(n, 9))}` }))),
    legend(shares.slice(0, 10).map((share, n) => [n === 9 ? "other" : share.name, colour(n)])),
    note(`The longest chain of tasks and messages takes ${duration(path.length_ns)}, ${percent(path.length_ns / wall)} of the time, `
      + `and goes from rank to rank ${count(path.rank_changes, "time")}. No number of workers is quicker with these tasks.`),
    table([["on the path", (r) => r.name], ["count", (r) => r.count], ["time", (r) => r.time_ns, duration],
      ["part", (r) => r.time_ns / path.length_ns, percent]], path.shares)];
}

const taskTable = (trace) => [table([["task", (t) => t.name], ["count", (t) => t.count], ["total", (t) => t.total_ns, duration],
  ["mean", (t) => t.mean_ns, duration], ["p50", (t) => t.p50_ns, duration], ["p95", (t) => t.p95_ns, duration],
  ["p99", (t) => t.p99_ns, duration], ["longest", (t) => t.max_ns, duration]], trace.summary.tasks)];

const messageTable = (trace) => (trace.messages.length
  ? [table([["from", (m) => m.from], ["to", (m) => m.to], ["messages", (m) => m.count], ["size", (m) => m.bytes, bytes],
    ["mean size", (m) => m.bytes / m.count, bytes], ["mean from posted to seen", (m) => m.posted_ns, duration]], trace.messages)]
  : [note("None: one rank, or none in the traced steps.")]);

function tracing() {
  if (runs.every((run) => run.traces.length === 0)) return section("efficiency", "Where the time went", noTrace());
  section("efficiency", "Where the time went", perTrace(efficiencyTree, true), perTrace(workers, true));
  section("timeline", "Timeline", perTrace((trace) => timeline(trace.timeline), false));
  section("path", "Critical path", perTrace(criticalPath, true));
  section("tasks", "Tasks", perTrace(taskTable, true));
  section("messages", "Messages", perTrace(messageTable, false));
}

whatWasRun();
if (runs.length === 2) comparison();
slices();
totals();
steps();
tracing();
document.body.dataset.ready = "yes";
