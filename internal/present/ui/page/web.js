import { el, visible } from "./dom.js";

// Notes and their links as a picture: a layout by forces (Fruchterman, Reingold 1991), the same each time, and drawn
// once: nothing moves.

const most = 150; // notes in the picture, those with the most links
const [wide, high] = [1000, 640];

/** svg makes an element of a picture as el makes one of the page. */
function svg(tag, attrs, ...children) {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [k, v] of Object.entries(attrs)) {
    if (typeof v === "function") e.addEventListener(k, v);
    else if (v !== undefined && v !== false) e.setAttribute(k, visible(v));
  }
  e.append(...children.flat().filter((c) => c !== false).map((c) => (c instanceof Node ? c : visible(c))));
  return e;
}

/** places lays nodes out: each pushes the others away, and a link pulls its ends together. ends are pairs of indices. */
export function places(count, ends) {
  const at = Array.from({ length: count }, (_, i) => {
    const turn = i * 2.399963; // the golden angle spreads them without chance
    const far = Math.sqrt((i + 0.5) / count);
    return [wide / 2 + far * wide * 0.42 * Math.cos(turn), high / 2 + far * high * 0.42 * Math.sin(turn)];
  });
  const ideal = 0.6 * Math.sqrt((wide * high) / Math.max(count, 1));
  for (let round = 0; round < 120; round++) {
    const push = at.map(() => [0, 0]);
    for (let i = 0; i < count; i++) {
      for (let j = i + 1; j < count; j++) {
        const [dx, dy] = [at[i][0] - at[j][0], at[i][1] - at[j][1]];
        const near = Math.max(dx * dx + dy * dy, 1);
        const f = (ideal * ideal) / near;
        push[i][0] += dx * f; push[i][1] += dy * f;
        push[j][0] -= dx * f; push[j][1] -= dy * f;
      }
    }
    for (const [i, j] of ends) {
      const [dx, dy] = [at[i][0] - at[j][0], at[i][1] - at[j][1]];
      const f = Math.hypot(dx, dy) / ideal;
      push[i][0] -= dx * f; push[i][1] -= dy * f;
      push[j][0] += dx * f; push[j][1] += dy * f;
    }
    const step = (wide / 12) * (1 - round / 120);
    at.forEach((p, i) => {
      const long = Math.max(Math.hypot(...push[i]), 1e-6);
      p[0] += (push[i][0] / long) * Math.min(long, step) + (wide / 2 - p[0]) * 0.03; // what hangs on nothing must not drift away
      p[1] += (push[i][1] / long) * Math.min(long, step) + (high / 2 - p[1]) * 0.03;
    });
  }
  return fitted(at);
}

/** fitted spreads places over the picture. */
function fitted(at) {
  const fit = (axis, from, to) => {
    const all = at.map((p) => p[axis]);
    const [least, span] = [Math.min(...all), Math.max(...all) - Math.min(...all)];
    for (const p of at) p[axis] = span ? from + ((p[axis] - least) / span) * (to - from) : (from + to) / 2;
  };
  fit(0, 80, wide - 80);
  fit(1, 30, high - 20);
  return at;
}

/** web draws what memory links answers for all notes; open(path) is asked for the one that was chosen. */
export function web({ links, titles }, open) {
  const linked = links.filter((l) => !l.broken && l.from !== l.to && titles[l.from] !== undefined && titles[l.to] !== undefined);
  const count = new Map();
  for (const l of linked) for (const p of [l.from, l.to]) count.set(p, (count.get(p) || 0) + 1);
  const paths = [...count.keys()].sort((a, b) => count.get(b) - count.get(a) || (a < b ? -1 : 1)).slice(0, most);
  const index = new Map(paths.map((p, i) => [p, i]));
  const drawn = linked.filter((l) => index.has(l.from) && index.has(l.to));
  const broken = links.filter((l) => l.broken).length;
  const total = Object.keys(titles).length;
  const said = el("p", { role: "status" }, `${total} notes, ${linked.length} links between ${count.size} of them`,
    count.size > most ? `; drawn are the ${most} with the most links` : "", broken ? `; ${broken} links lead nowhere` : "");
  if (!paths.length) return [said];
  const at = places(paths.length, drawn.map((l) => [index.get(l.from), index.get(l.to)]));
  const name = (p) => (titles[p] || p).slice(0, 40);
  const lines = drawn.map((l) => {
    const [a, b] = [index.get(l.from) ?? 0, index.get(l.to) ?? 0];
    const [[x1, y1], [x2, y2]] = [at[a], at[b]];
    const over = l.kind === "supersedes";
    return svg("line", { x1: x1.toFixed(1), y1: y1.toFixed(1), x2: x2.toFixed(1), y2: y2.toFixed(1), class: over ? "over" : "link", "data-ends": `${a} ${b}` }, svg("title", {}, `${name(l.from)} ${l.kind} ${name(l.to)}`));
  });
  /** light shows which links are of a note. */
  const light = (i) => lines.forEach((l) => l.classList.toggle("lit", l.dataset.ends.split(" ").includes(String(i))));
  const nodes = paths.map((p, i) => svg("g", { class: "note", role: "button", tabindex: "0", "aria-label": `${name(p)}, ${count.get(p)} links`, transform: `translate(${at[i].map((n) => n.toFixed(1)).join(" ")})`,
    click: () => open(p), keydown: (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); open(p); } },
    mouseenter: () => light(i), focus: () => light(i), mouseleave: () => light(-1), blur: () => light(-1) },
  svg("circle", { r: (4 + Math.min(10, Math.sqrt(count.get(p)) * 2)).toFixed(1) }), (paths.length <= 60 || i < 40) && svg("text", { y: "-10", "text-anchor": "middle" }, name(p).slice(0, 24)), svg("title", {}, `${name(p)} (${p})`)));
  return [said, svg("svg", { viewBox: `0 0 ${wide} ${high}`, class: "web", role: "group", "aria-label": "Notes and their links" }, lines, nodes)];
}
