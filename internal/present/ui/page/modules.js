import { run } from "./api.js";
import { asking, later } from "./asking.js";
import { button, card, el, quiet, table } from "./dom.js";
import { code } from "./highlight.js";

/** examples are scripts of the program, which run against a mock server of their own and reach nothing else. */
async function examples(page) {
  const { examples: all } = await run("modules try", {}, { confirm: true });
  return card("Examples, against a mock server", ...all.map((x) => {
    const out = el("div", { "aria-live": "polite" });
    return el("details", { class: "in" }, el("summary", {}, el("strong", {}, x.name), " ", x.what), code(x.code, "lua", 1), el("div", { class: "row in" }, button("Run", async () => {
      if (!confirm(`Run the example ${x.name} against a mock server?`)) return;
      try {
        const r = await run("modules try", { example: x.name }, { confirm: true });
        out.replaceChildren(table([["request", (q) => `${q.method} ${q.path}${q.query ? `?${q.query}` : ""}`], ["status", (q) => q.status], ["body", (q) => q.body || ""]], r.requests || [], "what it asked"),
          el("pre", { tabindex: "0" }, [r.error, r.output, ...(r.logs || []), r.result === null || r.result === undefined ? "" : JSON.stringify(r.result, null, 2)].filter(Boolean).join("\n")));
      } catch (e) { out.replaceChildren(page.fail(e)); }
    }, { "data-try": x.name })), out);
  }));
}

export function modules(main, params, page) {
  const field = el("input", { type: "search", "aria-label": "Task", placeholder: "silence an alert", value: params.get("q") || "" });
  const asked = asking(main, page, [field], async (signal) => {
    page.go("modules", { q: field.value }, true);
    if (!field.value.trim()) {
      const [r, tried] = await Promise.all([run("modules", {}, { signal }), examples(page)]);
      return [tried, table([["module", (m) => m.name], ["what", (m) => m.description], ["functions", (m) => (m.functions || []).length], ["variables", (m) => (m.env || []).join(" ")]], r.modules)];
    }
    const r = await run("context", { query: field.value }, { signal });
    return (r.entries || []).map((m) => card([m.name, quiet(m.description)], table([["call", (f) => el("code", {}, f.signature)], ["returns", (f) => f.returns || ""], ["what", (f) => f.description || ""]], m.methods || [])));
  });
  field.addEventListener("input", later(asked.go, 250));
  asked.go();
  return asked;
}
