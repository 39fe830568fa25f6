// Makers of elements, and numbers as people read them. All text goes in as text, never as markup.

const svgTags = new Set(["svg", "path", "line", "text", "rect", "circle", "g"]);

function make(tag, attributes = {}, ...children) {
  const element = svgTags.has(tag)
    ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "style") element.style.cssText = value;
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const colour = (n) => `var(--c${n % 10})`;

function short(value, digits = 4) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e5 || size < 1e-3) return value.toExponential(digits - 2).replace("e+", "e");
  return String(Number(value.toPrecision(digits)));
}

function duration(ns) {
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["µs", 1e3]])
    if (Math.abs(ns) >= size) return `${short(ns / size)} ${unit}`;
  return `${short(ns)} ns`;
}

function bytes(n) {
  for (const [unit, power] of [["GiB", 30], ["MiB", 20], ["KiB", 10]])
    if (n >= 2 ** power) return `${short(n / 2 ** power)} ${unit}`;
  return `${n} B`;
}

const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
const percent = (part) => (Number.isFinite(part) ? `${(100 * part).toFixed(1)} %` : "–");

function legend(entries) {
  return make("div", { class: "legend" }, ...entries.map(([name, paint]) =>
    make("span", {}, make("i", { style: `background:${paint}` }), name)));
}

// A table whose columns sort when their heads are clicked. columns: [head, value(row), text(value)].
function table(columns, rows) {
  const body = make("tbody");
  const fill = (order) => body.replaceChildren(...order.map((row) => make("tr", {},
    ...columns.map(([, value, text]) => make("td", {}, text ? text(value(row)) : String(value(row)))))));
  let sorted = null;
  const sort = (value) => {
    const sign = sorted === value ? 1 : -1;
    sorted = sorted === value ? null : value;
    const compare = (a, b) => (typeof a === "string" ? b.localeCompare(a) : a - b);
    fill([...rows].sort((a, b) => sign * compare(value(a), value(b))));
  };
  fill(rows);
  const head = make("tr", {}, ...columns.map(([name, value]) =>
    make("th", {}, make("button", { type: "button", onclick: () => sort(value) }, name))));
  return make("div", { class: "wide" }, make("table", {}, make("thead", {}, head), body));
}

// A table of two columns without sorting.
function facts(pairs) {
  return make("table", { class: "facts" }, make("tbody", {}, ...pairs.map(([name, text]) =>
    make("tr", {}, make("td", {}, name), make("td", { class: "text" }, text)))));
}

const card = (title, ...children) => make("div", { class: "card" }, make("h3", {}, title), ...children);
const note = (text, more = "") => make("p", { class: `note ${more}` }, text);
