// What each worker did, on a canvas: drag, wheel, pinch, buttons and arrow keys move and zoom.

function column(text, type) {
  const raw = atob(text);
  const octets = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) octets[i] = raw.charCodeAt(i);
  return new type(octets.buffer);
}

// The first index whose value is above a bound, in a sorted column.
function firstAbove(values, bound) {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] > bound) high = middle; else low = middle + 1;
  }
  return low;
}

const rowHeight = 24, labelWidth = 74, axisHeight = 22;

function readTimeline(data) {
  const rows = data.rows.map((row) => ({
    label: `r${row.rank} w${row.worker}`, rank: row.rank, worker: row.worker,
    start: column(row.start, Uint32Array), end: column(row.end, Uint32Array), name: column(row.name, Uint16Array),
    step: column(row.step, Uint32Array), level: column(row.level, Int8Array) }));
  const total = new Float64Array(data.names.length);
  for (const row of rows) row.name.forEach((n, i) => { total[n] += row.end[i] - row.start[i]; });
  // Colours go to the names with most time; the rest share the last one.
  const order = [...total.keys()].filter((n) => total[n] > 0).sort((a, b) => total[b] - total[a]);
  const rank = new Map(order.map((n, i) => [n, Math.min(i, 9)]));
  return { ...data, rows, order, rank, span: Math.max(1, data.span_ns / data.unit_ns) };
}

function timeline(data) {
  const all = readTimeline(data);
  const canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": "tasks of each worker over time" });
  const tip = make("div", { class: "tip" }, "Drag to move; wheel, pinch or buttons to zoom; point at a task.");
  const height = all.rows.length * rowHeight + axisHeight;
  canvas.style.height = `${height}px`;
  let view = { from: 0, to: all.span };

  const width = () => canvas.clientWidth || 300;
  const toTime = (px) => view.from + ((px - labelWidth) / (width() - labelWidth)) * (view.to - view.from);

  function look(from, to) {
    const least = 20;  // units, so that a task is never wider than what numbers can tell
    const size = Math.min(all.span, Math.max(least, to - from));
    const start = Math.min(Math.max(0, from), all.span - size);
    view = { from: start, to: start + size };
    canvas.dataset.view = `${Math.round(view.from)} ${Math.round(view.to)}`;
    requestAnimationFrame(draw);
  }
  const zoom = (factor, centre = (view.from + view.to) / 2) =>
    look(centre - (centre - view.from) * factor, centre + (view.to - centre) * factor);
  const shift = (part) => look(view.from + part * (view.to - view.from), view.to + part * (view.to - view.from));

  function draw() {
    const scale = window.devicePixelRatio || 1, w = width();
    canvas.width = w * scale;
    canvas.height = height * scale;
    const paint = canvas.getContext("2d");
    paint.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    const colours = [...Array(10).keys()].map((n) => style.getPropertyValue(`--c${n}`));
    const perPixel = (view.to - view.from) / (w - labelWidth);
    let drawn = 0;
    paint.font = "11px system-ui, sans-serif";
    all.rows.forEach((row, r) => {
      const y = r * rowHeight;
      paint.fillStyle = style.getPropertyValue("--grid");
      paint.fillRect(labelWidth, y + 2, w - labelWidth, rowHeight - 4);
      let right = labelWidth;
      for (let i = firstAbove(row.end, view.from); i < row.start.length && row.start[i] < view.to; ++i) {
        const x0 = Math.max(right, labelWidth + (row.start[i] - view.from) / perPixel);
        const x1 = Math.min(w, labelWidth + (row.end[i] - view.from) / perPixel);
        if (x1 <= x0 + 0.02) continue;  // under what is drawn already
        paint.fillStyle = colours[all.rank.get(row.name[i])];
        paint.fillRect(x0, y + 2, Math.max(x1 - x0 - (x1 - x0 > 4 ? 0.6 : 0), 0.4), rowHeight - 4);
        if (x1 - x0 > 40) {
          paint.fillStyle = style.getPropertyValue("--card");
          paint.save();
          paint.beginPath();
          paint.rect(x0, y, x1 - x0 - 3, rowHeight);
          paint.clip();
          paint.fillText(all.names[row.name[i]], x0 + 3, y + rowHeight / 2 + 4);
          paint.restore();
        }
        right = x1;
        ++drawn;
      }
      paint.fillStyle = style.getPropertyValue("--text");
      paint.fillText(row.label, 2, y + rowHeight / 2 + 4);
    });
    paint.fillStyle = style.getPropertyValue("--faint");
    for (const t of ticks(view.from, view.to, Math.max(2, Math.floor(w / 130)))) {
      const x = labelWidth + (t - view.from) / perPixel;
      paint.fillRect(x, 0, 0.5, height - axisHeight + 4);
      paint.textAlign = x > w - 40 ? "right" : "center";
      paint.fillText(duration(t * all.unit_ns), x, height - 6);
    }
    canvas.dataset.drawn = drawn;
  }

  function describe(x, y) {
    const row = all.rows[Math.floor(y / rowHeight)];
    if (!row || x < labelWidth) return;
    const t = toTime(x), i = firstAbove(row.end, t);
    const is = i < row.start.length && row.start[i] <= t;
    tip.textContent = `rank ${row.rank}, worker ${row.worker}, ${duration(t * all.unit_ns)}: ` + (is
      ? `${all.names[row.name[i]]}, step ${row.step[i]}, ${duration((row.end[i] - row.start[i]) * all.unit_ns)}`
        + (row.level[i] >= 0 ? `, level ${row.level[i]}` : "")
      : "no task");
  }

  // One pointer drags, two pinch.
  const held = new Map();
  canvas.onpointerdown = (event) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, event.offsetX);
  };
  canvas.onpointerup = canvas.onpointercancel = (event) => held.delete(event.pointerId);
  canvas.onpointermove = (event) => {
    if (!held.has(event.pointerId)) return describe(event.offsetX, event.offsetY);
    const before = [...held.values()];
    held.set(event.pointerId, event.offsetX);
    const after = [...held.values()];
    if (before.length === 1) return shift((before[0] - after[0]) / (width() - labelWidth));
    const gap = (xs) => Math.max(8, Math.abs(xs[0] - xs[1]));
    zoom(gap(before) / gap(after), toTime((after[0] + after[1]) / 2));
  };
  canvas.addEventListener("wheel", (event) => {
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) shift(event.deltaX / width());
    else zoom(Math.exp(event.deltaY * 0.002), toTime(event.offsetX));
    event.preventDefault();
  }, { passive: false });
  const keys = {
    ArrowLeft: () => shift(-0.2), ArrowRight: () => shift(0.2), ArrowUp: () => zoom(0.7), ArrowDown: () => zoom(1 / 0.7),
  };
  canvas.onkeydown = (event) => { if (keys[event.key]) { keys[event.key](); event.preventDefault(); } };

  const button = (text, label, act) => make("button", { type: "button", "aria-label": label, onclick: act }, text);
  const controls = make("div", { class: "controls" },
    button("+", "zoom in", () => zoom(0.5)), button("−", "zoom out", () => zoom(2)),
    button("←", "earlier", () => shift(-0.4)), button("→", "later", () => shift(0.4)),
    button("all", "show all", () => look(0, all.span)));
  new ResizeObserver(() => draw()).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  look(0, all.span);
  const shown = all.order.slice(0, 9).map((n, i) => [all.names[n], colour(i)]);
  if (all.order.length > 9) shown.push(["other", colour(9)]);
  return [controls, canvas, tip, legend(shown),
    ...(data.is_cut ? [note("There are more events than a page can hold: this is the first part of the steps.", "warn")] : [])];
}
