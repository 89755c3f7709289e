import { run } from "./api.js";
import { asking, notes } from "./asking.js";
import { box, card, el, table } from "./dom.js";
import { markdown } from "./markdown.js";
import { project } from "./project.js";
import { ago } from "./time.js";
import { web } from "./web.js";

export function memory(main, params, page) {
  const field = el("input", { type: "search", "aria-label": "Query", placeholder: "what did we decide about …", value: params.get("q") || "" });
  const dialog = box("palette");
  const shut = (word) => el("button", { type: "button", click: () => dialog.close() }, word);
  /** act does what was agreed to, and shows what is then; what fails is said where it was asked for. */
  const act = (word, question, op, input) => el("button", { type: "button", click: async () => {
    if (question && !confirm(question)) return;
    try { await run(op, input(), { confirm: true }); dialog.close(); asked.go(); } catch (e) { dialog.append(page.fail(e)); }
  } }, word);
  /** rendered shows the text of a note as a document; its links lead to other notes. */
  const rendered = (text, files) => markdown(text, { file: "", project: files, open: (name) => { dialog.close(); open(/\.md$/.test(name) ? name : `${name}.md`); } });
  const open = async (path) => {
    const session = path.startsWith("session:");
    try {
      const [files, r, links] = await Promise.all([project().catch(() => null), run("memory get", { path }), session ? null : run("memory links", { path }).catch(() => null)]);
      const pinned = /^---[^]*?^pinned: true$[^]*?^---$/m.test(r.text || "");
      const near = [...new Set((links?.links || []).filter((x) => !x.broken).flatMap((x) => [x.from, x.to]).filter((p) => p !== path))];
      dialog.replaceChildren(el("h2", {}, path, pinned && el("span", { class: "quiet" }, " pinned")), rendered(r.text || "", files),
        near.length ? el("p", {}, "Linked: ", near.map((p) => el("button", { type: "button", click: () => { dialog.close(); open(p); } }, p))) : "",
        el("div", { class: "row" },
          !session && el("button", { type: "button", click: () => edit(path, r.text || "") }, "Edit"),
          !session && act(pinned ? "Unpin" : "Pin", `Keep ${path} in front${pinned ? " no longer" : ""}?`, "memory edit", () => ({ path, [pinned ? "unpin" : "pin"]: true })),
          !session && el("button", { type: "button", click: () => write(path) }, "Replace"),
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
  const asked = asking(main, page, [field, el("button", { class: "main" }, "Ask"), el("button", { type: "button", click: () => write() }, "New note"), el("button", { type: "button", click: () => disagree() }, "Conflicts"), el("button", { type: "button", click: () => all() }, "Links")], async (signal) => {
    const q = field.value.trim();
    page.go("memory", { q }, true);
    if (!q) {
      const r = await run("memory timeline", {}, { signal });
      if (!r.items.length) return el("p", {}, "There are no notes yet.");
      return table([["when", (x) => ago(x.date)], ["what", (x) => el("button", { type: "button", class: "plain", click: () => open(x.path) }, x.title || x.path)], ["project", (x) => (x.project === page.root ? "this" : x.project || "")], ["kind", (x) => x.category || x.source || ""],
        ["", (x) => [x.pinned && "pinned", x.superseded_by && `superseded by ${x.superseded_by}`, x.validity].filter(Boolean).join(", ")]], r.items);
    }
    const r = await run("memory search", { query: q }, { signal });
    if (!r.hits.length) return [el("p", {}, "Nothing was found."), ...notes(r)];
    return [...r.hits.map((h) => card([el("button", { type: "button", class: "plain", click: () => open(h.path) }, h.title || h.path), h.date && ago(h.date), h.superseded_by && el("span", { class: "quiet" }, `superseded by ${h.superseded_by}`)], el("div", { class: "in" }, rendered(h.text || "", null)))), ...notes(r)];
  });
  // Notes that were edited on two machines, or name each other as replaced, stand side by side; whoever knows which holds forgets the other.
  const disagree = async () => {
    try {
      const { findings, notes_checked: checked } = await run("memory audit", {});
      const pairs = findings.filter((f) => f.kind === "conflicts").slice(0, 50);
      const both = await Promise.all(pairs.map(async (f) => {
        const paths = [f.path, f.what.match(/^(\S+\.md)\b/)?.[1]].filter(Boolean);
        const texts = await Promise.all(paths.map((path) => run("memory get", { path }).catch((e) => ({ text: e.message }))));
        return card(f.what, el("div", { class: "pair" }, paths.map((path, i) => el("div", {}, el("button", { type: "button", click: () => open(path) }, path), rendered(texts[i].text || "", null)))));
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
  if (params.get("view") === "links") all();
  else asked.go();
  if (params.get("n")) open(params.get("n"));
  return asked;
}
