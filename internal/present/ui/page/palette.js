// Ctrl+K: a view, a file or a symbol by a few letters of its name.

import { run } from "./api.js";
import { later } from "./asking.js";
import { box, el, hash, quiet } from "./dom.js";
import { project } from "./project.js";

const most = 12; // entries of one kind

/**
 * fits scores how well letters, in their order, fit a path: -1 where they do not. Letters at the begin of words and in a row count more.
 * @param {string} letters in lower case
 * @param {string} path
 */
export function fits(letters, path) {
  const lower = path.toLowerCase();
  const name = lower.lastIndexOf("/") + 1;
  const whole = lower.indexOf(letters, name);
  if (whole >= 0) return 1000 - (whole - name) * 4 - path.length * 0.5;
  let score = 0;
  let at = -1;
  for (const c of letters) {
    const next = lower.indexOf(c, at + 1);
    if (next < 0) return -1;
    if (next === at + 1) score += 6;
    if (next === 0 || /[/_.\-]/.test(lower[next - 1]) || path[next] !== lower[next]) score += 8;
    if (next >= name) score += 4;
    at = next;
  }
  return score - path.length * 0.5;
}

/**
 * palette opens the dialog.
 * @param {{name: string, title: string}[]} views
 * @param {import("../page").Page} page
 */
export function palette(views, page) {
  const dialog = box("palette");
  const list = el("ul", { class: "palette" });
  let chosen = 0;
  /** @type {import("./project.js").Project | null} */
  let files = null;
  let asked = new AbortController();
  const field = el("input", { type: "search", "aria-label": "Go to", placeholder: "a file, a symbol or a view", input: () => fill(), keydown: (e) => {
    const links = list.querySelectorAll("a");
    if (e.key === "Enter") { e.preventDefault(); links[chosen]?.click(); }
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (!step || !links.length) return;
    e.preventDefault();
    choose((chosen + step + links.length) % links.length);
  } });
  const choose = (i) => {
    chosen = i;
    list.querySelectorAll("a").forEach((a, k) => { a.toggleAttribute("data-chosen", k === i); if (k === i) a.scrollIntoView({ block: "nearest" }); });
  };
  const entry = (href, text, kind) => el("li", {}, el("a", { href, click: () => dialog.close() }, text, " ", quiet(kind)));
  const symbols = later(async (q) => {
    asked.abort();
    asked = new AbortController();
    const ask = (kind) => run("functions", { pattern: q, limit: most, ...(kind && { kind }) }, { signal: asked.signal }).then((r) => r.functions, () => []);
    const found = (await Promise.all([ask("type"), ask("")])).flat();
    if (q !== field.value.trim()) return;
    const exact = (f) => Number(f.name.toLowerCase() === q.toLowerCase());
    const shown = found.sort((a, b) => exact(b) - exact(a) || a.name.length - b.name.length).slice(0, most);
    list.append(...shown.map((f) => entry(hash("files", { p: f.file, l: f.line, s: f.qualified || f.name }), f.qualified || f.name, `${f.kind}, ${f.file}`)));
    choose(chosen);
  }, 120);
  const fill = () => {
    const q = field.value.trim();
    const lower = q.toLowerCase();
    const paths = q && files ? files.paths.map((p) => ({ p, n: fits(lower.replace(/\s+/g, ""), p) })).filter((x) => x.n >= 0).sort((a, b) => b.n - a.n).slice(0, most) : [];
    list.replaceChildren(...views.filter((v) => v.title.toLowerCase().includes(lower)).map((v) => entry(`#/${v.name}`, v.title, "view")),
      ...paths.map(({ p }) => entry(page.address(p), p, "file")),
      ...(q ? [entry(hash("search", { q }), `Search for “${q}”`, "")] : []));
    choose(0);
    if (q.length > 1) symbols(q);
  };
  dialog.replaceChildren(field, list);
  fill();
  dialog.showModal();
  field.focus();
  project().then((p) => { files = p; fill(); }, () => {});
}
