// Lines over x, drawn for the width there is, with the values under the pointer.

// About n round numbers that cover a range.
function ticks(low, high, n) {
  const raw = (high - low) / n;
  if (!(raw > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw);
  const found = [];
  for (let i = Math.ceil(low / step); i * step <= high + 1e-9 * step; ++i) found.push(i * step);
  return found;
}

function range(values) {
  let low = Infinity, high = -Infinity;
  for (const v of values)
    if (v !== null && Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
  if (low > high) return [0, 1];
  // What differs by rounding alone is drawn as such, in a band that numbers can tell apart.
  const pad = high > low ? Math.max(0.04 * (high - low), 1e-14 * Math.abs(low)) : 0.1 * Math.abs(low) || 1;
  return [low - pad, high + pad];
}

// span: the least and greatest value that it has room for; by default those of the lines.
function lineChart({ title, x, xLabel, lines, unit = "", fromZero = false, span = null, note: text = "" }) {
  const height = 190;  // fixed, so that drawing changes no layout
  const svg = make("svg", { class: "chart", role: "img", "aria-label": title, style: `height:${height}px` });
  const tip = make("div", { class: "tip" });
  const left = 58, right = 8, bottom = 30;

  function draw() {
    const width = Math.max(200, svg.clientWidth || 300);
    let [low, high] = range(span ?? lines.flatMap((line) => line.values));
    if (fromZero) low = Math.min(0, low);
    // Values that differ in their last digits are shown as differences from what stands above the chart.
    const offset = high - low < 1e-3 * Math.abs(low) ? low + (high - low) / 2 : 0;
    const top = offset ? 22 : 8;
    const [first, last] = [Math.min(...x), Math.max(...x)];
    const px = (v) => left + (last > first ? (v - first) / (last - first) : 0.5) * (width - left - right);
    const py = (v) => top + (1 - (v - low) / (high - low)) * (height - top - bottom);
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const parts = [];
    for (const d of ticks(low - offset, high - offset, 4)) {
      const y = py(offset + d);
      parts.push(make("line", { class: "grid-line", x1: left, x2: width - right, y1: y, y2: y }));
      parts.push(make("text", { x: left - 6, y: y + 4, "text-anchor": "end" }, offset && d > 0 ? `+${short(d, 3)}` : short(d, 4)));
    }
    if (offset) parts.push(make("text", { class: "offset", x: left + 2, y: 12 }, `${offset.toPrecision(8)} + ...`));
    for (const v of ticks(first, last, Math.max(2, Math.floor(width / 75))))
      parts.push(make("text", { x: px(v), y: height - bottom + 15, "text-anchor": "middle" }, short(v, 4)));
    parts.push(make("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom, y2: height - bottom }));
    parts.push(make("text", { x: width - right, y: height - 2, "text-anchor": "end" }, xLabel));
    lines.forEach((line, n) => {
      const paint = line.paint ?? colour(n), isThere = (i) => Number.isFinite(line.values[i]);
      let path = "", pen = "M";
      line.values.forEach((v, i) => {
        if (!isThere(i)) { pen = "M"; return; }
        const [cx, cy] = [px(x[i]).toFixed(1), py(v).toFixed(1)];
        path += `${pen}${cx} ${cy}`;
        pen = "L";
        // What has no neighbour is no line.
        if (!isThere(i - 1) && !isThere(i + 1)) parts.push(make("circle", { cx, cy, r: 3, style: `fill:${paint}` }));
      });
      parts.push(make("path", { d: path, fill: "none", stroke: paint, "stroke-width": 1.6,
        "stroke-linejoin": "round", "stroke-linecap": "round" }));
    });
    const cursor = make("line", { class: "cursor", y1: top, y2: height - bottom, visibility: "hidden" });
    svg.replaceChildren(...parts, cursor);
    svg.onpointermove = (event) => {
      const at = first + ((event.offsetX - left) / (width - left - right)) * (last - first);
      let nearest = 0;
      x.forEach((v, i) => { if (Math.abs(v - at) < Math.abs(x[nearest] - at)) nearest = i; });
      cursor.setAttribute("x1", px(x[nearest]));
      cursor.setAttribute("x2", px(x[nearest]));
      cursor.setAttribute("visibility", "visible");
      tip.textContent = `${xLabel} ${short(x[nearest], 5)}: ` + lines
        .map((line) => `${line.name} ${offset ? line.values[nearest]?.toPrecision(12) : short(line.values[nearest], 5)}`)
        .join(", ") + (unit ? ` ${unit}` : "");
    };
    svg.onpointerleave = () => { cursor.setAttribute("visibility", "hidden"); tip.textContent = ""; };
  }
  new ResizeObserver(draw).observe(svg);
  const heading = unit ? `${title} [${unit}]` : title;
  const box = card(heading, svg, tip, ...(text ? [note(text)] : []));
  if (lines.length > 1) box.append(legend(lines.map((line, n) => [line.name, line.paint ?? colour(n)])));
  return box;
}
