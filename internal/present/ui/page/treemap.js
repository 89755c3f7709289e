import { el, visible } from "./dom.js";

// A squarified treemap (Bruls, Huizing, van Wijk 2000) of files by lines, on a canvas.

/** tree makes folders of paths; size is lines. */
function tree(files) {
  const root = { name: "", path: "", size: 0, kids: new Map() };
  for (const f of files) {
    let at = root;
    const parts = f.path.split("/");
    at.size += f.lines;
    parts.forEach((part, i) => {
      if (!at.kids.has(part)) at.kids.set(part, { name: part, path: parts.slice(0, i + 1).join("/"), size: 0, kids: new Map(), file: null });
      at = at.kids.get(part);
      at.size += f.lines;
    });
    at.file = f;
  }
  return root;
}

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

const extension = (path) => (path.match(/\.([^./]+)$/) || [, ""])[1].toLowerCase();

/** hue is the same for a language on every machine. */
function hue(name) {
  let n = 7;
  for (const c of name) n = (n * 31 + c.codePointAt(0)) % 360;
  return n;
}

/**
 * treemap draws files into an element: a click chooses one, or a folder to be seen alone. paint(node) is the colour of a
 * file, or null for that of its language; what light holds by path is drawn with an edge of that colour.
 * @typedef {{paint?: (path: string, dark: boolean) => string | null, light?: Map<string, string>, hover?: (path: string) => string}} Look
 * @param {HTMLElement} out
 * @param {{path: string, lines: number, functions: number, imports: number}[]} files
 * @param {{chosen: (path: string, lines: number) => void} & Look} how
 */
export function treemap(out, files, { chosen, paint = () => null, light = new Map(), hover = () => "" }) {
  const all = tree(files);
  let top = all;
  let boxes = [];
  const canvas = el("canvas", { role: "img", tabindex: "0", "aria-label": `${files.length} files by lines` });
  const label = el("p", { class: "quiet", "aria-live": "polite" }, `${files.length} files, ${all.size.toLocaleString("en")} lines`);
  const up = el("button", { type: "button", hidden: true, click: () => { top = all; draw(); } }, "The whole project");
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const draw = () => {
    const wide = out.clientWidth || 800;
    const high = Math.max(320, Math.round(wide * 0.5));
    const dpr = window.devicePixelRatio || 1;
    canvas.width = wide * dpr;
    canvas.height = high * dpr;
    canvas.style.height = `${high}px`;
    const g = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    g.scale(dpr, dpr);
    g.clearRect(0, 0, wide, high);
    g.font = "11px system-ui";
    boxes = [];
    up.hidden = top === all;
    const place = (node, x, y, w, h, depth) => {
      if (w < 2 || h < 2) return;
      if (!node.kids.size) {
        g.fillStyle = paint(node.path, dark) || `hsl(${hue(extension(node.name))} 45% ${dark ? 32 : 78}%)`;
        g.globalAlpha = light.size && !light.has(node.path) ? 0.35 : 1;
        g.fillRect(x, y, w - 0.6, h - 0.6);
        g.globalAlpha = 1;
        if (light.has(node.path)) { g.strokeStyle = light.get(node.path) || ""; g.lineWidth = 2; g.strokeRect(x + 1, y + 1, Math.max(w - 2.6, 1), Math.max(h - 2.6, 1)); }
        boxes.push({ node, x, y, w, h });
        if (w > 60 && h > 14) { g.fillStyle = dark ? "#e6edf3" : "#1b1f24"; g.fillText(visible(node.name).slice(0, Math.floor(w / 7)), x + 3, y + 12); }
        return;
      }
      const head = depth && h > 34 && w > 50 ? 14 : 0;
      if (head) { g.fillStyle = dark ? "#9aa7b4" : "#57606a"; g.fillText(visible(node.name).slice(0, Math.floor(w / 7)), x + 3, y + 11); }
      const kids = [...node.kids.values()].sort((a, b) => b.size - a.size);
      const places = squares(kids.map((k) => k.size), x + 1, y + head + 1, w - 2, h - head - 2);
      boxes.push({ node, x, y, w, h: head });
      kids.forEach((k, i) => place(k, ...places[i], depth + 1));
    };
    place(top, 0, 0, wide, high, 0);
  };
  const under = (e) => {
    const r = canvas.getBoundingClientRect();
    const [x, y] = [e.clientX - r.left, e.clientY - r.top];
    return boxes.findLast((b) => x >= b.x && x < b.x + b.w && y >= b.y && y < b.y + b.h)?.node;
  };
  canvas.addEventListener("mousemove", (e) => {
    const n = under(e);
    if (n) label.textContent = `${visible(n.path) || "the project"}: ${n.size.toLocaleString("en")} lines${n.file ? `, ${n.file.functions} functions, ${n.file.imports} imports${hover(n.path)}` : ""}`;
  });
  canvas.addEventListener("click", (e) => {
    const n = under(e);
    if (!n) return;
    if (n.kids.size) { top = n; draw(); } else chosen(n.path, n.size);
  });
  out.replaceChildren(up, canvas, label);
  draw();
  new ResizeObserver(draw).observe(out);
  return {
    /** mark redraws with other colours and lights. */
    mark(/** @type {Look} */ change) { ({ paint = paint, light = light, hover = hover } = change); draw(); },
  };
}
