// Markdown as elements. Raw HTML is never read as HTML: a few harmless tags are understood, the text of others is shown, and nothing
// is loaded. A link leads to a file of the project, to a web page that the reader opens, or nowhere.

import { button, el, hash, visible } from "./dom.js";
import { code } from "./highlight.js";
import { parent, resolve } from "./project.js";

const [deepest, longest] = [12, 4000]; // levels of quotes, lists and emphasis; characters in which marks are sought

/**
 * @typedef {object} Where
 * @property {string} file the document, relative to the project; "" if it is none of its files
 * @property {import("./project.js").Project | null} project its files, to check links with; null: links are not checked
 * @property {Map<string, string>} [references] the targets of [text][name]
 * @property {(name: string) => void} [open] opens a note that a [[link]] names
 */

/**
 * markdown shows a document.
 * @param {string} text
 * @param {Where} where
 */
export function markdown(text, where) {
  const references = new Map();
  const source = visible(text).replace(/^---\n([^]*?)\n(?:---|\.\.\.)(?:\n|$)/, "");
  const head = visible(text).slice(0, visible(text).length - source.length);
  const body = source.replace(/^ {0,3}\[([^\]\n]{1,200})\]:[ \t]*<?([^\s>]+)>?[^\n]*$/gm, (_, name, to) => { references.set(name.toLowerCase(), to); return ""; });
  const properties = head && el("details", { class: "quiet" }, el("summary", {}, "properties"), el("pre", { tabindex: "0" }, head.replace(/^---\n|---\n?$/g, "").trim()));
  return el("div", { class: "markdown" }, properties, blocks(body.split("\n"), { ...where, references }, 0));
}

const fence = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]*)/;
const bullet = /^( *)([-*+]|\d{1,9}[.)])( +|$)/;
const rule = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;
const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$/;
const delimiters = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;

/** slug is the name of a heading in links. */
export const slug = (/** @type {string} */ title) => title.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").trim().replace(/\s/g, "-");

/** A reader goes through lines. */
class Reader {
  /** @param {string[]} lines */
  constructor(lines) { this.lines = lines; this.at = 0; }
  get line() { return this.lines[this.at]; }
  get more() { return this.at < this.lines.length; }
  /** take returns the lines while a test holds, and goes behind them. */
  take(/** @type {(line: string) => boolean} */ test) {
    const from = this.at;
    while (this.more && test(this.line)) this.at++;
    return this.lines.slice(from, this.at);
  }
}

const quoted = /^ {0,3}>/;
const comment = /^ {0,3}<!--/;
const begins = (/** @type {string} */ line) => [fence, heading, rule, quoted, bullet, comment].some((p) => p.test(line));

/**
 * blocks reads lines as paragraphs, lists, tables and so on.
 * @param {string[]} lines
 * @param {Where} where
 * @param {number} depth
 * @returns {Node[]}
 */
function blocks(lines, where, depth) {
  if (depth > deepest) return [el("p", {}, lines.join("\n"))];
  const r = new Reader(lines);
  const out = [];
  while (r.more) {
    const title = r.line.match(heading);
    if (!r.line.trim()) r.at++;
    else if (fence.test(r.line)) out.push(fenced(r));
    else if (title) { r.at++; out.push(headline(title[1].length, title[2] ?? "", where)); }
    else if (rule.test(r.line)) { r.at++; out.push(el("hr")); }
    else if (comment.test(r.line)) { r.take((l) => !l.includes("-->")); r.at++; }
    else if (quoted.test(r.line)) out.push(el("blockquote", {}, blocks(r.take((l) => quoted.test(l)).map((l) => l.replace(/^ {0,3}> ?/, "")), where, depth + 1)));
    else if (bullet.test(r.line)) out.push(list(r, where, depth));
    else if (r.line.includes("|") && delimiters.test(r.lines[r.at + 1] ?? "")) out.push(grid(r.take((l) => l.includes("|")), where));
    else if (/^ {4}/.test(r.line)) out.push(code(r.take((l) => /^ {4}/.test(l) || !l.trim()).map((l) => l.slice(4)).join("\n").trimEnd(), ""));
    else out.push(paragraph(r, where));
  }
  return out;
}

function fenced(r) {
  const [, mark, language] = r.line.match(fence);
  const end = new RegExp(`^ {0,3}${mark[0]}{${mark.length},}[ \\t]*$`);
  r.at++;
  const inside = r.take((l) => !end.test(l));
  r.at++;
  return code(inside.join("\n"), language.toLowerCase());
}

function paragraph(r, where) {
  const text = [r.line];
  for (r.at++; r.more && r.line.trim(); r.at++) {
    const under = r.line.match(/^ {0,3}(=+|-+)[ \t]*$/);
    if (under) { r.at++; return headline(under[1][0] === "=" ? 1 : 2, text.join(" "), where); }
    if (begins(r.line)) break;
    text.push(r.line);
  }
  return el("p", {}, inline(text.join("\n"), where, 0));
}

/** headline is a heading; the page has one of the first level already. */
function headline(level, text, where) {
  const out = el(/** @type {"h2"} */ (`h${Math.min(level + 1, 6)}`), {}, inline(text, where, 0));
  out.dataset.anchor = slug(out.textContent);
  return out;
}

/** list reads one list: to an item belong the lines that are indented as its text is, and those that go on with its paragraph. */
function list(r, where, depth) {
  const mark = r.line.match(bullet);
  const kind = /\d/.test(mark[2]) ? "ol" : "ul";
  const items = [];
  while (r.more) {
    const next = r.line.match(bullet);
    if (!next || next[1].length > mark[1].length + 3 || /\d/.test(next[2]) !== (kind === "ol") || rule.test(r.line)) break;
    const wide = next[0].length + (next[3] ? 0 : 1);
    const item = [r.line.slice(next[0].length)];
    for (r.at++; r.more; r.at++) {
      const indent = r.line.search(/\S/);
      if (indent >= wide || indent < 0 && (r.lines[r.at + 1] ?? "").search(/\S/) >= wide) item.push(r.line.slice(wide));
      else if (indent < 0 || !item[item.length - 1] || begins(r.line)) break;
      else item.push(r.line.trim());
    }
    items.push(item);
    if (r.more && !r.line.trim() && bullet.test(r.lines[r.at + 1] ?? "")) r.at++;
  }
  const start = parseInt(mark[2], 10);
  return el(kind, kind === "ol" && start !== 1 ? { start } : {}, items.map((item) => {
    const task = item[0].match(/^\[([ xX])\] +/);
    const inside = blocks(task ? [item[0].slice(task[0].length), ...item.slice(1)] : item, where, depth + 1);
    const flat = inside[0] instanceof HTMLParagraphElement ? [...inside[0].childNodes, ...inside.slice(1)] : inside;
    return el("li", {}, task && el("input", { type: "checkbox", disabled: true, checked: task[1] !== " ", "aria-label": "done" }), flat);
  }));
}

/** cells cuts a row of a table. A bar after a backslash or in code does not end a cell. */
function cells(/** @type {string} */ row) {
  const out = [""];
  for (const [part, bar] of row.trim().replace(/^\||\|$/g, "").matchAll(/`[^`]*`|\\[^]|(\|)|[^|`\\]+|[`\\]/g)) {
    if (bar) out.push("");
    else out[out.length - 1] += part === "\\|" ? "|" : part;
  }
  return out.map((c) => c.trim());
}

/**
 * grid is a table.
 * @param {string[]} lines
 * @param {Where} where
 */
function grid(lines, where) {
  const [head, , ...rows] = lines;
  const heads = cells(head);
  return el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, heads.map((c) => el("th", { scope: "col" }, inline(c, where, 0))))),
    el("tbody", {}, rows.map((row) => el("tr", {}, cells(row).slice(0, heads.length).map((c) => el("td", {}, inline(c, where, 0))))))));
}

const entities = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", copy: "©", mdash: "—", ndash: "–", hellip: "…" };
const htmlNames = new Set("a abbr b big blockquote br center cite code dd del details div dl dt em font h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p picture pre q s samp small source span strike strong sub summary sup table tbody td th thead tr tt u ul var".split(" "));

// The marks of a paragraph, in the order in which they are tried.
const marks = new RegExp([
  String.raw`\\([!-/:-@[-\x60{-~])`, // 1 a character as it is
  "(?<!`)(`+)(?!`)([^]+?)(?<!`)\\2(?!`)", // 2, 3 code
  String.raw`!\[([^\]]*)\]\(\s*<?([^\s<>()]*(?:\([^\s()]*\)[^\s<>()]*)*)>?(?:\s+["'][^"'\n]*["'])?\s*\)`, // 4, 5 a picture
  String.raw`\[\[([^\][\n|]{1,200})(?:\|[^\]\n]*)?\]\]`, // 6 a note
  String.raw`\[((?:[^\][]|\[[^\][]*\](?:\([^()]*\))?){0,500})\]\(\s*<?([^\s<>()]*(?:\([^\s()]*\)[^\s<>()]*)*)>?(?:\s+["'][^"'\n]*["'])?\s*\)`, // 7, 8 a link
  String.raw`\[([^\][\n]{1,200})\](?:\[([^\][\n]{0,200})\])?`, // 9, 10 a link by a name
  String.raw`<?(https?:[^\s<>"'\x60]+[^\s<>"'\x60.,;:!?)\]*_])>?`, // 11 an address
  String.raw`(\*\*|__)(?=\S)([^]+?)(?<=\S)\12`, // 12, 13 strong
  String.raw`(?<![\p{L}\p{N}])_(?=[^\s_])([^_]+?)(?<=\S)_(?![\p{L}\p{N}])|\*(?=[^\s*])([^*]+?)(?<=\S)\*`, // 14, 15 emphasis
  String.raw`~~([^~]+)~~`, // 16 struck out
  String.raw`<!--[^]*?-->|<\/?([A-Za-z][A-Za-z0-9]*)((?:\s+[\w:-]+(?:\s*=\s*(?:"[^"<]*"|'[^'<]*'|[^\s"'<>]+))?)*)\s*\/?>`, // 17, 18 a tag
  String.raw`&(?:#(\d{1,7})|([a-z]{2,8}));`, // 19, 20 an entity
  String.raw`( {2,}|\\)\n`, // 21 a line break
].join("|"), "gu");

/**
 * inline reads the marks of a paragraph.
 * @param {string} text
 * @param {Where} where
 * @param {number} depth
 * @returns {Node[]}
 */
function inline(text, where, depth) {
  if (depth > deepest) return [document.createTextNode(text)];
  // Marks are sought in a part at a time, because that takes the square of its length. A part ends behind a tag or a word.
  if (text.length > longest) return (text.match(new RegExp(`[^]{1,${longest - 1}}(?:>|\\s|$)|[^]{1,${longest}}`, "g")) ?? []).flatMap((part) => inline(part, where, depth));
  const out = [];
  let at = 0;
  const within = (part) => inline(part, where, depth + 1);
  for (let from = 0; ;) {
    marks.lastIndex = from; // what is within a mark uses it too
    const m = marks.exec(text);
    if (!m) break;
    const node = markOf(m, where, within);
    from = node === null ? m.index + 1 : m.index + m[0].length; // null: it is text after all
    if (node === null) continue;
    out.push(document.createTextNode(text.slice(at, m.index)), ...[node].flat());
    at = from;
  }
  out.push(document.createTextNode(text.slice(at)));
  return out;
}

/** markOf is what one match of marks shows, or null where it is no mark. */
function markOf(m, where, within) {
  const text = (/** @type {string} */ s) => document.createTextNode(visible(s));
  if (m[1]) return text(m[1]);
  if (m[3] !== undefined) return el("code", {}, m[3].replace(/\n/g, " ").replace(/^ (.+) $/, "$1"));
  if (m[5] !== undefined) return link(m[5], [el("span", { class: "picture" }, m[4] || "picture")], where);
  if (m[6] !== undefined) return where.open ? button(m[6], () => where.open?.(m[6]), { class: "plain" }) : null;
  if (m[8] !== undefined) return link(m[8], within(m[7]), where);
  if (m[9] !== undefined) {
    if (/^!(note|tip|important|warning|caution)$/i.test(m[9])) return el("strong", {}, m[9].slice(1).toLowerCase(), ":");
    const to = where.references?.get((m[10] || m[9]).toLowerCase());
    return to === undefined ? null : link(to, within(m[9]), where);
  }
  if (m[11]) return link(m[11], [text(m[11])], where);
  if (m[13] !== undefined) return el("strong", {}, within(m[13]));
  if (m[14] ?? m[15]) return el("em", {}, within(m[14] ?? m[15]));
  if (m[16]) return el("del", {}, within(m[16]));
  if (m[17] !== undefined) return tag(m[0], m[17].toLowerCase(), m[18]);
  if (m[0].startsWith("<!--")) return [];
  if (m[19] || m[20]) return m[20] ? (entities[m[20]] ? text(entities[m[20]]) : null) : Number(m[19]) < 0x110000 && Number(m[19]) ? text(String.fromCodePoint(Number(m[19]))) : null;
  return m[21] !== undefined ? el("br") : null;
}

/** tag is what a tag of HTML leaves behind: a line break, the text of a picture, or nothing; one that nobody writes in a document is text. */
function tag(whole, name, attributes) {
  if (!htmlNames.has(name) || /\bon\w+\s*=/i.test(attributes)) return null;
  if (name === "br") return el("br");
  if (name === "img") return el("span", { class: "picture" }, attributes.match(/\balt\s*=\s*(?:"([^"]*)"|'([^']*)')/i)?.slice(1).find(Boolean) || "picture");
  return [];
}

/**
 * link leads to a heading, to a file of the project or to a web page. Other addresses are not followed, and are said in the title.
 * @param {string} to
 * @param {Node[]} children
 * @param {Where} where
 */
function link(to, children, where) {
  const nowhere = (why) => el("span", { class: "nowhere", title: `${why}: ${to}` }, children);
  if (/^(https?|mailto):/i.test(to)) return el("a", { href: to, target: "_blank", rel: "noopener noreferrer nofollow", title: to }, children);
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|^[\\]/i.test(to)) return nowhere("this address is not opened");
  let path = to;
  try { path = decodeURIComponent(to); } catch { /* it is meant as it is written */ }
  const [, name, anchor] = path.match(/^([^#?]*)(?:\?[^#]*)?(?:#(.*))?$/) ?? [null, path, ""];
  if (!where.file) return name ? nowhere("the place of this document is not known") : el("span", {}, children);
  const file = name ? resolve(parent(where.file), name) : where.file;
  if (file === null) return nowhere("it leads out of the project");
  if (where.project && !where.project.languages.has(file) && !where.project.folders.has(file)) return nowhere("the project has no such file");
  const line = anchor?.match(/^L(\d+)/)?.[1];
  return el("a", { href: hash("files", { p: file, ...(line ? { l: line } : anchor ? { a: anchor } : {}) }) }, children);
}
