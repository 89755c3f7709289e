// The brief: what to know before a task.

import { report, run } from "./api.js";
import { box, button, card, el, number, plural, quiet, skeleton } from "./dom.js";
import { code, lines } from "./highlight.js";
import { project } from "./project.js";
import { ago } from "./time.js";

const most = 12; // files whose last change is looked up

/** @typedef {{file: string, line?: number, last?: number, quote?: string, why: string, date?: string}} Line */

// The parts after the files to read, in reading order: the field of the answer, its title for a person, and for a reviewer.
const parts = /** @type {const} */ ([
  ["hangs_together", "What calls it, and what it calls", "Connected code"], ["would_break", "Tests and pages that a change may break", "Check these too"],
  ["done_here", "Done like this before", "Done like this before"], ["libraries", "Library documentation", "Library documentation"], ["decided", "Notes and decisions", "Decided before"],
]);

/** comment is a brief as Markdown for a pull request: places and reasons, without the code that the reviewer has anyway. */
export function comment(b) {
  const safe = (/** @type {string} */ s) => s.replace(/\s+/g, " ").replace(/[\\`*_[\]<>|@#]/g, "\\$&");
  const tick = (/** @type {string} */ s) => { const runs = Math.max(0, ...(s.match(/`+/g) ?? []).map((r) => r.length)); const fence = "`".repeat(runs + 1); return runs ? `${fence} ${s} ${fence}` : `\`${s}\``; };
  const place = (/** @type {Line} */ l) => tick(l.file + (l.line ? `:${l.line}` : ""));
  const out = ["### What to know for this change", ""];
  for (const f of b.where) {
    out.push(`- ${tick(f.file)}: ${safe(f.why)}`);
    for (const d of f.declarations.slice(0, 5)) out.push(`  - ${d.line} ${tick(d.signature || d.name)}`);
  }
  for (const [field, , title] of parts) {
    if (b[field]?.length) out.push("", `**${title}**`, "", ...b[field].map((/** @type {Line} */ l) => `- ${place(l)}${l.why ? `: ${safe(l.why)}` : ""}`));
  }
  if (b.not_known?.length) out.push("", "**Not known**", "", ...b.not_known.map((/** @type {{what: string}} */ g) => `- ${safe(g.what)}`));
  return out.join("\n") + "\n";
}

/** touched says who changed a file last. */
function touched(file) {
  const out = el("span", { class: "quiet touched" });
  report("commits", file).then(([c]) => c && out.replaceChildren("changed ", ago(c.time * 1000), ` by ${c.author}: `, el("span", { title: c.subject }, c.subject)), () => {});
  return out;
}

/** where shows one file to read: its declarations, with the code of those that the brief quotes. */
function where(f, i, files, page) {
  const language = files.languages.get(f.file) ?? "";
  return el("section", { class: "card" }, el("h2", {}, page.where(f.file), quiet(f.why), i < most && touched(f.file)),
    f.declarations.map((d) => el("div", { class: "declaration" },
      el("a", { class: "place", href: page.address(f.file, d.line) }, el("span", { class: "n" }, d.line), el("code", {}, lines(d.signature || d.name, language)[0])),
      d.body && d.body_line > d.line + 1 && el("div", { class: "place" }, el("span", { class: "n" }, "⋮")), d.body && code(d.body, language, d.body_line))));
}

/** part shows places with their quotations. */
function part(title, list, files, page) {
  return card([title, quiet(String(list.length))], list.map((/** @type {Line} */ l) => el("div", { class: "in" },
    page.where(l.file, l.line), " ", quiet(l.why), l.date && [" ", ago(l.date)],
    l.quote && code(l.quote, files.languages.get(l.file) ?? "", l.quote.includes("\n") ? l.line : 0))));
}

/** changed shows what a diff changes, by file. */
async function changed(range, page, signal) {
  const r = await run("impact", { diff: true, target: range, limit: 0 }, { signal });
  const status = { added: "+", deleted: "−", changed: "~" };
  return card(["Changed", quiet(plural(r.changed.length, "file"))], r.changed.map((f) => el("div", { class: "in" }, page.where(f.file),
    f.symbols.map((s) => el("div", { class: "quiet" }, `${status[s.status] ?? ""} `, el("a", { href: page.address(f.file, s.line) }, s.name))))),
  r.remaining_uses.length ? el("p", { class: "in bad" }, `${plural(r.remaining_uses.length, "use")} of deleted declarations remain`) : "");
}

/** frames shows the lines of a stack trace, and where they are now. */
const frames = (list, page) => card("The trace, as the code is now", list.map((f) => el("div", { class: "in" }, f.file ? page.where(f.file, f.line) : quiet(f.was), " ", f.name && el("code", {}, f.name), " ", quiet(f.how), f.quote && code(f.quote, ""))));

const examples = [["a question", "Where are retries of requests configured?"], ["an issue", "Uploads fail when the file name has a space\n\nSteps: upload \"a b.txt\". The server answers 400, expected 200."], ["a stack trace", "panic: runtime error: index out of range [3] with length 3\n\ngoroutine 1 [running]:\nmain.main()\n\tmain.go:12 +0x1d"]];

export function brief(main, params, page) {
  const range = params.get("b") || "";
  const kept = sessionStorage.getItem("task") ?? "";
  const text = el("textarea", { "aria-label": "Task", rows: 5, placeholder: "Paste an issue, a stack trace or a diff, or say in words what is to be done" });
  text.value = params.get("t") ?? (range ? "" : kept);
  const tokens = el("select", { "aria-label": "Size" }, [2000, 4000, 8000, 16000].map((n) => el("option", { value: n, selected: n === Number(params.get("n") || 4000) }, `${number(n)} tokens`)));
  const branch = el("select", { "aria-label": "Branch" }, el("option", { value: "" }, "or pick a branch …"));
  const out = el("div", { "aria-live": "polite" });
  /** @type {AbortController | null} */
  let running = null;

  /** ask makes the brief of a text, or of a range of commits. */
  const ask = async (task, diff) => {
    running?.abort();
    const mine = new AbortController();
    running = mine;
    page.go("brief", { t: !diff && task.length < 600 ? task : "", b: diff ? task : "", n: tokens.value === "4000" ? "" : tokens.value }, true);
    out.replaceChildren(skeleton());
    page.say("…");
    const began = performance.now();
    try {
      const [b, files] = await Promise.all([run("brief", { task, diff, tokens: Number(tokens.value) }, { signal: mine.signal, text: true }), project()]);
      if (running !== mine) return;
      text.className = "low"; // the answer needs the room
      const found = b.where.length + parts.reduce((n, [field]) => n + (b[field]?.length ?? 0), 0);
      const beside = el("aside", { class: "panel", "aria-label": "About this brief" }, card("About this brief", el("div", { class: "in" }, `${number(b.tokens)} of ${number(b.budget)} tokens, ${plural(b.where.length, "file")} to read`), (b.notes ?? []).map((n) => el("p", { class: "in quiet" }, n)), (b.not_known ?? []).map((g) => el("p", { class: "in quiet" }, g.what, g.ask && el("span", {}, ": ", el("code", {}, g.ask))))));
      out.replaceChildren(el("div", { class: "row" }, button("Copy for my agent", () => page.copy(b.text), { class: "main" }), button("Copy as a pull request comment", () => page.copy(comment(b))), button("See the text", () => plainly(b.text))),
        el("div", { class: "beside-code" }, el("div", {}, found ? "" : el("p", {}, "Nothing in the project fits. Name a file, a function or words that the code has."), b.frames?.length ? frames(b.frames, page) : "",
          b.where.map((f, i) => where(f, i, files, page)), parts.filter(([field]) => b[field]?.length).map(([field, title]) => part(title, b[field], files, page))), beside));
      page.say(`${Math.round(performance.now() - began)} ms`);
      if (diff) beside.append(await changed(task, page, mine.signal).catch((e) => page.fail(e) ?? ""));
    } catch (e) {
      const said = page.fail(e);
      if (running === mine && said) out.replaceChildren(said);
    }
  };
  const go = () => {
    const task = text.value.trim();
    if (!task) return;
    try { sessionStorage.setItem("task", task.slice(0, 200000)); } catch { /* it only is not there after a reload */ }
    ask(task, false);
  };
  const plainly = (said) => {
    const dialog = box("palette");
    dialog.replaceChildren(el("pre", { tabindex: "0" }, said), button("Close", () => dialog.close()));
    dialog.showModal();
  };
  text.addEventListener("keydown", (e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) go(); });
  branch.addEventListener("change", () => { if (branch.value) { text.value = ""; ask(branch.value, true); } });
  main.append(el("form", { submit: (e) => { e.preventDefault(); go(); } }, text, el("button", { class: "main", title: "Ctrl+Enter" }, "Brief me"), tokens, branch),
    out);
  report("branches").then(({ names, current }) => {
    const trunk = ["main", "master", "trunk", "develop"].find((n) => names.includes(n)) ?? current;
    const options = [["HEAD", "what is not committed"], ["HEAD~1", "the last commit and what is not committed"], ...names.filter((n) => n !== trunk && trunk).map((n) => [`${trunk}...${n}`, `${n}, since it left ${trunk}`])];
    branch.append(...options.map(([value, title]) => el("option", { value, selected: value === range }, title)));
  }, () => branch.remove());
  if (range) ask(range, true);
  else if (text.value) go();
  else out.append(el("p", { class: "quiet" }, "A brief shows the code to read, what calls it, the tests and pages that may break, and what was decided. For example: ", examples.map(([name, task], i) => [i ? ", " : "", button(name, () => { text.value = task; go(); }, { class: "plain" })]), "."));
  text.focus();
  return { stop: () => running?.abort() };
}
