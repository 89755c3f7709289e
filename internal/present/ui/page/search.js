import { run } from "./api.js";
import { asking, later, notes } from "./asking.js";
import { bars, button, el, hash, plural } from "./dom.js";
import { lines, wordsOf } from "./highlight.js";

const [few, many] = [10, 50]; // hits while one types, and of those who want more
const moment = 2000; // milliseconds
const shortest = 3; // lines of a match, until it is opened

/** @typedef {{path: string, span: {line_start: number, line_end: number}, language: string, symbol?: string, snippet?: string, score?: number, explain?: {signal: string, adds: number}[]}} Hit */

/** best returns where in a snippet the lines begin that have the most words of a query. */
function best(rows, query) {
  const words = wordsOf(query);
  const has = rows.map((row) => words.filter((w) => row.toLowerCase().includes(w)).length + (row.trim() ? 0.1 : 0));
  let at = 0;
  const sum = (i) => has.slice(i, i + shortest).reduce((a, b) => a + b, 0);
  for (let i = 1; i <= rows.length - shortest; i++) if (sum(i) > sum(at) + 0.05) at = i;
  return at;
}

/**
 * match shows three lines of a hit, and all of them on demand.
 * @param {Hit} h
 * @param {string} query
 * @param {import("../page").Page} page
 */
function match(h, query, page) {
  const text = (h.snippet ?? "").replace(/\n$/, "");
  const rows = text.split("\n");
  const from = rows.length > shortest ? best(rows, query) : 0;
  /** row is a line that begins deep columns before its text. */
  const row = (line, i, deep) => {
    const code = el("code", {}, line);
    code.style.textIndent = `-${deep}ch`;
    return el("a", { class: "place", href: page.address(h.path, h.span.line_start + i), tabindex: i === from ? "0" : "-1" }, el("span", { class: "n" }, h.span.line_start + i), code);
  };
  const out = el("div", { class: "match" });
  const show = (first, count) => {
    const deep = Math.min(...rows.slice(first, first + count).filter((r) => r.trim()).map((r) => r.slice(0, r.search(/\S/)).replace(/\t/g, "    ").length));
    out.replaceChildren(el("div", { class: "lines" }, lines(text, h.language, { query, rows: [first, first + count] }).slice(first, first + count).map((line, i) => row(line, first + i, deep))), about);
  };
  const about = el("div", { class: "about" }, h.symbol && el("a", { href: hash("structure", { s: h.symbol }) }, h.symbol),
    rows.length > shortest && button(`all ${rows.length} lines`, (e) => { show(0, rows.length); e.target.remove(); }, { class: "plain" }),
    el("a", { href: hash("search", { like: `${page.relative(h.path)}:${h.span.line_start}` }) }, "similar"),
    h.explain && el("details", {}, el("summary", {}, `score ${(h.score ?? 0).toFixed(2)}`), bars(h.explain)));
  show(from, Math.min(shortest, rows.length));
  return out;
}

/** grouped shows hits by file, in the order of the first hit of each. */
function grouped(hits, query, page) {
  return [...Map.groupBy(hits, (/** @type {Hit} */ h) => h.path)].map(([path, list]) => {
    const rest = list.slice(2);
    const more = rest.length > 0 && button(plural(rest.length, "more match", "more matches"), (e) => e.target.replaceWith(...rest.map((h) => match(h, query, page))), { class: "plain more" });
    return el("section", { class: "card hit" }, el("h2", {}, page.where(path), page.editor(path, list[0].span.line_start, true)), list.slice(0, 2).map((h) => match(h, query, page)), more);
  });
}

export function search(main, params, page) {
  const field = el("input", { type: "search", "aria-label": "Query", placeholder: "words, a question, a symbol", value: params.get("q") || "", autofocus: true });
  const mode = el("select", { "aria-label": "How" }, [["hybrid", "words and meaning"], ["lexical", "words"], ["semantic", "meaning"], ["regex", "a pattern (RE2)"]].map(([m, text]) => el("option", { value: m, selected: m === params.get("mode") }, text)));
  const lang = el("input", { "aria-label": "Languages", placeholder: "languages", size: 10, value: params.get("lang") || "" });
  const noTests = el("input", { type: "checkbox", id: "notests", checked: params.get("notests") === "1" });
  const glob = el("input", { "aria-label": "Paths", placeholder: "paths: internal/**", size: 14, value: params.get("glob") || "" });
  let [most, looked] = [few, -Infinity];
  let like = params.get("like") || "";
  const list = (text) => text.split(/[\s,]+/).filter(Boolean);
  const asked = asking(main, page, [field, mode, lang, glob, el("span", { class: "line" }, noTests, " ", el("label", { for: "notests" }, "no tests"))], async (signal) => {
    const q = field.value.trim();
    if (like) {
      const r = await run("similar", { at: like, explain: true }, { signal });
      return [el("p", { role: "status" }, r.hits.length ? `Code like ${like}` : `No code is like ${like}`), ...grouped(r.hits, "", page), ...notes(r)];
    }
    page.go("search", { q, mode: mode.value === "hybrid" ? "" : mode.value, lang: lang.value, glob: glob.value, notests: noTests.checked ? "1" : "" }, true);
    if (q.length < 2) return el("p", { class: "quiet" }, "Search by words, a question, a symbol or a pattern. Hits appear while you type.");
    // Whether files have changed is looked at once for the keys of a moment: the look takes longer than the answer.
    const again = performance.now() - looked < moment;
    if (!again) looked = performance.now();
    const r = await run("search", { query: q, [mode.value]: true, top_k: most, no_refresh: again, explain: mode.value !== "regex", lang: list(lang.value), glob: list(glob.value), no_tests: noTests.checked, context: mode.value === "regex" ? 1 : 0 }, { signal });
    if (!r.hits.length) return [el("p", {}, "Nothing was found."), ...notes(r)];
    const more = r.hits.length === most && most < many && button("More", () => { most = many; asked.go(); });
    return [...grouped(r.hits, mode.value === "regex" ? "" : q, page), more, ...notes(r)];
  });
  const soon = later(() => { most = few; like = ""; asked.go(); });
  for (const f of [field, lang, glob]) f.addEventListener("input", soon);
  for (const f of [mode, noTests]) f.addEventListener("change", asked.go);
  asked.go();
  field.focus();
  return asked;
}
