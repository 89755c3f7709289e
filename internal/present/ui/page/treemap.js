import { button, el, plural, quiet, visible } from "./dom.js";

// A squarified treemap (Bruls, Huizing, van Wijk 2000) of folders and files by lines, on a canvas.

const levels = 2; // of folders that are drawn; one below is an area, until it is opened, unless it has a large share of the picture
const large = 0.04; // of the picture
const font = "12px system-ui, sans-serif";

/** @typedef {{path: string, lines: number, functions: number, imports: number}} Source */
/** @typedef {{name: string, path: string, size: number, count: number, kids: Map<string, Node>, file: Source | null}} Node */

/**
 * tree makes folders of paths; size is lines. A folder that holds one folder alone is one with it.
 * @param {Source[]} files
 */
function tree(files) {
  /** @returns {Node} */
  const node = (name, path) => ({ name, path, size: 0, count: 0, kids: new Map(), file: null });
  const root = node("", "");
  for (const f of files) {
    let at = root;
    const parts = f.path.split("/");
    for (let i = 0; ; i++) {
      at.size += f.lines;
      at.count++;
      if (i === parts.length) break;
      const next = at.kids.get(parts[i]) ?? node(parts[i], parts.slice(0, i + 1).join("/"));
      at.kids.set(parts[i], next);
      at = next;
    }
    at.file = f;
  }
  const join = (/** @type {Node} */ n) => {
    for (const [key, kid] of n.kids) {
      let one = kid;
      for (let only; one.kids.size === 1 && (only = [...one.kids.values()][0]).kids.size; one = only) only.name = `${one.name}/${only.name}`;
      n.kids.set(key, one);
      join(one);
    }
  };
  join(root);
  return root;
}

/** filesOf returns the files below a node. */
const filesOf = (/** @type {Node} */ n) => (n.file ? [n.file] : [...n.kids.values()].flatMap(filesOf));

/** squares places sizes into a rectangle; sizes are sorted, largest first. */
export function squares(sizes, x, y, w, h) {
  const out = [];
  const total = sizes.reduce((a, b) => a + b, 0);
  if (!total || w <= 0 || h <= 0) return sizes.map(() => [x, y, 0, 0]);
  const scale = (w * h) / total;
  const worst = (row, sum, side) => Math.max((side * side * row[0]) / (sum * sum), (sum * sum) / (side * side * row[row.length - 1]));
  let i = 0;
  while (i < sizes.length) {
    const side = Math.min(w, h);
    const row = [];
    let sum = 0;
    while (i < sizes.length) {
      const next = Math.max(sizes[i] * scale, 1e-9);
      if (row.length && worst([...row, next], sum + next, side) > worst(row, sum, side)) break;
      row.push(next);
      sum += next;
      i++;
    }
    const thick = side ? sum / side : 0;
    let at = 0;
    for (const area of row) {
      const long = thick ? area / thick : 0;
      out.push(w >= h ? [x, y + at, thick, long] : [x + at, y, long, thick]);
      at += long;
    }
    if (w >= h) { x += thick; w -= thick; } else { y += thick; h -= thick; }
  }
  return out;
}

/** fitted is as much of a text as a width has room for, "" where that would say nothing. */
function fitted(g, text, wide) {
  if (g.measureText(text).width <= wide) return text;
  let n = Math.floor((text.length * wide) / Math.max(1, g.measureText(text).width));
  while (n > 0 && g.measureText(text.slice(0, n) + "…").width > wide) n--;
  return n > 2 ? text.slice(0, n) + "…" : "";
}

/**
 * treemap draws files into an element: a click chooses one, or opens a folder. paint is the colour of a file or of a folder by its files;
 * an area with a file that light has gets an edge of that colour, and says how many it has.
 * @typedef {{paint?: (files: Source[], dark: boolean, node: Node) => string, light?: Map<string, string>, hover?: (files: Source[]) => string}} Look
 * @param {HTMLElement} out
 * @param {Source[]} files
 * @param {{chosen: (path: string, lines: number) => void, opened: (path: string) => void} & Look} how
 */
export function treemap(out, files, { chosen, opened, paint = () => "gray", light = new Map(), hover = () => "" }) {
  const all = tree(files);
  let top = all;
  /** @type {{node: Node, x: number, y: number, w: number, h: number}[]} */
  let boxes = [];
  const canvas = el("canvas", { role: "img", "aria-label": `${files.length} files by lines` });
  const label = el("p", { class: "quiet", "aria-live": "polite" });
  const way = el("nav", { class: "crumbs", "aria-label": "Folder" });
  const list = el("ul", { class: "entries columns" });
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const [ink, soft, line] = dark ? ["#e6edf3", "#9aa7b4", "#0f1318"] : ["#1b1f24", "#57606a", "#ffffff"];
  const about = (/** @type {Node} */ n) => `${visible(n.path) || "the project"}: ${plural(n.size, "line")}${n.file ? `, ${plural(n.file.functions, "function")}, ${plural(n.file.imports, "import")}` : ` in ${plural(n.count, "file")}`}${hover(filesOf(n))}`;
  const visit = (/** @type {Node} */ n) => {
    if (!n.kids.size) { chosen(n.path, n.size); return; }
    top = n;
    draw();
    opened(n.path);
  };
  /** ancestors returns the folders from the project to the one that is shown. */
  const ancestors = () => { const found = [all]; for (let at = all; at !== top;) { at = [...at.kids.values()].find((k) => k === top || top.path.startsWith(k.path + "/")) ?? top; found.push(at); } return found; };
  const draw = () => {
    const wide = out.clientWidth || 800;
    const high = Math.max(320, Math.min(720, Math.round(wide * 0.5)));
    const dpr = window.devicePixelRatio || 1;
    canvas.width = wide * dpr;
    canvas.height = high * dpr;
    canvas.style.height = `${high}px`;
    const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    g.scale(dpr, dpr);
    g.clearRect(0, 0, wide, high);
    g.font = font;
    boxes = [];
    const area = (/** @type {Node} */ node, x, y, w, h) => {
      const inside = filesOf(node);
      const lit = inside.filter((f) => light.has(f.path));
      g.globalAlpha = light.size && !lit.length ? 0.3 : 1;
      g.fillStyle = paint(inside, dark, node);
      g.fillRect(x, y, w - 1, h - 1);
      if (lit.length) { g.strokeStyle = light.get(lit[0].path) || ""; g.lineWidth = 2; g.strokeRect(x + 1, y + 1, Math.max(w - 3, 1), Math.max(h - 3, 1)); }
      g.fillStyle = ink;
      const text = h > 18 ? fitted(g, visible(node.name) + (node.kids.size ? "/" : ""), w - 8) : "";
      g.fillText(text, x + 4, y + 14);
      if (text && h > 34 && !node.file) { g.globalAlpha *= 0.75; g.fillText(fitted(g, lit.length ? `${lit.length} of ${plural(node.count, "file")}` : plural(node.count, "file"), w - 8), x + 4, y + 30); }
      g.globalAlpha = 1;
      boxes.push({ node, x, y, w, h });
    };
    const place = (/** @type {Node} */ node, x, y, w, h, depth) => {
      if (w < 2 || h < 2) return;
      const isSmall = w < 40 || h < 40 || (depth >= levels && w * h < large * wide * high);
      const isArea = depth > 0 && (!node.kids.size || isSmall);
      if (isArea) { area(node, x, y, w, h); return; }
      const head = depth ? 18 : 0;
      if (head) {
        boxes.push({ node, x, y, w, h });
        g.fillStyle = soft;
        g.fillText(fitted(g, `${visible(node.name)}/`, w - 6), x + 3, y + 13);
      }
      const kids = [...node.kids.values()].sort((a, b) => b.size - a.size);
      const rects = squares(kids.map((k) => k.size), x + 1, y + head, w - 2, h - head - 1);
      kids.forEach((k, i) => place(k, rects[i][0], rects[i][1], rects[i][2], rects[i][3], depth + 1));
    };
    g.fillStyle = line;
    place(top, 0, 0, wide, high, 0);
    way.replaceChildren(...ancestors().flatMap((n, i) => [i ? " / " : "", n === top ? el("strong", {}, n.name || "the project") : button(n.name || "the project", () => visit(n), { class: "plain" })]));
    label.textContent = about(top);
    list.replaceChildren(...[...top.kids.values()].sort((a, b) => b.size - a.size).slice(0, 60).map((n) => el("li", {}, button(n.name + (n.kids.size ? "/" : ""), () => visit(n), { class: "plain" }), quiet(` ${plural(n.size, "line")}`))));
  };
  const under = (e) => {
    const r = canvas.getBoundingClientRect();
    const [x, y] = [e.clientX - r.left, e.clientY - r.top];
    return boxes.findLast((b) => x >= b.x && x < b.x + b.w && y >= b.y && y < b.y + b.h)?.node;
  };
  canvas.addEventListener("mousemove", (e) => { const n = under(e); label.textContent = about(n ?? top); });
  canvas.addEventListener("click", (e) => { const n = under(e); if (n) visit(n); });
  out.replaceChildren(way, canvas, label, el("details", {}, el("summary", { class: "quiet" }, "as a list"), list));
  draw();
  new ResizeObserver(draw).observe(out);
  return {
    /** mark redraws with other colours and lights. */
    mark(/** @type {Look} */ change) { ({ paint = paint, light = light, hover = hover } = change); draw(); },
  };
}
