import { about } from "./api.js";
import { box, el, hash, part, skeleton, visible } from "./dom.js";
import { views } from "./views.js";

const main = part("main");
const status = part("status");
/** @type {import("../page").Page} */
const page = { root: "", operations: [], say: (text) => { status.textContent = text; }, go, where, address, editor, copy, fail, absolute, relative };
/** @type {import("../page").Shown | null} */
let shown = null;
let shownHash = location.hash; // the address that the view was opened with, or has written

/** place is the view and its parameters, as the address has them: #/search?q=x */
function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return { name: views.some((v) => v.name === path) ? path : "start", params: new URLSearchParams(query || "") };
}

/**
 * go changes the address; with replace, without a step back to the one before.
 * @param {string} name
 * @param {Record<string, string>} [params]
 * @param {boolean} [replace]
 */
function go(name, params, replace) {
  const to = hash(name, params);
  if (!replace) location.hash = to;
  // A view that still writes its address when another one was asked for must not bring its own back.
  else if (location.hash === shownHash) {
    history.replaceState(null, "", to);
    shownHash = location.hash;
  }
}

/** @param {string} file */
function absolute(file) { return /^([/\\]|[A-Za-z]:)/.test(file) ? file : `${page.root}/${file}`; }
/** @param {string} file */
function relative(file) { return file.startsWith(page.root + "/") ? file.slice(page.root.length + 1) : file; }

const uri = (/** @type {string} */ path) => path.split("/").map(encodeURIComponent).join("/");
/**
 * The editors: how each is asked for a line of a file. plain is none, and neither is a name that is not here.
 * @type {Map<string, (at: string, line: number) => string>}
 */
const editors = new Map([
  ["vscode", (at, line) => `vscode://file${uri(at)}:${line}`],
  ["cursor", (at, line) => `cursor://file${uri(at)}:${line}`],
  ["idea", (at, line) => `idea://open?file=${encodeURIComponent(at)}&line=${line}`],
  ["plain", () => ""],
]);
const chosenEditor = () => localStorage.getItem("editor") || "vscode";

/**
 * editor is a button that opens a place in the editor that the person chose; short: its name alone.
 * @param {string} file
 * @param {number} [line]
 * @param {boolean} [short]
 */
function editor(file, line, short) {
  const href = editors.get(chosenEditor())?.(absolute(file), line || 1);
  return href ? el("a", { href, class: short ? "quiet open" : "button", title: `open in ${chosenEditor()}; ? chooses another` }, short ? "edit" : "Open in the editor") : el("span");
}

/**
 * address is a place in the view of files.
 * @param {string} file
 * @param {number} [line]
 */
function address(file, line) {
  return hash("files", { p: relative(file), ...(line && { l: String(line) }) });
}

/**
 * where is a place that can be opened: in the page if it is in the project, else in the editor.
 * @param {string} file
 * @param {number} [line]
 */
function where(file, line) {
  const at = relative(file);
  const text = at + (line ? `:${line}` : "");
  if (!/^([/\\]|[A-Za-z]:)/.test(at)) return el("a", { href: address(at, line), class: "where" }, text);
  const href = editors.get(chosenEditor())?.(absolute(file), line || 1);
  return href ? el("a", { href, title: "open in the editor" }, text) : el("code", {}, text);
}

/** @param {string} text */
async function copy(text) {
  try { await navigator.clipboard.writeText(text); page.say("copied"); } catch { page.say("the browser did not allow the copy"); }
}

/** @param {any} e */
function fail(e) {
  if (e.name === "AbortError") return null;
  page.say("");
  return el("section", { class: "card", role: "alert" }, el("h2", { class: "bad" }, e.message), el("div", { class: "in" }, e.hint || "", e.fix ? ` assay ${e.fix}` : ""));
}

let turn = 0; // of views: one that is still loading must not replace a later one
let open = "";

async function show() {
  const { name, params } = place();
  shownHash = location.hash;
  document.querySelectorAll("dialog[open]").forEach((d) => /** @type {HTMLDialogElement} */ (d).close());
  if (name === open && shown?.moved?.(params)) return;
  const mine = ++turn;
  if (shown?.stop) shown.stop();
  shown = null;
  open = name;
  page.say("");
  for (const a of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#nav a"))) {
    if (a.dataset.view === name) { a.setAttribute("aria-current", "page"); a.scrollIntoView({ block: "nearest", inline: "nearest" }); }
    else a.removeAttribute("aria-current");
  }
  const view = views.find((v) => v.name === name) ?? views[0];
  document.title = `${view.title} · assay`;
  const waiting = skeleton();
  main.replaceChildren(el("h1", { class: "quiet" }, view.title), waiting);
  const fill = await view.load();
  if (mine !== turn) return;
  waiting.remove();
  shown = fill(main, params, page) || null;
}

/** @param {1 | -1} step */
function select(step) {
  const cards = [...main.querySelectorAll(".card")];
  if (!cards.length) return;
  const at = cards.findIndex((c) => c.getAttribute("aria-selected") === "true");
  const next = cards[Math.min(Math.max(at + step, 0), cards.length - 1)];
  for (const c of cards) c.removeAttribute("aria-selected");
  next.setAttribute("aria-selected", "true");
  next.scrollIntoView({ block: "nearest" });
}

const shortcuts = [["/", "to the query"], ["j / k", "next and previous answer"], ["Enter", "open the chosen answer"], ["1 … 9", "views"], ["Ctrl+K", "go to a file, a symbol or a view"], ["?", "this help"], ["Esc", "close"]];

document.addEventListener("keydown", (e) => {
  if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "k") {
    e.preventDefault();
    import("./palette.js").then((m) => m.palette(views, page));
    return;
  }
  const at = /** @type {HTMLElement} */ (e.target);
  if (e.ctrlKey || e.metaKey || e.altKey || /^(input|textarea|select)$/i.test(at.tagName) || document.querySelector("dialog[open]")) {
    if (e.key === "Escape") at.blur();
    return;
  }
  if (e.key === "/") { e.preventDefault(); /** @type {HTMLElement | null} */ (main.querySelector("input, textarea"))?.focus(); }
  else if (e.key === "j") select(1);
  else if (e.key === "k") select(-1);
  else if (e.key === "Enter" && !/^(a|button|summary)$/i.test(at.tagName)) /** @type {HTMLElement | null} */ (main.querySelector(".card[aria-selected=true] a"))?.click();
  else if (e.key === "?") part("keys").click();
  else if (/^[1-9]$/.test(e.key) && views[Number(e.key) - 1]) go(views[Number(e.key) - 1].name);
});

part("keys").addEventListener("click", () => {
  const help = box("help");
  const choice = el("select", { "aria-label": "Editor", change: (e) => { localStorage.setItem("editor", e.target.value); show(); } },
    [...editors.keys()].map((n) => el("option", { value: n, selected: n === chosenEditor() }, n)));
  help.replaceChildren(el("table", {}, el("tbody", {}, shortcuts.map(([k, what]) => el("tr", {}, el("td", {}, el("code", {}, k)), el("td", {}, what))))),
    el("p", {}, "Places open in ", choice), el("form", { method: "dialog" }, el("button", {}, "Close")));
  help.showModal();
});

part("go").addEventListener("click", () => import("./palette.js").then((m) => m.palette(views, page)));
part("nav").append(...views.map((v) => el("a", { href: `#/${v.name}`, "data-view": v.name }, v.title)));
addEventListener("hashchange", show);
try {
  Object.assign(page, await about());
  part("root").textContent = visible(page.root);
  await show();
} catch (e) {
  main.replaceChildren(fail(e) ?? "");
}
