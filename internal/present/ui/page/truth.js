import { run } from "./api.js";
import { asking } from "./asking.js";
import { box, button, card, el, hash, plural, table } from "./dom.js";
import { lines } from "./highlight.js";
import { project } from "./project.js";

const most = 500; // rows of a table
const beside = 40; // findings that are shown with their lines
const around = 2; // lines before and after the one that is meant

/**
 * excerpt shows some lines of a file, one of them marked.
 * @param {{text: string, line_start: number}} part
 * @param {string} file
 * @param {number} line
 * @param {string} name the words to mark
 */
function excerpt(part, file, line, name, files, page) {
  const rows = lines(part.text.replace(/\n$/, ""), files.languages.get(file) ?? "", { query: name, whole: true });
  return el("div", {}, el("div", { class: "path" }, page.where(file, line)), el("div", { class: "lines" }, rows.map((row, i) => el("div", { class: `place wraps${part.line_start + i === line ? " lit" : ""}` }, el("span", { class: "n" }, part.line_start + i), el("code", {}, row)))));
}

/** range names some lines as assay show does. */
const range = (file, line) => `${file}:${Math.max(1, line - around)}-${line + around}`;

/** codeOf is the place in the code that a finding names, if it names one. */
const codeOf = (f) => { const m = f.message.match(/\(([^()\s]+):(\d+)\)/); return m && { file: m[1], line: Number(m[2]) }; };

/**
 * findings shows what fails and what warns, each with the line of the document and that of the code side by side.
 * @param {any[]} list
 * @param {{accept: (f: any) => void, correct: (f: any) => void}} acts
 */
async function findings(list, page, acts, signal) {
  const shown = list.slice(0, beside);
  const wanted = [...new Set(shown.flatMap((f) => [f.line && range(f.path, f.line), codeOf(f) && range(codeOf(f).file, codeOf(f).line)]).filter(Boolean))];
  const [files, texts] = await Promise.all([project(), wanted.length ? run("show", { places: wanted, tokens: 50000 }, { signal }).catch(() => ({ shown: [] })) : { shown: [] }]);
  const byPlace = new Map(texts.shown.map((s) => [s.place, s.text[0]]));
  return list.map((f, i) => {
    const code = codeOf(f);
    const [left, right] = [byPlace.get(range(f.path, f.line)), code && byPlace.get(range(code.file, code.line))];
    return el("section", { class: "card finding" }, el("h2", {}, el("span", { class: f.severity === "high" ? "bad" : "quiet" }, f.severity === "high" ? "fails" : "warns"), f.message,
      el("span", { class: "row acts" }, f.fix && button("Correct", () => acts.correct(f), { "aria-label": `Correct ${f.name}` }), button("Accept", () => acts.accept(f), { "aria-label": `Accept ${f.name}` }))),
    i < beside && left ? el("div", { class: "pair" }, excerpt(left, f.path, f.line, f.name, files, page),
      right ? excerpt(right, code.file, code.line, f.meant || f.name, files, page) : el("p", { class: "quiet in" }, `Nothing in the project is named ${f.name}. `, f.meant && ["Probably meant: ", page.where(f.meant), ". "], el("a", { href: hash("search", { q: f.name }) }, "Search for it"))) : el("div", { class: "in" }, page.where(f.path, f.line)));
  });
}

/** truth shows what documents and code have of each other wrongly, and what of it is accepted. */
export function truth(main, params, page) {
  const what = el("select", { "aria-label": "What" }, [["findings", "what fails and what warns"], ["all", "all findings, unsure ones too"], ["accepted", "accepted, with the reason"], ["audit cite", "citations of a document"], ["audit ghosts", "claims that no code has"], ["audit shadows", "exports that no document mentions"]].map(([v, t]) => el("option", { value: v, selected: v === params.get("w") }, t)));
  const filter = el("input", { type: "search", "aria-label": "Filter", value: params.get("f") || "" });
  /** @type {() => HTMLElement[]} */
  let shown = () => [];

  /** listed is a table of the rows that the filter leaves. */
  const listed = (rows, columns) => {
    shown = () => {
      const want = filter.value.trim().toLowerCase();
      const left = rows.filter((r) => JSON.stringify(r).toLowerCase().includes(want));
      return [el("p", { role: "status" }, want ? `${left.length} of ${rows.length}` : `${rows.length}`), left.length ? table(columns, left.slice(0, most), left.length > most ? `the first ${most}` : "") : el("p", {}, "none")];
    };
    return el("div", { id: "rows" }, shown());
  };
  const hint = () => { filter.placeholder = what.value === "audit cite" ? "a document, or several: docs/review.md" : "a part of a row: a file, a name, ghost, high …"; };
  what.addEventListener("change", hint);
  hint();
  filter.addEventListener("input", () => {
    if (what.value === "audit cite") return; // it names documents there
    page.go("truth", { w: what.value, f: filter.value }, true);
    document.getElementById("rows")?.replaceChildren(...shown());
  });

  /** cited shows the citations of documents that do not hold, and what a correction writes. */
  const cited = async (signal) => {
    const files = filter.value.trim().split(/\s+/).filter(Boolean).map(page.relative);
    if (!files.length) return el("p", {}, "Name a document whose quotations of code are looked up: docs/review.md");
    const r = await run("audit cite", { files }, { signal });
    const moved = r.citations.filter((c) => c.after);
    const wrong = r.citations.filter((c) => c.state !== "true" && !c.after);
    const correct = button("Correct", async () => {
      if (!confirm(`Write these ${moved.length} line numbers to ${[...new Set(moved.map((c) => c.file))].join(", ")}?`)) return;
      try { await run("audit cite", { files, fix: true }, { confirm: true }); await asked.go(); } catch (x) { asked.show(page.fail(x)); }
    });
    return [el("p", {}, `${r.true} of ${r.total} citations hold word for word`),
      moved.length ? card([`The code is at another line (${moved.length})`, correct], ...moved.map((c) => el("div", { class: "in" }, page.where(c.file, c.line),
        el("pre", { tabindex: "0", class: "change" }, el("del", {}, c.before), "\n", el("ins", {}, c.after))))) : "",
      wrong.length ? table([["where", (c) => page.where(c.file, c.line)], ["state", (c) => c.state], ["quote", (c) => el("code", {}, c.quote)], ["cited", (c) => page.where(c.path, c.path_line)], ["near it", (c) => c.near || ""]], wrong.slice(0, most)) : ""];
  };

  /** accept asks for the reason, and writes it where assay audit accept does. */
  const accept = (f) => {
    const dialog = box("palette");
    const reason = el("input", { "aria-label": "Reason", placeholder: "why it may stay", size: 40 });
    dialog.replaceChildren(el("form", { submit: async (e) => {
      e.preventDefault();
      try {
        const r = await run("audit accept", { findings: [f.fingerprint], reason: reason.value }, { confirm: true });
        dialog.close();
        await asked.go();
        page.say(`written to ${page.relative(r.baseline)}`);
      } catch (x) { dialog.append(page.fail(x)); }
    } }, el("p", {}, `Accept for this project: ${f.message}?`), reason, el("div", { class: "row" }, el("button", { class: "main" }, "Accept"), button("Cancel", () => dialog.close()))));
    dialog.showModal();
    reason.focus();
  };

  /** correct shows what would be written to a document, and writes it if that is agreed to. */
  const correct = async (f) => {
    const dialog = box("palette");
    const shut = button("Cancel", () => dialog.close());
    page.say("…");
    try {
      const { edits } = await run("audit fix", { docs: [f.path], dry_run: true }, { confirm: true });
      dialog.replaceChildren(el("h2", {}, `Write ${plural(edits.length, "correction")} to ${f.path}?`), ...edits.map((e) => el("div", {}, el("p", { class: "quiet" }, `line ${e.line}: ${e.why}`), el("pre", { tabindex: "0", class: "change" }, el("del", {}, e.before), "\n", el("ins", {}, e.after)))),
        el("div", { class: "row" }, edits.length > 0 && button("Write", async () => {
          try { await run("audit fix", { docs: [f.path], yes: true }, { confirm: true }); dialog.close(); await asked.go(); } catch (x) { dialog.append(page.fail(x)); }
        }, { class: "main" }), shut));
    } catch (x) { dialog.replaceChildren(page.fail(x), shut); }
    page.say("");
    dialog.showModal();
  };

  const asked = asking(main, page, [what, filter, el("button", { class: "main" }, "Look")], async (signal) => {
    page.go("truth", { w: what.value, f: filter.value }, true);
    switch (what.value) {
      case "audit ghosts": {
        const r = await run("audit ghosts", {}, { signal });
        return [el("p", {}, `${r.total} claims: ${r.features.length} to look at, ${r.found} found in code, ${r.unsure} unsure`), listed(r.features, [
          ["where", (g) => page.where(g.path || g.doc?.path || "", g.line || g.doc?.line)], ["claim", (g) => g.text || g.feature?.text || g.name || g.queries?.[0]?.query || ""], ["class", (g) => g.class || ""], ["missing", (g) => (g.missing || []).join(", ")]])];
      }
      case "audit cite":
        return cited(signal);
      case "audit shadows":
        return listed((await run("audit shadows", {}, { signal })).modules, [
          ["module", (m) => m.module], ["class", (m) => m.class], ["risk", (m) => m.risk], ["of", (m) => (m.untold ? `all ${m.declarations}` : `${m.members.length} of ${m.declarations}`)],
          ["declarations", (m) => el("div", {}, m.members.map((s) => el("div", {}, [page.where(s.path, s.line), ` ${s.kind} ${s.scope ? `${s.scope}.` : ""}${s.name}: ${s.class} `, s.doc ? page.where(s.doc.path, s.doc.line) : ""])))]]);
      case "accepted": {
        const r = await run("audit ci", { accepted: true, all: true, fail_on: "none" }, { signal });
        return listed([...(r.accepted || []), ...r.ignored], [["where", (f) => page.where(f.path, f.line)], ["rule", (f) => f.rule], ["finding", (f) => f.message], ["reason", (f) => f.reason], ["by", (f) => (f.by.line ? page.where(f.by.path, f.by.line) : page.relative(f.by.path))]]);
      }
    }
    const r = await run("audit ci", { accepted: true, fail_on: "none", all: what.value === "all" }, { signal });
    const rank = ["high", "medium", "low"];
    const all = r.findings.sort((a, b) => rank.indexOf(a.severity) - rank.indexOf(b.severity));
    const unsure = r.low > 0 && what.value !== "all" && button(`${plural(r.low, "name")} that may be of something else`, () => { what.value = "all"; asked.go(); }, { class: "plain" });
    const sums = el("p", {}, `${plural(all.filter((f) => f.severity === "high").length, "failure")}, ${plural(all.filter((f) => f.severity === "medium").length, "warning")}, ${r.known} accepted, ${r.ignored.length} ignored with a reason`, unsure && [". Not listed: ", unsure], ".");
    if (what.value === "all") return [sums, listed(all, [["where", (f) => page.where(f.path, f.line)], ["rule", (f) => f.rule], ["severity", (f) => f.severity], ["finding", (f) => f.message], ["", (f) => button("Accept", () => accept(f), { "aria-label": `Accept ${f.name}` })]])];
    const cards = await findings(all, page, { accept, correct }, signal);
    shown = () => { const want = filter.value.trim().toLowerCase(); return all.length ? cards.filter((_, i) => JSON.stringify(all[i]).toLowerCase().includes(want)) : [el("p", { class: "good" }, "Documents and code agree, as far as is sure.")]; };
    return [sums, el("div", { id: "rows" }, shown())];
  });
  asked.go();
  return asked;
}
