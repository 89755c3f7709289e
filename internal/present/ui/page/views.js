import { run } from "./api.js";
import { asking, later, notes } from "./asking.js";
import { bars, card, code, el, table } from "./dom.js";
import { map } from "./map.js";
import { memory } from "./memory.js";
import { now } from "./now.js";
import { truth } from "./truth.js";
import { welcome } from "./welcome.js";

const [few, many] = [10, 50]; // hits while one types, and of those who want more
const moment = 2000; // milliseconds

function search(main, params, page) {
  const field = el("input", { type: "search", "aria-label": "Query", placeholder: "words, a question, a symbol", value: params.get("q") || "", autofocus: true });
  const mode = el("select", { "aria-label": "How" }, ["hybrid", "lexical", "semantic", "regex"].map((m) => el("option", { value: m, selected: m === params.get("mode") }, m)));
  const lang = el("input", { "aria-label": "Languages", placeholder: "languages", size: 10, value: params.get("lang") || "" });
  const noTests = el("input", { type: "checkbox", id: "notests", checked: params.get("notests") === "1" });
  const glob = el("input", { "aria-label": "Paths", placeholder: "paths: internal/**", size: 14, value: params.get("glob") || "" });
  let [most, looked] = [few, -Infinity];
  let like = params.get("like") || "";
  const list = (text) => text.split(/[\s,]+/).filter(Boolean);
  const hit = (h, q) => el("section", { class: "card hit" },
    el("h2", {}, page.where(h.path, h.span.line_start), h.symbol && el("code", {}, h.symbol), el("span", { class: "quiet" }, h.score ? h.score.toFixed(3) : ""),
      h.symbol && el("a", { href: `#/structure?s=${encodeURIComponent(h.symbol)}` }, "structure"),
      el("a", { href: `#/search?like=${encodeURIComponent(`${page.relative(h.path)}:${h.span.line_start}`)}` }, "similar")),
    code(h.snippet || "", h.language, h.span.line_start, q),
    h.explain && el("details", { class: "in" }, el("summary", {}, "score"), bars(h.explain)));
  const asked = asking(main, page, [field, mode, lang, glob, noTests, el("label", { for: "notests" }, "no tests")], async (signal) => {
    const q = field.value.trim();
    if (like) {
      const r = await run("similar", { at: like, explain: true }, { signal });
      return [el("p", { role: "status" }, r.hits.length ? `Code like ${like}` : `No code is like ${like}`), ...r.hits.map((h) => hit(h, "")), ...notes(r)];
    }
    page.go("search", { q, mode: mode.value === "hybrid" ? "" : mode.value, lang: lang.value, glob: glob.value, notests: noTests.checked ? "1" : "" }, true);
    if (q.length < 2) return welcome(signal);
    // Whether files have changed is looked at once for the keys of a moment: the look takes longer than the answer.
    const again = performance.now() - looked < moment;
    if (!again) looked = performance.now();
    const r = await run("search", { query: q, [mode.value]: true, top_k: most, no_refresh: again, explain: mode.value !== "regex", lang: list(lang.value), glob: list(glob.value), no_tests: noTests.checked, context: mode.value === "regex" ? 2 : 0 }, { signal });
    if (!r.hits.length) return [el("p", {}, "Nothing was found."), ...notes(r)];
    const more = r.hits.length === most && most < many && el("button", { type: "button", click: () => { most = many; asked.go(); } }, "More");
    return [...r.hits.map((h) => hit(h, mode.value === "regex" ? "" : q)), more, ...notes(r)];
  });
  const soon = later(() => { most = few; like = ""; asked.go(); });
  for (const f of [field, lang, glob]) f.addEventListener("input", soon);
  for (const f of [mode, noTests]) f.addEventListener("change", asked.go);
  asked.go();
  field.focus();
  return asked;
}

const questions = [["def", "declared", "name"], ["callers", "called by", "function"], ["callees", "calls", "function"], ["refs", "used", "symbol"], ["implementers", "implemented by", "type"]];

function structure(main, params, page) {
  const field = el("input", { type: "search", "aria-label": "Symbol", placeholder: "Name, Scope.Name or path/to/file:Name", value: params.get("s") || "" });
  const asked = asking(main, page, [field, el("button", { class: "main" }, "Show"), el("button", { type: "button", click: () => page.go("map", { s: field.value.trim() }) }, "On the map")], async (signal) => {
    const s = field.value.trim();
    page.go("structure", { s }, true);
    if (!s) return [];
    const all = await Promise.allSettled(questions.map(([op, , arg]) => run(op, { [arg]: s }, { signal })));
    const first = all.find((r) => r.status === "rejected");
    if (all.every((r) => r.status === "rejected")) throw first?.reason;
    return all.map((r, i) => {
      if (r.status === "rejected") return null;
      const rows = r.value.callers || r.value.callees || r.value.references || r.value.symbols || r.value.implementers || r.value.types || [];
      if (!rows.length) return null;
      return card([questions[i][1], el("span", { class: "quiet" }, String(rows.length))], table([
        ["where", (x) => page.where(x.file, x.line)],
        ["what", (x) => { const n = x.function || x.name || x.symbol || ""; return el("a", { href: `#/structure?s=${encodeURIComponent(n)}` }, n); }],
        ["kind", (x) => x.kind || ""],
        ["sure", (x) => x.confidence || ""],
        ["signature", (x) => x.signature || x.text || ""],
      ], rows));
    });
  });
  if (field.value) asked.go();
  field.focus();
  return asked;
}

/** age is how long ago a day was. */
const age = (day) => {
  const days = Math.round((Date.now() - Date.parse(day)) / 864e5);
  return Number.isNaN(days) ? "" : days < 60 ? `${days} d` : days < 730 ? `${Math.round(days / 30.4)} months` : `${Math.round(days / 365)} years`;
};

/** leftOut shows the pages of a source that are no pages of its library, and why. */
const leftOut = (done) => card(`Left out of ${done.id}`, done.excluded?.length ? table([["reason", (x) => x.reason], ["pages", (x) => `${x.pages}${x.at_least ? " at least" : ""}`], ["folders", (x) => x.folders || ""], ["for example", (x) => x.examples.join(", ")]], done.excluded) : el("div", { class: "in" }, "Nothing was left out."));

function library(main, params, page) {
  const field = el("input", { type: "search", "aria-label": "Question", placeholder: "ask", value: params.get("q") || "" });
  const id = el("select", { "aria-label": "Library" }, el("option", { value: "." }, "all that this project depends on"));
  const read = el("div", { "aria-live": "polite" });
  const again = (l, full, what) => el("button", { type: "button", "aria-label": `${what} ${l.id} ${l.version}`, click: async (e) => {
    if (!confirm(`Read ${l.id} ${l.version} again${full ? ", every page" : ""}? This uses the network if it came from there.`)) return;
    e.target.disabled = true;
    page.say("…");
    try {
      const r = await run("docs refresh", { id: l.id, version: l.version, full }, { confirm: true });
      read.replaceChildren(...r.libraries.map((d) => el("div", {}, el("p", {}, `${d.id} ${d.version}: ${d.pages_read} pages read, ${d.pages_kept} as they were${d.unchanged ? ": it has not changed" : ""}.`), leftOut(d))));
      asked.go();
    } catch (x) { read.replaceChildren(page.fail(x)); }
    e.target.disabled = false;
  } }, what);
  const asked = asking(main, page, [id, field, el("button", { class: "main" }, "Ask")], async (signal) => {
    page.go("library", { id: id.value, q: field.value }, true);
    if (!field.value.trim()) {
      const { libraries } = await run("docs list", {}, { signal });
      return libraries.length ? table([["library", (l) => l.id], ["version", (l) => l.version], ["read", (l) => (l.ingested || "").slice(0, 10)], ["age", (l) => age(l.date || l.ingested)], ["pages", (l) => l.pages], ["snippets", (l) => l.snippets], ["source", (l) => l.source],
        ["", (l) => el("span", { class: "row" }, again(l, false, "refresh"), again(l, true, "what was left out"))]], libraries) : el("p", {}, "No library is stored: assay docs ingest --installed");
    }
    const r = await run("docs query", { id: id.value, query: field.value }, { signal });
    return (r.snippets || []).map((s) => card([s.title, el("span", { class: "quiet" }, s.breadcrumb || ""), el("code", {}, s.path)], el("pre", { tabindex: "0" }, s.content)));
  });
  main.append(read);
  run("docs list", {}).then(({ libraries }) => {
    id.append(...[...new Set(libraries.map((l) => l.id))].map((v) => el("option", { value: v, selected: v === params.get("id") }, v)));
    asked.go();
  }, (e) => main.append(page.fail(e)));
  return asked;
}

/** examples are scripts of the program, which run against a mock server of their own and reach nothing else. */
async function examples(page) {
  const { examples: all } = await run("modules try", {}, { confirm: true });
  return card("Examples, against a mock server", ...all.map((x) => {
    const out = el("div", { "aria-live": "polite" });
    return el("details", { class: "in" }, el("summary", {}, el("strong", {}, x.name), " ", x.what), code(x.code, "lua", 1), el("div", { class: "row in" }, el("button", { type: "button", "data-try": x.name, click: async () => {
      if (!confirm(`Run the example ${x.name} against a mock server?`)) return;
      try {
        const r = await run("modules try", { example: x.name }, { confirm: true });
        out.replaceChildren(table([["request", (q) => `${q.method} ${q.path}${q.query ? `?${q.query}` : ""}`], ["status", (q) => q.status], ["body", (q) => q.body || ""]], r.requests || [], "what it asked"),
          el("pre", { tabindex: "0" }, [r.error, r.output, ...(r.logs || []), r.result === null || r.result === undefined ? "" : JSON.stringify(r.result, null, 2)].filter(Boolean).join("\n")));
      } catch (e) { out.replaceChildren(page.fail(e)); }
    } }, "Run")), out);
  }));
}

function modules(main, params, page) {
  const field = el("input", { type: "search", "aria-label": "Task", placeholder: "silence an alert", value: params.get("q") || "" });
  const asked = asking(main, page, [field], async (signal) => {
    page.go("modules", { q: field.value }, true);
    if (!field.value.trim()) {
      const [r, tried] = await Promise.all([run("modules", {}, { signal }), examples(page)]);
      return [tried, table([["module", (m) => m.name], ["what", (m) => m.description], ["functions", (m) => (m.functions || []).length], ["variables", (m) => (m.env || []).join(" ")]], r.modules)];
    }
    const r = await run("context", { query: field.value }, { signal });
    return (r.entries || []).map((m) => card([m.name, el("span", { class: "quiet" }, m.description)], table([["call", (f) => el("code", {}, f.signature)], ["returns", (f) => f.returns || ""], ["what", (f) => f.description || ""]], m.methods || [])));
  });
  field.addEventListener("input", later(asked.go, 250));
  asked.go();
  return asked;
}

/** The views, in the order of their keys. */
export const views = [
  { name: "search", title: "Search", show: search },
  { name: "structure", title: "Structure", show: structure },
  { name: "map", title: "Map", show: map },
  { name: "truth", title: "Truth", show: truth },
  { name: "memory", title: "Memory", show: memory },
  { name: "library", title: "Library", show: library },
  { name: "modules", title: "Modules", show: modules },
  { name: "now", title: "Now", show: now },
];
