// What the page is made of. Names, notes and code are text: nothing here reads markup.

// What would steer, turn the direction of what follows or hide in it: the same as on a terminal.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/**
 * visible is a text that says what it shows: a character that hides is its number.
 * @param {unknown} text
 */
export const visible = (text) => String(text).replace(/\r(?=\n|$)/g, "").replace(hidden, (c) => `<U+${(c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`);

/**
 * part is an element that index.html has.
 * @param {string} id
 */
export function part(id) {
  const e = document.getElementById(id);
  if (!e) throw new Error(`the page has no ${id}`);
  return e;
}

/**
 * box is one of its dialogs.
 * @param {"palette" | "help"} id
 */
export const box = (id) => /** @type {HTMLDialogElement} */ (part(id));

/**
 * el makes an element: its attributes, listeners (functions) and children.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} attrs
 * @param {...unknown} children nodes, texts, lists of them; what is null, undefined or false is left out
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attrs = {}, ...children) {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(attrs)) {
    if (v === undefined || v === null || v === false) continue;
    if (typeof v === "function") e.addEventListener(k, /** @type {EventListener} */ (v));
    else e.setAttribute(k, v === true ? "" : k === "value" || k === "href" ? String(v) : visible(v));
  }
  e.append(.../** @type {unknown[]} */ (children.flat(Infinity)).filter((c) => c !== null && c !== undefined && c !== false).map((c) => (c instanceof Node ? c : visible(c))));
  return e;
}

/**
 * button does something when it is pressed.
 * @param {unknown} label
 * @param {(e: any) => unknown} click
 * @param {Record<string, unknown>} [attrs]
 */
export const button = (label, click, attrs) => el("button", { type: "button", click, ...attrs }, label);

/** quiet is a text beside another. */
export const quiet = (/** @type {unknown[]} */ ...children) => el("span", { class: "quiet" }, children);

/**
 * hash is the address of a view; parameters without a value are left out.
 * @param {string} view
 * @param {Record<string, unknown>} [params]
 */
export function hash(view, params = {}) {
  const query = new URLSearchParams(/** @type {[string, string][]} */ (Object.entries(params).filter(([, v]) => v)));
  return `#/${view}${query.size ? `?${query}` : ""}`;
}

/**
 * card is a box with a title line.
 * @param {unknown} title
 * @param {...unknown} body
 */
export function card(title, ...body) {
  return el("section", { class: "card" }, el("h2", {}, title), ...body);
}

/**
 * table shows rows; its heads sort.
 * @template R
 * @param {[title: string, of: (row: R) => unknown][]} columns
 * @param {R[]} rows
 * @param {string} [caption]
 */
export function table(columns, rows, caption) {
  let by = -1;
  let down = false;
  const body = el("tbody");
  const draw = () => {
    const shown = rows.map((r) => columns.map(([, f]) => f(r)));
    if (by >= 0) {
      const key = (/** @type {unknown} */ v) => (v instanceof Node ? v.textContent : v ?? "");
      shown.sort((a, b) => {
        const [x, y] = [key(a[by]), key(b[by])];
        const n = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
        return down ? -n : n;
      });
    }
    body.replaceChildren(...shown.map((cells) => el("tr", {}, cells.map((c, i) => el("td", { "data-head": columns[i][0] }, c)))));
  };
  const heads = columns.map(([title], i) => !title ? el("td") :
    el("th", { scope: "col" }, button(title, () => { down = by === i && !down; by = i; draw(); })));
  draw();
  return el("div", { class: "scroll" }, el("table", { class: "rows" }, caption && el("caption", { class: "quiet" }, caption), el("thead", {}, el("tr", {}, heads)), body));
}

/**
 * bars shows numbers that add up to a score.
 * @param {{signal: string, adds: number}[]} signals
 */
export function bars(signals) {
  const most = Math.max(...signals.map((s) => Math.abs(s.adds)), 1e-9);
  return el("table", { class: "bars" }, el("tbody", {}, signals.map((s) => {
    const bar = el("span");
    bar.style.width = `${Math.round((Math.abs(s.adds) / most) * 160)}px`;
    return el("tr", {}, el("td", {}, s.signal), el("td", {}, s.adds.toFixed(2)), el("td", {}, bar));
  })));
}

/** skeleton stands where an answer will be. */
export const skeleton = () => el("div", { class: "skeleton", role: "status", "aria-label": "Loading" }, el("span"), el("span"), el("span"));

/**
 * plural is a count with its noun.
 * @param {number} n
 * @param {string} one
 * @param {string} [more]
 */
export const plural = (n, one, more = one + "s") => `${number(n)} ${n === 1 ? one : more}`;

export const number = (/** @type {number} */ n) => n.toLocaleString("en");
