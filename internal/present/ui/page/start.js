// The project at a glance. Each part comes when it is ready, and one that fails is left out.

import { report, run } from "./api.js";
import { button, card, el, hash, number, plural, quiet, skeleton, table } from "./dom.js";
import { readme } from "./files.js";
import { spent } from "./now.js";
import { project } from "./project.js";
import { ago } from "./time.js";

const few = 6; // rows of one list
const week = 7 * 864e5; // milliseconds

/** index says what the index holds, and how fresh it is. */
async function index() {
  const s = await run("status", {});
  if (!s.documents) return card("Index", el("p", { class: "in" }, "There is no index yet: the first question makes it."));
  const languages = Object.entries(s.languages).filter(([name]) => name).sort((a, b) => b[1] - a[1]).slice(0, few).map(([name, n]) => `${name} ${number(n)}`);
  return card(["Index", el("span", { class: s.state === "fresh" ? "good" : "bad" }, s.state)], el("div", { class: "in" }, `${plural(s.documents, "file")}, ${plural(s.lines, "line")}: ${languages.join(", ")}.`, s.changed ? ` ${plural(s.changed, "file")} changed since; the next question reads them.` : ""));
}

/** overview says where to begin. */
async function overview(page) {
  const { overview: o } = await run("inventory", { view: "summary" });
  const list = (title, rows) => el("div", {}, el("h3", {}, title), el("ul", { class: "entries" }, rows.slice(0, few).map(([path, note]) => el("li", {}, page.where(path), " ", el("span", { class: "quiet line" }, note)))));
  return card("Where to begin", el("div", { class: "pair in" },
    o.entry_points?.length ? list("Entry points", o.entry_points.map((/** @type {string} */ p) => [p, ""])) : "",
    o.most_imported?.length ? list("Used by the most files", o.most_imported.map((m) => [m.path, plural(m.files, "file")])) : "",
    o.largest?.length ? list("Largest files", o.largest.map((m) => [m.path, plural(m.lines, "line")])) : "",
    o.folders?.length ? list("Folders", o.folders.map((m) => [m.path, plural(m.lines, "line")])) : ""));
}

/** changes shows the last commits, and the files that change the most. */
async function changes(page) {
  const [last, history] = await Promise.all([report("commits"), report("history")]);
  if (!last.length) return null;
  const busy = Object.entries(history).sort((a, b) => b[1].times - a[1].times).slice(0, few);
  return card("What changes", el("div", { class: "in" }, el("h3", {}, "Last commits"), last.slice(0, few).map((c) => el("div", { class: "commit" }, c.subject, quiet(` ${c.author}, `, ago(c.time * 1000)))),
    el("h3", {}, "Most changed in the last 1,000 commits"), el("ul", { class: "entries" }, busy.map(([path, t]) => el("li", {}, page.where(path), quiet(` ${plural(t.times, "commit")}`))))));
}

/** findings shows what documents say wrongly, where that is sure. */
async function findings(page) {
  const r = await run("audit ci", { accepted: true, fail_on: "none" });
  const sure = r.findings.filter((f) => f.severity === "high");
  return card(["Documents and code", sure.length ? el("a", { href: "#/truth" }, plural(sure.length, "finding")) : ""], sure.length ? table([["where", (f) => page.where(f.path, f.line)], ["finding", (f) => f.message]], sure.slice(0, few)) : el("p", { class: "in good" }, "No document names something that the code lacks, as far as is sure."));
}

async function decisions() {
  const r = await run("memory timeline", {});
  if (!r.items.length) return card("Notes", el("p", { class: "in quiet" }, "There are no notes yet. ", el("a", { href: "#/memory" }, "Write one")));
  return card(["Recent notes", el("a", { href: "#/memory" }, "all")], el("div", { class: "in" }, r.items.slice(0, few).map((x) => el("div", {}, ago(x.date), " ", el("a", { href: hash("memory", { n: x.path }) }, x.title || x.path)))));
}

/** saved says what answers to agents cost this week. */
async function saved() {
  const calls = ((await report("calls")) ?? []).filter((c) => Date.now() - Date.parse(c.time) < week);
  if (!calls.length) return card("Agents", el("p", { class: "in quiet" }, "No agent asked anything this week. ", el("code", {}, "assay setup"), " connects one."));
  return card(["Agents this week", el("a", { href: "#/now" }, "calls")], spent(calls));
}

/** How a newcomer asks. */
function asking(page) {
  const field = el("input", { type: "search", "aria-label": "Query", placeholder: "ask about this project", autofocus: true });
  const go = (/** @type {string} */ view, /** @type {string} */ name) => page.go(view, { [name]: field.value.trim() });
  return [field, el("form", { submit: (e) => { e.preventDefault(); go("search", "q"); } }, field, el("button", { class: "main" }, "Search"), button("Brief for this task", () => go("brief", "t")))];
}

export function start(main, params, page) {
  const [field, form] = asking(page);
  const left = el("div", {});
  const right = el("div", {});
  main.append(form, el("div", { class: "beside-code" }, left, right));
  /** add shows a part where it belongs, once it is there. */
  const add = (to, part) => {
    const slot = el("div", {}, skeleton());
    to.append(slot);
    part.then((node) => (node ? slot.replaceChildren(node) : slot.remove()), () => slot.remove());
  };
  add(right, index());
  add(right, overview(page));
  add(left, project().then((files) => readme(files, "")));
  add(right, changes(page));
  add(right, decisions());
  add(right, saved());
  add(right, findings(page));
  field.focus();
  return {};
}
