import { report, run } from "./api.js";
import { button, card, el, hash, plural, quiet, skeleton, table } from "./dom.js";
import { markdown, slug } from "./markdown.js";
import { base, parent, project } from "./project.js";
import { source } from "./source.js";
import { symbolCards } from "./symbol.js";
import { ago } from "./time.js";

const most = 200000; // tokens of a file that are shown: about 700 kB
const many = 400; // entries of a folder

/** entries returns the folders and files of a folder, folders first. */
function entries(files, folder) {
  const prefix = folder ? folder + "/" : "";
  const out = new Map();
  for (const path of files.paths) {
    if (!path.startsWith(prefix)) continue;
    const [name, more] = path.slice(prefix.length).split("/", 2);
    const at = out.get(name) ?? { name, path: prefix + name, folder: more !== undefined, count: 0 };
    at.count++;
    out.set(name, at);
  }
  return [...out.values()].sort((a, b) => Number(b.folder) - Number(a.folder) || a.name.localeCompare(b.name, "en", { numeric: true }));
}

const address = (path) => hash("files", { p: path });

/** tree shows the folders as they open; the way to the file that is shown is open. */
function tree(files, shown) {
  const branch = (folder) => {
    const all = entries(files, folder);
    return el("ul", {}, all.slice(0, many).map((e) => {
      if (!e.folder) return el("li", {}, el("a", { href: address(e.path), "aria-current": e.path === shown && "page", title: e.path }, e.name));
      const inside = el("details", { open: shown === e.path || shown.startsWith(e.path + "/") }, el("summary", { title: e.path }, e.name));
      const fill = () => { if (inside.open && inside.childElementCount === 1) inside.append(branch(e.path)); };
      inside.addEventListener("toggle", fill);
      fill();
      return el("li", {}, inside);
    }), all.length > many && el("li", { class: "quiet" }, `and ${all.length - many} more`));
  };
  return branch("");
}

/** crumbs is a path whose folders are links. */
const crumbs = (path, root) => el("div", { class: "crumbs" }, el("a", { href: address("") }, root || "/"), path.split("/").filter(Boolean).map((part, i, all) => [" / ", i === all.length - 1 ? el("strong", {}, part) : el("a", { href: address(all.slice(0, i + 1).join("/")) }, part)]));

/** readmeOf is the file that introduces a folder. */
const readmeOf = (files, folder) => files.paths.find((p) => parent(p) === folder && /^readme(\.(md|markdown|rst|txt))?$/i.test(base(p)));

const isMarkdown = (files, path) => files.languages.get(path) === "markdown";

/** readText reads a file as assay show does. */
async function readText(path) {
  const r = await run("show", { places: [path], tokens: most });
  const shown = r.shown[0];
  return { text: shown.text.map((s) => s.text).join("\n"), first: shown.text[0]?.line_start ?? 1, cut: shown.left_out ?? [] };
}

/** readme shows the README of a folder, or nothing. */
export async function readme(files, folder, headed = true) {
  const path = readmeOf(files, folder);
  if (!path) return null;
  const { text } = await readText(path);
  const body = el("div", { class: "in" }, isMarkdown(files, path) ? markdown(text, { file: path, project: files }) : el("pre", { tabindex: "0" }, text));
  return headed ? card(el("a", { href: address(path) }, base(path)), body) : body;
}

/** commits is a table of the history of a file. */
const commits = (all) => table([["when", (c) => ago(c.time * 1000)], ["who", (c) => el("span", { class: "line" }, c.author)], ["what", (c) => c.subject], ["commit", (c) => el("code", {}, c.hash.slice(0, 9))]], all);

async function folder(path, files, page) {
  const all = entries(files, path);
  const rows = all.slice(0, many).map((e) => el("li", {}, el("a", { href: address(e.path), class: e.folder ? "folder" : "" }, e.name), quiet(e.folder ? ` ${plural(e.count, "file")}` : "")));
  page.say("");
  return [card(crumbs(path, base(page.root)), el("ul", { class: "entries columns" }, rows)), await readme(files, path).catch(() => null)];
}

/** outline lists the declarations of a file, or the headings of a document. */
async function outline(path, isDocument, element) {
  if (isDocument) {
    const heads = [...element.querySelectorAll("[data-anchor]")].filter((h) => h.textContent.trim());
    return heads.map((h) => el("a", { href: hash("files", { p: path, a: h.dataset.anchor }), class: `deep${h.tagName[1]}` }, h.textContent));
  }
  const [functions, types] = await Promise.all([run("functions", { paths: [path], limit: 0 }), run("functions", { paths: [path], kind: "type", limit: 0 })]);
  const all = [...types.functions, ...functions.functions].sort((a, b) => a.line - b.line);
  const names = new Set(all.map((f) => f.qualified || f.name));
  let last = ""; // what the line before is, or is in: only below it is a short name clear
  return all.map((f) => {
    const of = (f.qualified ?? "").replace(/\.?[^.]*$/, "");
    const inside = names.has(of) && of === last;
    last = inside ? of : f.qualified || f.name;
    return el("a", { href: hash("files", { p: path, l: f.line }), class: inside ? "deep3" : "" }, quiet(`${f.kind} `), inside ? f.name : f.qualified || f.name);
  });
}

/** blamed says for each line of a text which commit wrote it. Lines that changed since the last commit have none. */
function blamed(blame, text) {
  const now = text.replace(/\n$/, "").split("\n");
  const before = blame.text;
  let head = 0;
  while (head < now.length && now[head] === before[head]) head++;
  let tail = 0;
  while (tail < Math.min(now.length, before.length) - head && now[now.length - 1 - tail] === before[before.length - 1 - tail]) tail++;
  return (line) => {
    const i = line - 1;
    const was = i < head ? i : i >= now.length - tail ? i - now.length + before.length : -1;
    if (was < 0) return [el("em", { class: "quiet" }, "not committed"), ""];
    const c = blame.commits[blame.lines[was]];
    if (!c) return null;
    return blame.lines[was] === blame.lines[was - 1] && was > 0 ? null : [ago(c.time * 1000), ` ${c.author}`, c];
  };
}

async function file(path, params, files, page) {
  const { text, first, cut } = await readText(path);
  const isDocument = isMarkdown(files, path) && params.get("raw") !== "1";
  const panel = el("aside", { class: "panel", "aria-label": "Outline and references" });
  const under = el("div");
  const outlined = el("nav", { class: "outline", "aria-label": "Outline" });
  const references = el("div", { "aria-live": "polite" }, isDocument ? "" : el("p", { class: "quiet" }, "Click a name in the code to see where it is declared, used and called."));
  /** look shows a symbol beside the code; the address has it, so that it can be shared. */
  const look = async (symbol, name) => {
    references.replaceChildren(el("h2", {}, el("code", {}, name)), skeleton());
    try {
      const cards = await symbolCards(symbol, page);
      references.replaceChildren(el("h2", {}, el("code", {}, name)), ...(cards.length ? cards : [el("p", {}, "Nothing in the project declares or uses it.")]));
    } catch (e) {
      references.replaceChildren(el("h2", {}, el("code", {}, name)), el("p", {}, "No declaration of the project is known for it. ", el("a", { href: hash("search", { q: name }) }, `Search for ${name}`)), el("p", { class: "quiet" }, /** @type {Error} */ (e).message));
    }
    if (innerWidth < 1100) references.scrollIntoView({ block: "start" });
  };
  const view = isDocument ? null : source(text, files.languages.get(path) ?? "", {
    first,
    picked: (name, line, column) => { page.go("files", { p: path, l: String(line), c: String(column), s: name }, true); look(`${path}:${line}:${column}`, name); view?.light(line); },
    chosen: (line) => { page.go("files", { p: path, l: String(line) }, true); view?.light(line); },
  });
  const body = view ? view.element : el("div", { class: "in" }, markdown(text, { file: path, project: files }));
  const history = async () => {
    under.replaceChildren(skeleton());
    try {
      const all = await report("commits", path);
      under.replaceChildren(all.length ? card("History", commits(all)) : el("p", { class: "quiet" }, "No commit has this file."));
    } catch (e) { under.replaceChildren(page.fail(e)); }
  };
  const blame = async () => {
    page.say("…");
    try {
      const at = blamed(await report("blame", path), text);
      view?.annotate((line) => {
        const said = at(line);
        return said && el("span", { title: said[2]?.subject ?? "" }, said[0], said[1]);
      });
      view?.element.classList.add("blamed");
      page.say("");
    } catch (e) { under.replaceChildren(page.fail(e)); }
  };
  const line = Number(params.get("l")) || 0;
  const tools = el("div", { class: "row tools" }, page.editor(path, line || 1),
    isMarkdown(files, path) && el("a", { class: "button", href: hash("files", { p: path, raw: isDocument && "1" }) }, isDocument ? "As text" : "As a page"),
    button("History", history), view && button("Who wrote it", blame),
    el("a", { class: "button", href: hash("search", { like: `${path}:${line || 1}` }) }, "Similar code"),
    button("Copy the path", () => page.copy(path + (line ? `:${line}` : ""))));
  const shown = el("section", { class: "card file" }, el("h2", {}, crumbs(path, base(page.root))), tools, cut.length ? el("p", { class: "in quiet" }, `The file is long: ${cut.map((c) => `lines ${c.line_start} to ${c.line_end}`).join(", ")} are not shown.`) : "", body);
  panel.append(references, el("h2", {}, "Outline"), outlined);
  outline(path, isDocument, body).then((links) => { outlined.replaceChildren(...links); if (!links.length) panel.querySelector("h2:last-of-type")?.remove(); }, () => outlined.remove());
  const name = params.get("s");
  if (name) look(params.has("c") ? `${path}:${line}:${params.get("c")}` : `${path}:${name}`, name);
  const arrive = (at) => {
    const [, from, to] = (at.get("l") ?? "").match(/^(\d+)(?:-(\d+))?$/) ?? [];
    if (from && view) view.light(Number(from), Number(to || from));
    const anchor = at.get("a");
    if (anchor) /** @type {HTMLElement[]} */ ([...body.querySelectorAll("[data-anchor]")]).find((h) => h.dataset.anchor === slug(anchor))?.scrollIntoView();
  };
  return { nodes: [el("div", { class: "beside-code" }, el("div", {}, shown, under), panel)], arrive, stop: () => view?.stop() };
}

/** The files of the project: folders with their README, and files with their outline and references. */
export function files(main, params, page) {
  main.classList.add("wide");
  const path = params.get("p") ?? "";
  const side = el("details", { class: "tree", open: innerWidth >= 900 }, el("summary", {}, "Files"));
  const out = el("div", {}, skeleton());
  main.append(el("div", { class: "with-tree" }, side, out));
  let stop = () => {};
  let arrive = null;
  let left = false;
  (async () => {
    try {
      const all = await project(path === "");
      if (left) return;
      side.append(tree(all, path));
      side.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
      if (all.folders.has(path)) { out.replaceChildren(...(await folder(path, all, page)).filter((n) => n !== null)); return; }
      const shown = await file(path, params, all, page);
      if (left) return;
      stop = shown.stop;
      out.replaceChildren(...shown.nodes);
      arrive = shown.arrive;
      arrive(params);
    } catch (e) { out.replaceChildren(page.fail(e) ?? ""); }
  })();
  return {
    stop: () => { left = true; main.classList.remove("wide"); stop(); },
    // Another place in the same file needs no other view.
    moved: (to) => { if (!arrive || to.get("p") !== path || to.get("raw") !== params.get("raw")) return false; arrive(to); return true; },
  };
}
