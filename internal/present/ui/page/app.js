import { about } from "./api.js";
import { el, visible } from "./dom.js";
import { views } from "./views.js";

const main = document.getElementById("main");
const status = document.getElementById("status");
const page = { root: "", operations: [], say: (text) => { status.textContent = text; } };
let shown = null;

/** place is the view and its parameters, as the address has them: #/search?q=x */
function place() {
  const [path, query] = location.hash.replace(/^#\/?/, "").split("?");
  return { name: views.some((v) => v.name === path) ? path : "search", params: new URLSearchParams(query || "") };
}

/** go changes the address; with replace, without a step back to the one before. */
page.go = (name, params, replace) => {
  const query = new URLSearchParams(Object.entries(params || {}).filter(([, v]) => v)).toString();
  const to = `#/${name}${query ? "?" + query : ""}`;
  if (replace) history.replaceState(null, "", to);
  else location.hash = to;
};

page.absolute = (file) => (/^([/\\]|[A-Za-z]:)/.test(file) ? file : `${page.root}/${file}`);
page.relative = (file) => (file.startsWith(page.root + "/") ? file.slice(page.root.length + 1) : file);

/** where is a place that an editor opens. */
page.where = (file, line) => {
  const scheme = localStorage.getItem("editor") || "vscode";
  const at = page.absolute(file);
  const uri = (s) => s.split("/").map(encodeURIComponent).join("/");
  const href = { vscode: `vscode://file${uri(at)}:${line || 1}`, cursor: `cursor://file${uri(at)}:${line || 1}`, idea: `idea://open?file=${encodeURIComponent(at)}&line=${line || 1}`, plain: "" }[scheme];
  const text = page.relative(file) + (line ? `:${line}` : "");
  return href ? el("a", { href, title: "open in the editor" }, text) : el("code", {}, text);
};

page.fail = (e) => {
  if (e.name === "AbortError") return null;
  page.say("");
  return el("section", { class: "card", role: "alert" }, el("h2", { class: "bad" }, e.message), el("div", { class: "in" }, e.hint || "", e.fix ? ` assay ${e.fix}` : ""));
};

async function show() {
  const { name, params } = place();
  if (shown?.stop) shown.stop();
  page.say("");
  for (const a of document.querySelectorAll("#nav a")) {
    if (a.dataset.view === name) a.setAttribute("aria-current", "page");
    else a.removeAttribute("aria-current");
  }
  const view = views.find((v) => v.name === name);
  document.title = `${view.title} · assay`;
  main.replaceChildren(el("h1", { class: "quiet" }, view.title));
  shown = view.show(main, params, page) || null;
}

function select(step) {
  const cards = [...main.querySelectorAll(".card")];
  if (!cards.length) return;
  const at = cards.findIndex((c) => c.getAttribute("aria-selected") === "true");
  const next = cards[Math.min(Math.max(at + step, 0), cards.length - 1)];
  for (const c of cards) c.removeAttribute("aria-selected");
  next.setAttribute("aria-selected", "true");
  next.scrollIntoView({ block: "nearest" });
}

const shortcuts = [["/", "to the query"], ["j / k", "next and previous answer"], ["Enter", "open the chosen answer in the editor"], ["1 … 8", "views"], ["Ctrl+K", "go to a view or an operation"], ["?", "this help"], ["Esc", "close"]];

function palette() {
  const dialog = document.getElementById("palette");
  const list = el("ul");
  const field = el("input", { type: "search", "aria-label": "Go to", input: () => fill(), keydown: (e) => { if (e.key === "Enter") list.querySelector("a")?.click(); } });
  const fill = () => {
    const q = field.value.toLowerCase();
    list.replaceChildren(...views.filter((v) => v.title.toLowerCase().includes(q)).map((v) =>
      el("li", {}, el("a", { href: `#/${v.name}`, click: () => dialog.close() }, v.title))),
    ...(q ? [el("li", {}, el("a", { href: `#/search?q=${encodeURIComponent(field.value)}`, click: () => dialog.close() }, `Search for “${field.value}”`))] : []));
  };
  dialog.replaceChildren(field, list);
  fill();
  dialog.showModal();
  field.focus();
}

document.addEventListener("keydown", (e) => {
  if ((e.ctrlKey || e.metaKey) && e.key.toLowerCase() === "k") {
    e.preventDefault();
    palette();
    return;
  }
  if (e.ctrlKey || e.metaKey || e.altKey || /^(input|textarea|select)$/i.test(e.target.tagName) || document.querySelector("dialog[open]")) {
    if (e.key === "Escape") e.target.blur();
    return;
  }
  if (e.key === "/") { e.preventDefault(); main.querySelector("input")?.focus(); }
  else if (e.key === "j") select(1);
  else if (e.key === "k") select(-1);
  else if (e.key === "Enter" && !/^(a|button|summary)$/i.test(e.target.tagName)) main.querySelector(".card[aria-selected=true] a")?.click();
  else if (e.key === "?") document.getElementById("keys").click();
  else if (/^[1-9]$/.test(e.key) && views[e.key - 1]) page.go(views[e.key - 1].name);
});

document.getElementById("keys").addEventListener("click", () => {
  const help = document.getElementById("help");
  const editor = el("select", { "aria-label": "Editor", change: (e) => { localStorage.setItem("editor", e.target.value); show(); } },
    ["vscode", "cursor", "idea", "plain"].map((n) => el("option", { value: n, selected: n === (localStorage.getItem("editor") || "vscode") }, n)));
  help.replaceChildren(el("table", {}, el("tbody", {}, shortcuts.map(([k, what]) => el("tr", {}, el("td", {}, el("code", {}, k)), el("td", {}, what))))),
    el("p", {}, "Places open in ", editor), el("form", { method: "dialog" }, el("button", {}, "Close")));
  help.showModal();
});

document.getElementById("nav").append(...views.map((v) => el("a", { href: `#/${v.name}`, "data-view": v.name }, v.title)));
addEventListener("hashchange", show);
try {
  Object.assign(page, await about());
  document.getElementById("root").textContent = visible(page.root);
  await show();
} catch (e) {
  main.replaceChildren(page.fail(e));
}
