import { run } from "./api.js";
import { asking, notes } from "./asking.js";
import { box, button, card, el, quiet, table } from "./dom.js";
import { markdown } from "./markdown.js";
import { project } from "./project.js";
import { ago } from "./time.js";
import { web } from "./web.js";

export function memory(main, params, page) {
  const field = el("input", { type: "search", "aria-label": "Query", placeholder: "what did we decide about …", value: params.get("q") || "" });
  const dialog = box("palette");
  const shut = (word) => button(word, () => dialog.close());
  /** act does what was agreed to, and shows what is then; what fails is said where it was asked for. */
  const act = (word, question, op, input) => button(word, async () => {
    if (question && !confirm(question)) return;
    try { await run(op, input(), { confirm: true }); dialog.close(); asked.go(); } catch (e) { dialog.append(page.fail(e)); }
  });
  /** rendered shows the text of a note as a document; its links lead to other notes. */
  const rendered = (text, files) => markdown(text, { file: "", project: files, open: (name) => { dialog.close(); open(/\.md$/.test(name) ? name : `${name}.md`); } });
  const open = async (path) => {
    const session = path.startsWith("session:");
    try {
      const [files, r, links] = await Promise.all([project().catch(() => null), run("memory get", { path }), session ? null : run("memory links", { path }).catch(() => null)]);
      const pinned = /^---[^]*?^pinned: true$[^]*?^---$/m.test(r.text || "");
      const near = [...new Set((links?.links || []).filter((x) => !x.broken).flatMap((x) => [x.from, x.to]).filter((p) => p !== path))];
      dialog.replaceChildren(el("h2", {}, path, pinned && quiet(" pinned")), rendered(r.text || "", files),
        near.length ? el("p", {}, "Linked: ", near.map((p) => button(p, () => { dialog.close(); open(p); }))) : "",
        el("div", { class: "row" },
          !session && button("Edit", () => edit(path, r.text || "")),
          !session && act(pinned ? "Unpin" : "Pin", `Keep ${path} in front${pinned ? " no longer" : ""}?`, "memory edit", () => ({ path, [pinned ? "unpin" : "pin"]: true })),
          !session && button("Replace", () => write(path)),
          act("Forget", `Remove ${path}?`, "memory forget", () => (session ? { session: path.slice("session:".length) } : { path })), shut("Close")));
    } catch (e) {
      dialog.replaceChildren(page.fail(e), shut("Close"));
    }
    if (!dialog.open) dialog.showModal();
  };
  /** edit changes the text of a note as it was shown: what another wrote meanwhile is not written over. */
  const edit = (path, was) => {
    const text = el("textarea", { "aria-label": "Text", rows: 16 });
    text.value = was;
    dialog.replaceChildren(el("h2", {}, `Edit ${path}`), text, el("div", { class: "row" }, act("Keep", `Change ${path}?`, "memory edit", () => ({ path, text: text.value, was })), shut("Cancel")));
    if (!dialog.open) dialog.showModal();
    text.focus();
  };
  const asked = asking(main, page, [field, el("button", { class: "main" }, "Ask"), button("New note", () => write()), button("Conflicts", () => disagree()), button("Links", () => all())], async (signal) => {
    const q = field.value.trim();
    page.go("memory", { q }, true);
    if (!q) {
      const r = await run("memory timeline", {}, { signal });
      if (!r.items.length) return el("p", { class: "quiet" }, "There are no notes yet. A note keeps a decision and its reason; briefs and agents find it when it matters. ", button("Write the first", () => write(), { class: "plain" }));
      return table([["when", (x) => ago(x.date)], ["what", (x) => button(x.title || x.path, () => open(x.path), { class: "plain" })], ["project", (x) => (x.project === page.root ? "this" : x.project || "")], ["kind", (x) => x.category || x.source || ""],
        ["", (x) => [x.pinned && "pinned", x.superseded_by && `superseded by ${x.superseded_by}`, x.validity].filter(Boolean).join(", ")]], r.items);
    }
    const r = await run("memory search", { query: q }, { signal });
    if (!r.hits.length) return [el("p", {}, "Nothing was found."), ...notes(r)];
    return [...r.hits.map((h) => card([button(h.title || h.path, () => open(h.path), { class: "plain" }), h.date && ago(h.date), h.superseded_by && quiet(`superseded by ${h.superseded_by}`)], el("div", { class: "in" }, rendered(h.text || "", null)))), ...notes(r)];
  });
  // Notes that were edited on two machines, or name each other as replaced, stand side by side; whoever knows which holds forgets the other.
  const disagree = async () => {
    try {
      const { findings, notes_checked: checked } = await run("memory audit", {});
      const pairs = findings.filter((f) => f.kind === "conflicts").slice(0, 50);
      const both = await Promise.all(pairs.map(async (f) => {
        const paths = [f.path, f.what.match(/^(\S+\.md)\b/)?.[1]].filter(Boolean);
        const texts = await Promise.all(paths.map((path) => run("memory get", { path }).catch((e) => ({ text: e.message }))));
        return card(f.what, el("div", { class: "pair" }, paths.map((path, i) => el("div", {}, button(path, () => open(path)), rendered(texts[i].text || "", null)))));
      }));
      asked.show(pairs.length ? both : el("p", {}, `${checked} notes, no conflict was found.`));
    } catch (e) { asked.show(page.fail(e)); }
  };
  /** all shows which notes hang together. */
  const all = async () => {
    try {
      const r = await run("memory links", {});
      page.go("memory", { view: "links" }, true);
      asked.show(...web({ titles: {}, ...r }, open), ...notes(r));
    } catch (e) { asked.show(page.fail(e)); }
  };
  const write = (supersedes) => {
    const [title, text] = [el("input", { "aria-label": "Title", placeholder: "title" }), el("textarea", { "aria-label": "Text" })];
    dialog.replaceChildren(supersedes ? el("p", { class: "quiet" }, `It replaces ${supersedes}, which stays to be read.`) : "", title, text, el("div", { class: "row" },
      act("Keep", supersedes && `Keep this in the place of ${supersedes}?`, "memory store", () => ({ title: title.value, content: text.value, ...(supersedes && { supersedes }) })), shut("Cancel")));
    if (!dialog.open) dialog.showModal();
  };
  field.focus();
  if (params.get("view") === "links") all();
  else asked.go();
  if (params.get("n")) open(params.get("n"));
  return asked;
}
