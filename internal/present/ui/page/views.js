import { run } from "./api.js";
import { asking, later, notes } from "./asking.js";
import { bars, card, code, el, table } from "./dom.js";
import { map } from "./map.js";
import { now } from "./now.js";

function search(main, params, page) {
  const field = el("input", { type: "search", "aria-label": "Query", placeholder: "words, a question, a symbol", value: params.get("q") || "", autofocus: true });
  const mode = el("select", { "aria-label": "How" }, ["hybrid", "lexical", "semantic", "regex"].map((m) => el("option", { value: m, selected: m === params.get("mode") }, m)));
  const lang = el("input", { "aria-label": "Languages", placeholder: "languages", size: 10, value: params.get("lang") || "" });
  const noTests = el("input", { type: "checkbox", id: "notests", checked: params.get("notests") === "1" });
  const asked = asking(main, page, [field, mode, lang, noTests, el("label", { for: "notests" }, "no tests")], async (signal) => {
    const q = field.value.trim();
    page.go("search", { q, mode: mode.value === "hybrid" ? "" : mode.value, lang: lang.value, notests: noTests.checked ? "1" : "" }, true);
    if (q.length < 2) return [];
    const r = await run("search", { query: q, [mode.value]: true, top_k: 20, explain: mode.value !== "regex", lang: lang.value ? [lang.value] : [], no_tests: noTests.checked, context: mode.value === "regex" ? 2 : 0 }, { signal });
    if (!r.hits.length) return [el("p", {}, "Nothing was found."), ...notes(r)];
    return [...r.hits.map((h) => el("section", { class: "card" },
      el("h2", {}, page.where(h.path, h.span.line_start), h.symbol && el("code", {}, h.symbol), el("span", { class: "quiet" }, h.score ? h.score.toFixed(3) : ""),
        h.symbol && el("a", { href: `#/structure?s=${encodeURIComponent(h.symbol)}` }, "structure")),
      code(h.snippet || "", h.language, h.span.line_start, mode.value === "regex" ? "" : q),
      h.explain && el("details", { class: "in" }, el("summary", {}, "score"), bars(h.explain)))), ...notes(r)];
  });
  const soon = later(asked.go);
  for (const f of [field, lang]) f.addEventListener("input", soon);
  for (const f of [mode, noTests]) f.addEventListener("change", asked.go);
  if (field.value) asked.go();
  field.focus();
  return asked;
}

const questions = [["def", "declared", "name"], ["callers", "called by", "function"], ["callees", "calls", "function"], ["refs", "used", "symbol"], ["implementers", "implemented by", "type"]];

function structure(main, params, page) {
  const field = el("input", { type: "search", "aria-label": "Symbol", placeholder: "Name, Scope.Name or path/to/file:Name", value: params.get("s") || "" });
  const asked = asking(main, page, [field, el("button", { class: "main" }, "Show")], async (signal) => {
    const s = field.value.trim();
    page.go("structure", { s }, true);
    if (!s) return [];
    const all = await Promise.allSettled(questions.map(([op, , arg]) => run(op, { [arg]: s }, { signal })));
    const first = all.find((r) => r.status === "rejected");
    if (all.every((r) => r.status === "rejected")) throw first.reason;
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

function truth(main, params, page) {
  const what = el("select", { "aria-label": "What" }, [["audit ghosts", "claims that no code has"], ["audit shadows", "exports that no document mentions"]].map(([v, t]) => el("option", { value: v, selected: v === params.get("w") }, t)));
  const asked = asking(main, page, [what, el("button", { class: "main" }, "Look")], async (signal) => {
    page.go("truth", { w: what.value }, true);
    const r = await run(what.value, {}, { signal });
    if (what.value === "audit ghosts") {
      const sum = el("p", {}, `${r.total} claims: ${r.features.length} to look at, ${r.found} found in code, ${r.unsure} unsure`);
      return [sum, r.features.length ? table([
        ["where", (g) => page.where(g.path || g.doc?.path || "", g.line || g.doc?.line)], ["claim", (g) => g.text || g.feature?.text || g.name || g.queries?.[0]?.query || ""], ["class", (g) => g.class || ""], ["missing", (g) => (g.missing || []).join(", ")]], r.features) : null];
    }
    return [el("p", {}, `${r.shadows.length} declarations`), table([
      ["where", (s) => page.where(s.path, s.line)], ["name", (s) => s.name], ["kind", (s) => s.kind], ["class", (s) => s.class], ["risk", (s) => s.risk], ["nearest document", (s) => (s.doc ? page.where(s.doc.path, s.doc.line) : "")],
    ], r.shadows.slice(0, 500), r.shadows.length > 500 ? "the first 500" : "")];
  });
  return asked;
}

function memory(main, params, page) {
  const field = el("input", { type: "search", "aria-label": "Query", placeholder: "what did we decide about …", value: params.get("q") || "" });
  const open = async (path) => {
    const dialog = document.getElementById("palette");
    try {
      const r = await run("memory get", { path });
      dialog.replaceChildren(el("h2", {}, path), el("pre", { tabindex: "0" }, r.text || ""), el("div", { class: "row" },
        path.startsWith("session:") ? null : el("button", { click: () => write(path) }, "Replace"),
        el("button", { click: async () => { if (confirm(`Remove ${path}?`)) { await run("memory forget", { path }, { confirm: true }); dialog.close(); asked.go(); } } }, "Forget"),
        el("button", { click: () => dialog.close() }, "Close")));
    } catch (e) {
      dialog.replaceChildren(page.fail(e), el("button", { click: () => dialog.close() }, "Close"));
    }
    dialog.showModal();
  };
  const asked = asking(main, page, [field, el("button", { class: "main" }, "Ask"), el("button", { type: "button", click: () => write() }, "New note"), el("button", { type: "button", click: () => disagree() }, "Contradictions")], async (signal) => {
    const q = field.value.trim();
    page.go("memory", { q }, true);
    if (!q) {
      const r = await run("memory timeline", {}, { signal });
      if (!r.items.length) return el("p", {}, "There are no notes yet.");
      return table([["day", (x) => x.date || ""], ["what", (x) => el("button", { type: "button", click: () => open(x.path) }, x.title || x.path)], ["source", (x) => x.source || ""]], r.items);
    }
    const r = await run("memory search", { query: q }, { signal });
    if (!r.hits.length) return [el("p", {}, "Nothing was found."), ...notes(r)];
    return [...r.hits.map((h) => card([el("button", { type: "button", click: () => open(h.path) }, h.title || h.path), el("span", { class: "quiet" }, [h.date || "", h.superseded_by ? `superseded by ${h.superseded_by}` : ""].join(" "))], el("pre", {}, h.text || ""))), ...notes(r)];
  });
  // Notes that say otherwise about the same stand side by side; whoever knows which holds replaces or forgets the other.
  const disagree = async () => {
    try {
      const { findings, notes_checked: checked } = await run("memory audit", {});
      const pairs = findings.filter((f) => f.kind === "conflicts").slice(0, 50);
      const both = await Promise.all(pairs.map(async (f) => {
        const paths = [f.path, f.what.match(/^(\S+\.md)\b/)?.[1]].filter(Boolean);
        const texts = await Promise.all(paths.map((path) => run("memory get", { path }).catch((e) => ({ text: e.message }))));
        return card(f.what, el("div", { class: "pair" }, paths.map((path, i) => el("div", {}, el("button", { type: "button", click: () => open(path) }, path), el("pre", { tabindex: "0" }, texts[i].text || "")))));
      }));
      asked.show(pairs.length ? both : el("p", {}, `${checked} notes, no contradiction was found.`));
    } catch (e) { asked.show(page.fail(e)); }
  };
  const write = (supersedes) => {
    const dialog = document.getElementById("palette");
    const [title, text] = [el("input", { "aria-label": "Title", placeholder: "title" }), el("textarea", { "aria-label": "Text" })];
    dialog.replaceChildren(supersedes ? el("p", { class: "quiet" }, `It replaces ${supersedes}, which stays to be read.`) : "", title, text, el("div", { class: "row" }, el("button", { class: "main", click: async () => {
      try {
        await run("memory store", { title: title.value, content: text.value, ...(supersedes && { supersedes }) }, { confirm: true });
        dialog.close();
        asked.go();
      } catch (e) { dialog.append(page.fail(e)); }
    } }, "Keep"), el("button", { click: () => dialog.close() }, "Cancel")));
    if (!dialog.open) dialog.showModal();
  };
  asked.go();
  return asked;
}

function library(main, params, page) {
  const field = el("input", { type: "search", "aria-label": "Question", placeholder: "ask", value: params.get("q") || "" });
  const id = el("select", { "aria-label": "Library" }, el("option", { value: "." }, "all that this project depends on"));
  const asked = asking(main, page, [id, field, el("button", { class: "main" }, "Ask")], async (signal) => {
    page.go("library", { id: id.value, q: field.value }, true);
    if (!field.value.trim()) {
      const { libraries } = await run("docs list", {}, { signal });
      return libraries.length ? table([["library", (l) => l.id], ["version", (l) => l.version], ["read", (l) => (l.ingested || "").slice(0, 10)], ["snippets", (l) => l.snippets], ["source", (l) => l.source],
        ["", (l) => el("button", { type: "button", click: async (e) => {
          if (!confirm(`Read ${l.id} again? This uses the network.`)) return;
          e.target.disabled = true;
          try { await run("docs refresh", { id: l.id }, { confirm: true }); asked.go(); } catch (x) { main.append(page.fail(x)); }
        } }, "refresh")]], libraries) : el("p", {}, "No library is stored: assay docs ingest --installed");
    }
    const r = await run("docs query", { id: id.value, query: field.value }, { signal });
    return (r.snippets || []).map((s) => card([s.title, el("span", { class: "quiet" }, s.breadcrumb || ""), el("code", {}, s.path)], el("pre", {}, s.content)));
  });
  run("docs list", {}).then(({ libraries }) => {
    id.append(...[...new Set(libraries.map((l) => l.id))].map((v) => el("option", { value: v, selected: v === params.get("id") }, v)));
    asked.go();
  }, (e) => main.append(page.fail(e)));
  return asked;
}

function modules(main, params, page) {
  const field = el("input", { type: "search", "aria-label": "Task", placeholder: "silence an alert", value: params.get("q") || "" });
  const asked = asking(main, page, [field], async (signal) => {
    page.go("modules", { q: field.value }, true);
    if (!field.value.trim()) {
      const r = await run("modules", {}, { signal });
      return table([["module", (m) => m.name], ["what", (m) => m.description], ["functions", (m) => (m.functions || []).length], ["variables", (m) => (m.env || []).join(" ")]], r.modules);
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
