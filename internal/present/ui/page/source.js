// A file with numbered lines. Its lines are made in blocks as they come into sight, so that a long file is there at once.

import { el } from "./dom.js";
import { lines } from "./highlight.js";

const block = 200; // lines
const high = 20; // pixels of a line, as style.css has them

/**
 * source shows a text; picked is told which name was clicked.
 * @param {string} text
 * @param {string} language
 * @param {{first?: number, picked: (name: string, line: number, column: number) => void, chosen: (line: number) => void}} how column: in bytes, from 1
 */
export function source(text, language, { first = 1, picked, chosen }) {
  const raw = text.replace(/\n$/, "").split("\n");
  const nodes = lines(text.replace(/\n$/, ""), language, { names: true });
  const out = el("div", { class: "source", role: "region", "aria-label": "Source", tabindex: "0" });
  const rows = new Map();
  let lit = [0, -1];
  let beside = (/** @type {number} */ _line) => /** @type {Node | null} */ (null);
  /** fill makes the lines of a block, once. */
  const fill = (part) => {
    if (part.childElementCount) return;
    const from = Number(part.dataset.from);
    part.append(...nodes.slice(from, from + block).map((line, i) => {
      const n = first + from + i;
      const row = el("div", { class: "row-of-code", "data-line": n }, el("button", { type: "button", class: "n", tabindex: "-1", "aria-label": `line ${n}`, click: () => chosen(n) }), el("code", {}, line));
      row.children[0].setAttribute("data-n", String(n));
      rows.set(n, row);
      decorate(row, n);
      return row;
    }));
  };
  const parts = Array.from({ length: Math.ceil(nodes.length / block) }, (_, i) => {
    const part = el("div", { "data-from": i * block });
    part.style.minHeight = `${Math.min(block, nodes.length - i * block) * high}px`;
    return part;
  });
  out.append(...parts);
  const seen = new IntersectionObserver((entries) => entries.filter((e) => e.isIntersecting).forEach((e) => { fill(e.target); seen.unobserve(e.target); }), { rootMargin: "800px" });
  parts.forEach((part, i) => (i < 2 ? fill(part) : seen.observe(part)));
  // The rest is made when there is nothing else to do, so that the browser finds words in it.
  const idle = (at = 2) => { if (at < parts.length && out.isConnected) { fill(parts[at]); setTimeout(() => idle(at + 1), 30); } };
  setTimeout(idle, 500);

  function decorate(row, n) {
    row.classList.toggle("lit", n >= lit[0] && n <= lit[1]);
    row.querySelector(".beside")?.remove();
    const note = beside(n);
    if (note) row.prepend(el("span", { class: "beside" }, note));
  }
  const redraw = () => rows.forEach(decorate);

  out.addEventListener("click", (e) => {
    const name = /** @type {HTMLElement} */ (e.target).closest(".id");
    if (!name || String(getSelection())) return;
    const row = /** @type {HTMLElement} */ (name.closest("[data-line]"));
    const n = Number(row.dataset.line);
    // A character that is shown as its number is longer than it is: the name is counted in the line, and found again in the file.
    const word = name.textContent ?? "";
    const before = [...row.querySelectorAll(".id")].filter((x) => x.textContent === word).indexOf(name);
    const line = raw[n - first] ?? "";
    const found = [...line.matchAll(new RegExp(`(?<![\\p{L}\\p{N}_$])${word.replace(/\$/g, "\\$&")}(?![\\p{L}\\p{N}_$])`, "gu"))][before];
    picked(word, n, new TextEncoder().encode(line.slice(0, found?.index ?? 0)).length + 1);
  });
  return {
    element: out,
    /** light marks lines, and brings the first into sight. */
    light(/** @type {number} */ from, to = from) {
      lit = [from, to];
      const part = parts[Math.floor((from - first) / block)];
      if (part) fill(part);
      redraw();
      rows.get(from)?.scrollIntoView({ block: "center" });
    },
    /** annotate puts something beside each line. */
    annotate(/** @type {(line: number) => Node | null} */ f) { beside = f; redraw(); },
    stop: () => seen.disconnect(),
  };
}
