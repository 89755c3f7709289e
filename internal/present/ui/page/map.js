import { report, run } from "./api.js";
import { asking } from "./asking.js";
import { card, el, table } from "./dom.js";
import { treemap } from "./treemap.js";

const edge = { self: "#d63384", out: "#0b8a9e", into: "#d9730d", changed: "#d63384", reached: "#d9730d" };

/** scale is a colour between quiet and hot, for a share of 0 to 1. */
const scale = (share, dark) => `hsl(24 ${Math.round(8 + 80 * share)}% ${Math.round(dark ? 18 + 30 * share : 92 - 40 * share)}%)`;

/** The colours that files can have: by language, by how often the last commits changed them, by how lately. */
const colours = {
  language: () => () => null,
  churn: (history) => {
    const most = Math.log(1 + Math.max(1, ...Object.values(history).map((t) => t.times)));
    return (path, dark) => scale(Math.log(1 + (history[path]?.times || 0)) / most, dark);
  },
  freshness: (history) => {
    const oldest = Math.log(2 + Math.max(1, ...Object.values(history).map((t) => t.ago)));
    return (path, dark) => scale(history[path] ? 1 - Math.log(1 + history[path].ago) / oldest : 0, dark);
  },
};

/** inventory reads all files. */
async function inventory(page, going) {
  const files = [];
  let cursor = "";
  do {
    const r = await run("inventory", cursor ? { cursor } : { limit: 5000 });
    files.push(...r.modules);
    cursor = r.pagination?.has_more ? r.pagination.cursor : "";
    page.say(`${files.length} files`);
  } while (cursor && going());
  return files;
}

export function map(main, params, page) {
  const tools = el("div", { class: "row" });
  const out = el("div");
  const said = el("div");
  let stopped = false;
  let drawn = null;
  let history = null;
  const name = el("input", { "aria-label": "Symbol", placeholder: "a function", size: 24, value: params.get("s") || "" });
  const by = el("select", { "aria-label": "Colour", change: () => colour() }, [["language", "by language"], ["churn", "by how often it changes"], ["freshness", "by how lately it changed"]].map(([v, t]) => el("option", { value: v }, t)));
  const colour = async () => {
    try {
      history ||= await report("history");
      const hover = by.value === "language" ? () => "" : (path) => (history[path] ? `, changed by ${history[path].times} of the last 1,000 commits, last ${history[path].ago} commits ago` : ", not changed by the last 1,000 commits");
      drawn?.mark({ paint: colours[by.value](history), hover });
    } catch (e) { said.replaceChildren(page.fail(e)); }
  };
  const list = (title, paths) => card(`${title} (${paths.length})`, el("div", { class: "in" }, paths.length ? paths.slice(0, 200).map((p) => el("div", {}, page.where(p, 1))) : "none"));

  /** chosen lights what a file imports and what imports it. */
  const chosen = async (path, lines) => {
    page.say("…");
    try {
      const [to, from] = await Promise.all([run("imports", { module: path, limit: 0 }), run("importers", { module: path, limit: 0 })]);
      const uses = [...new Set(to.imports.map((i) => i.resolved).filter(Boolean))];
      const used = [...new Set(from.importers.map((i) => i.file))];
      drawn.mark({ light: new Map(/** @type {[string, string][]} */ ([...uses.map((p) => [p, edge.out]), ...used.map((p) => [p, edge.into]), [path, edge.self]])) });
      said.replaceChildren(card([page.where(path, 1), el("span", { class: "quiet" }, `${lines} lines`), el("button", { type: "button", click: clear }, "Clear")]), el("div", { class: "pair" }, list("It imports", uses), list("It is imported by", used)));
      page.say("");
    } catch (e) { said.replaceChildren(page.fail(e)); }
  };
  const clear = () => { drawn?.mark({ light: new Map() }); said.replaceChildren(); };

  /** changes lights what git says is changed, and what that reaches. */
  const changes = async () => {
    page.say("…");
    try {
      const r = await run("impact", { diff: true, limit: 0 });
      const changed = r.changed.map((f) => f.file);
      const reached = [...r.reached, ...r.tests].map((f) => f.file);
      drawn?.mark({ light: new Map(/** @type {[string, string][]} */ ([...reached.map((p) => [p, edge.reached]), ...changed.map((p) => [p, edge.changed])])) });
      said.replaceChildren(el("div", { class: "pair" }, list("Changed since the last commit", changed), list("What that reaches", [...new Set(reached)])),
        r.remaining_uses.length ? card("Uses of what is gone", table([["where", (u) => page.where(u.file, u.line)], ["name", (u) => u.symbol]], r.remaining_uses)) : "");
      page.say("");
    } catch (e) { said.replaceChildren(page.fail(e)); }
  };

  /** symbol lights what calls a function, over three steps, and what it calls. */
  const symbol = async (name) => {
    page.say("…");
    try {
      const [into, out] = await Promise.all([run("callers", { function: name, depth: 3, limit: 0 }), run("callees", { function: name, depth: 3, limit: 0 })]);
      const own = into.definitions.map((d) => d.file);
      const [used, uses] = [into.callers.map((c) => c.file), out.callees.map((c) => c.callee_file)].map((l) => [...new Set(l.filter(Boolean))]);
      drawn?.mark({ light: new Map(/** @type {[string, string][]} */ ([...uses.map((p) => [p, edge.out]), ...used.map((p) => [p, edge.into]), ...own.map((p) => [p, edge.self])])) });
      said.replaceChildren(card([el("code", {}, name), el("button", { type: "button", click: clear }, "Clear")], el("div", { class: "in" }, into.definitions.map((d) => el("div", {}, page.where(d.file, d.line))))),
        el("div", { class: "pair" }, list("It reaches", uses), list("It is reached from", used)));
      page.say("");
    } catch (e) { said.replaceChildren(page.fail(e) ?? ""); }
  };

  /** cycles shows the folders that import each other. */
  const cycles = async (files) => {
    page.say("…");
    try {
      const r = await run("inventory", { view: "summary" });
      const light = (ring) => drawn?.mark({ light: new Map(files.filter((f) => ring.includes(f.path.split("/").slice(0, -1).join("/") || ".")).map((f) => [f.path, edge.self])) });
      const rings = r.overview?.cycles || r.cycles || [];
      said.replaceChildren(card("Folders that import each other", el("div", { class: "in" }, rings.length ? rings.map((ring) => el("div", {}, el("button", { type: "button", click: () => light(ring) }, ring.join(" → ")))) : "none")));
      page.say("");
    } catch (e) { said.replaceChildren(page.fail(e)); }
  };

  (async () => {
    try {
      const files = await inventory(page, () => !stopped);
      if (stopped) return;
      drawn = treemap(out, files, { chosen });
      if (name.value) symbol(name.value);
      tools.append(el("form", { submit: (e) => { e.preventDefault(); page.go("map", { s: name.value.trim() }, true); symbol(name.value.trim()); } }, name, el("button", {}, "Light")), by, el("button", { type: "button", click: changes }, "What my changes reach"), el("button", { type: "button", click: () => cycles(files) }, "Cycles"));
    } catch (e) { out.replaceChildren(page.fail(e)); }
  })();
  const focus = el("input", { type: "search", "aria-label": "Focus", placeholder: "the words of a task, a file or a symbol", value: params.get("f") || "" });
  const asked = asking(main, page, [focus, el("button", { class: "main" }, "Signatures that matter")], async (signal) => {
    page.go("map", { f: focus.value }, true);
    const r = await run("map", { tokens: 2000, focus: focus.value.trim() ? [focus.value.trim()] : [] }, { signal });
    return r.files.map((f) => el("section", { class: "card" }, el("h2", {}, page.where(f.file)), el("pre", {}, f.symbols.map((s) => s.signature).join("\n"))));
  });
  main.append(tools, out, said);
  if (focus.value) asked.go();
  return { stop: () => { stopped = true; asked.stop(); } };
}
