import { report, run } from "./api.js";
import { asking } from "./asking.js";
import { button, card, el, quiet, skeleton, table } from "./dom.js";
import { isTest, parent, project } from "./project.js";
import { treemap } from "./treemap.js";

const edge = { self: "#d63384", out: "#0b8a9e", into: "#d9730d", changed: "#d63384", reached: "#d9730d" };

/** scale is a colour between quiet and hot, for a share of 0 to 1. */
const scale = (share, dark) => `hsl(24 ${Math.round(8 + 80 * share)}% ${Math.round(dark ? 18 + 30 * share : 92 - 40 * share)}%)`;

const hues = [212, 28, 145, 275, 55, 335, 185, 100, 0, 240];
const tint = (i, dark) => (i < 0 ? (dark ? "#30363d" : "#d8dee4") : `hsl(${hues[i % hues.length]} ${dark ? 35 : 60}% ${dark ? 30 : 82}%)`);

/** mean is the mean of a number of files, by their lines. */
const mean = (files, of) => { const lines = files.reduce((n, f) => n + f.lines, 0); return lines ? files.reduce((n, f) => n + f.lines * of(f), 0) / lines : 0; };
const most = (files, of) => Math.max(0, ...files.map(of));

/** @typedef {{paint: import("./treemap.js").Look["paint"], hover?: import("./treemap.js").Look["hover"], legend?: [string, (dark: boolean) => string][]}} Colour The paint of an area, what is said of one, and a legend. */

/** bulk is the values of files, those of the most lines first. */
const bulk = (files, of) => [...Map.groupBy(files, of)].map(([v, fs]) => [v, fs.reduce((n, f) => n + f.lines, 0)]).sort((a, b) => b[1] - a[1]).map(([v]) => v);

/** kinds gives an area the colour of the value that most of its lines have. @returns {Colour} */
function kinds(files, of) {
  const order = bulk(files, of);
  const main = (inside) => bulk(inside, of)[0];
  return { paint: (inside, dark) => tint(order.indexOf(main(inside)), dark), hover: (inside) => `, mostly ${main(inside)}`, legend: order.slice(0, hues.length).map((v, i) => [v, (dark) => tint(i, dark)]) };
}

/**
 * The colours that areas can have, each made from the files.
 * @type {Record<string, {title: string, make: (all: any) => Colour}>}
 */
const colours = {
  folder: { title: "by folder", make: ({ files }) => {
    const tops = [...new Set(files.map((f) => (f.path.includes("/") ? f.path.split("/").slice(0, f.path.split("/").length > 2 ? 2 : 1).join("/") : "")))].sort();
    return { paint: (inside, dark) => { const p = inside[0]?.path.split("/") ?? []; return tint(tops.indexOf(p.slice(0, p.length > 2 ? 2 : p.length - 1).join("/")), dark); } };
  } },
  language: { title: "by language", make: ({ files, languages }) => kinds(files, (f) => languages.get(f.path) || "other") },
  owners: { title: "by owners", make: ({ files, owners }) => kinds(files, (f) => (owners[f.path] === undefined ? "not known" : owners[f.path] || "nobody")) },
  tests: { title: "by tests", make: () => ({ paint: (inside, dark) => scale(mean(inside, (f) => Number(isTest(f.path))), dark), hover: (inside) => `, ${Math.round(100 * mean(inside, (f) => Number(isTest(f.path))))} % of the lines in tests`, legend: [["no tests", (dark) => scale(0, dark)], ["half", (dark) => scale(0.5, dark)], ["tests alone", (dark) => scale(1, dark)]] }) },
  churn: { title: "by how often it changes", make: ({ history }) => {
    const times = (f) => history[f.path]?.times ?? 0;
    const top = Math.log(1 + Math.max(1, ...Object.values(history).map((t) => t.times)));
    return { paint: (inside, dark) => scale(Math.log(1 + most(inside, times)) / top, dark), hover: (inside) => `, at most ${most(inside, times)} of the last 1,000 commits changed one file`, legend: [["never", (dark) => scale(0, dark)], ["often", (dark) => scale(1, dark)]] };
  } },
  freshness: { title: "by how lately it changed", make: ({ history }) => {
    const oldest = Math.log(2 + Math.max(1, ...Object.values(history).map((t) => t.ago)));
    const age = (inside) => Math.min(...inside.map((f) => history[f.path]?.ago ?? Infinity));
    return { paint: (inside, dark) => scale(age(inside) === Infinity ? 0 : 1 - Math.log(1 + age(inside)) / oldest, dark), hover: (inside) => (age(inside) === Infinity ? ", not changed by the last 1,000 commits" : `, last changed ${age(inside)} commits ago`), legend: [["long ago", (dark) => scale(0, dark)], ["now", (dark) => scale(1, dark)]] };
  } },
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
  let owners = null;
  const name = el("input", { "aria-label": "Symbol", placeholder: "callers of a function", size: 24, value: params.get("s") || "" });
  const legend = el("div", { class: "row quiet legend" });
  const by = el("select", { "aria-label": "Colour", change: () => colour() }, Object.entries(colours).map(([v, c]) => el("option", { value: v, selected: v === params.get("c") }, c.title)));
  const branch = el("select", { "aria-label": "Change", change: () => changes(branch.value) }, el("option", { value: "" }, "what a change reaches …"), el("option", { value: "HEAD" }, "what is not committed"));
  let files = [];
  const colour = async () => {
    try {
      const needsHistory = ["churn", "freshness"].includes(by.value);
      if (needsHistory) history ||= await report("history");
      if (by.value === "owners") owners ||= await report("owners");
      const made = colours[by.value].make({ files, history, owners, languages: (await project()).languages });
      drawn?.mark({ paint: made.paint, hover: made.hover ?? (() => "") });
      const dark = matchMedia("(prefers-color-scheme: dark)").matches;
      legend.replaceChildren(...(made.legend ?? []).map(([name, of]) => { const box = el("span", { class: "swatch" }); box.style.background = of(dark); return el("span", {}, box, name); }));
    } catch (e) { said.replaceChildren(page.fail(e)); }
  };
  const list = (title, paths) => card(`${title} (${paths.length})`, el("div", { class: "in" }, paths.length ? paths.slice(0, 200).map((p) => el("div", {}, page.where(p, 1))) : "none"));

  /** doing shows that something is done, and what failed. */
  const doing = (f) => async (...args) => {
    page.say("…");
    try { await f(...args); page.say(""); } catch (e) { said.replaceChildren(page.fail(e) ?? ""); }
  };
  /** light marks files: those of each group with its colour. */
  const light = (.../** @type {[string[], string][]} */ groups) => drawn?.mark({ light: new Map(groups.flatMap(([paths, c]) => paths.map((p) => /** @type {[string, string]} */ ([p, c])))) });
  const clear = () => { light(); said.replaceChildren(); };

  /** chosen lights what a file imports and what imports it. */
  const chosen = doing(async (path, lines) => {
    const [to, from] = await Promise.all([run("imports", { module: path, limit: 0 }), run("importers", { module: path, limit: 0 })]);
    const uses = [...new Set(to.imports.map((i) => i.resolved).filter(Boolean))];
    const used = [...new Set(from.importers.map((i) => i.file))];
    light([uses, edge.out], [used, edge.into], [[path], edge.self]);
    said.replaceChildren(card([page.where(path, 1), quiet(`${lines} lines`), button("Clear", clear)]), el("div", { class: "pair" }, list("It imports", uses), list("It is imported by", used)));
  });

  /** changes lights what git says is changed, and what that reaches. */
  const changes = doing(async (range) => {
    if (!range) return clear();
    const r = await run("impact", { diff: true, target: range, limit: 0 });
    const changed = r.changed.map((f) => f.file);
    const reached = [...r.reached, ...r.tests].map((f) => f.file);
    light([reached, edge.reached], [changed, edge.changed]);
    said.replaceChildren(el("div", { class: "pair" }, list("Changed", changed), list("What that reaches", [...new Set(reached)])),
      r.remaining_uses.length ? card("Uses of what is gone", table([["where", (u) => page.where(u.file, u.line)], ["name", (u) => u.symbol]], r.remaining_uses)) : "");
  });

  /** symbol lights what calls a function, over three steps, and what it calls. */
  const symbol = doing(async (name) => {
    const [into, out] = await Promise.all([run("callers", { function: name, depth: 3, limit: 0 }), run("callees", { function: name, depth: 3, limit: 0 })]);
    const own = into.definitions.map((d) => d.file);
    const [used, uses] = [into.callers.map((c) => c.file), out.callees.map((c) => c.callee_file)].map((l) => [...new Set(l.filter(Boolean))]);
    light([uses, edge.out], [used, edge.into], [own, edge.self]);
    said.replaceChildren(card([el("code", {}, name), button("Clear", clear)], el("div", { class: "in" }, into.definitions.map((d) => el("div", {}, page.where(d.file, d.line))))),
      el("div", { class: "pair" }, list("It reaches", uses), list("It is reached from", used)));
  });

  /** cycles shows the folders that import each other. */
  const cycles = doing(async (files) => {
    const r = await run("inventory", { view: "summary" });
    const lit = (ring) => light([files.map((f) => f.path).filter((p) => ring.includes(parent(p) || ".")), edge.self]);
    const rings = r.overview?.cycles || r.cycles || [];
    said.replaceChildren(card("Folders that import each other", el("div", { class: "in" }, rings.length ? rings.map((ring) => el("div", {}, button(ring.join(" → "), () => lit(ring)))) : "none")));
  });

  (async () => {
    try {
      out.replaceChildren(skeleton());
      files = await inventory(page, () => !stopped);
      if (stopped) return;
      drawn = treemap(out, files, { chosen, opened: () => {}, paint: colours.folder.make({ files }).paint });
      if (by.value !== "folder") colour();
      if (name.value) symbol(name.value);
      tools.append(by, branch, el("form", { submit: (e) => { e.preventDefault(); page.go("map", { s: name.value.trim() }, true); symbol(name.value.trim()); } }, name, el("button", {}, "Show")), button("Import cycles", () => cycles(files)));
      page.say("");
      const { names, current } = await report("branches");
      const trunk = ["main", "master", "trunk"].find((n) => names.includes(n)) ?? current;
      branch.append(...names.filter((n) => n !== trunk && trunk).map((n) => el("option", { value: `${trunk}...${n}` }, n)));
    } catch (e) { out.replaceChildren(page.fail(e)); }
  })();
  main.append(tools, legend, out, said);
  const focus = el("input", { type: "search", "aria-label": "Focus", placeholder: "words of a task, a file or a symbol", value: params.get("f") || "" });
  const asked = asking(main, page, [focus, el("button", {}, "Signatures that matter")], async (signal) => {
    page.go("map", { f: focus.value }, true);
    const r = await run("map", { tokens: 2000, focus: focus.value.trim() ? [focus.value.trim()] : [] }, { signal });
    return r.files.map((f) => el("section", { class: "card" }, el("h2", {}, page.where(f.file)), el("pre", {}, f.symbols.map((s) => s.signature).join("\n"))));
  });
  if (focus.value) asked.go();
  return { stop: () => { stopped = true; asked.stop(); } };
}
