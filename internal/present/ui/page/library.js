import { run } from "./api.js";
import { asking } from "./asking.js";
import { button, card, el, quiet, table } from "./dom.js";
import { markdown } from "./markdown.js";
import { ago } from "./time.js";

/** leftOut shows the pages of a source that are no pages of its library, and why. */
const leftOut = (done) => card(`Left out of ${done.id}`, done.excluded?.length ? table([["reason", (x) => x.reason], ["pages", (x) => `${x.pages}${x.at_least ? " at least" : ""}`], ["folders", (x) => x.folders || ""], ["for example", (x) => x.examples.join(", ")]], done.excluded) : el("div", { class: "in" }, "Nothing was left out."));

const none = () => el("p", { class: "quiet" }, "No documentation of a library is stored yet. On a terminal, ", el("code", {}, "assay docs ingest --installed"), " reads that of what this project depends on.");

/** whole shows a page of a library. */
const whole = async (id, path) => card([path, quiet(id)], (await run("docs query", { id, page: path })).snippets.map((s) => el("div", { class: "in" }, el("h3", {}, s.title), markdown(s.content, { file: "", project: null }))));

export function library(main, params, page) {
  const field = el("input", { type: "search", "aria-label": "Question", placeholder: "how do I …", value: params.get("q") || "" });
  const id = el("select", { "aria-label": "Library" }, el("option", { value: "." }, "all that this project depends on"));
  const read = el("div", { "aria-live": "polite" });
  const again = (l, full, what) => button(what, async (e) => {
    if (!confirm(`Read ${l.id} ${l.version} again${full ? ", every page" : ""}? This uses the network if it came from there.`)) return;
    e.target.disabled = true;
    page.say("…");
    try {
      const r = await run("docs refresh", { id: l.id, version: l.version, full }, { confirm: true });
      read.replaceChildren(...r.libraries.map((d) => el("div", {}, el("p", {}, `${d.id} ${d.version}: ${d.pages_read} pages read, ${d.pages_kept} as they were${d.unchanged ? ": it has not changed" : ""}.`), leftOut(d))));
      asked.go();
    } catch (x) { read.replaceChildren(page.fail(x)); }
    e.target.disabled = false;
  }, { "aria-label": `${what} ${l.id} ${l.version}` });
  const asked = asking(main, page, [id, field, el("button", { class: "main" }, "Ask")], async (signal) => {
    page.go("library", { id: id.value, q: field.value }, true);
    if (!field.value.trim()) {
      const { libraries } = await run("docs list", {}, { signal });
      return libraries.length ? table([["library", (l) => l.id], ["version", (l) => l.version], ["read", (l) => ago(l.ingested)], ["published", (l) => ago(l.date)], ["pages", (l) => l.pages], ["snippets", (l) => l.snippets], ["source", (l) => l.source],
        ["", (l) => el("span", { class: "row" }, again(l, false, "refresh"), again(l, true, "what was left out"))]], libraries) : none();
    }
    const r = await run("docs query", { id: id.value, query: field.value }, { signal });
    return (r.snippets || []).map((s) => card([s.title, quiet(s.breadcrumb || ""), button(s.path, async () => {
      try { asked.show(await whole(s.library || r.library, s.path)); } catch (x) { asked.show(page.fail(x)); }
    }, { class: "plain" })], el("div", { class: "in" }, markdown(s.content, { file: "", project: null }))));
  });
  main.append(read);
  field.focus();
  run("docs list", {}).then(({ libraries }) => {
    id.append(...[...new Set(libraries.map((l) => l.id))].map((v) => el("option", { value: v, selected: v === params.get("id") }, v)));
    asked.go();
  }, () => asked.show(none()));
  return asked;
}
