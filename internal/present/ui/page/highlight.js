// Colours for code. A text is read as a whole, so that a comment or a string over several lines is one.

import { el, visible } from "./dom.js";

const keywords = new Set(("abstract and as async await break case catch class const continue crate def default defer del do elif else elsif end enum except export extends extern false final finally fn for foreach from func function go goto if impl implements import in instanceof interface internal is lambda let local loop match mod module move mut namespace new nil none not null object of open or override package pass private protected protocol pub public raise readonly return self sealed select static struct super switch template then this throw throws trait true try type typedef typename typeof union unless unsafe until use using val var virtual void volatile when where while with yield None True False".split(" ")));

// How the languages of a family write comments and strings, as parts of a regular expression. A character in single quotes is short:
// elsewhere in these languages a single quote means something else.
const slashes = String.raw`\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*`;
const hash = String.raw`(?<![^\s;(,[{])#[^\n]*`;
const double = String.raw`"(?:[^"\\\n]|\\.)*"?`;
const single = String.raw`'(?:[^'\\\n]|\\.)*'?`;
const character = String.raw`'(?:[^'\\\n]|\\[^\n']{1,9}|\\')'`;
const ticks = "`(?:[^`\\\\]|\\\\[^])*`?";
const triple = String.raw`"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)`;

const families = {
  c: { languages: "c cpp objc java kotlin scala csharp swift zig dart groovy protobuf rust", comment: slashes, string: `"""[^]*?(?:"""|$)|${double}|${character}` },
  go: { languages: "go gomod", comment: slashes, string: "`[^`]*`?|" + `${double}|${character}` },
  ecma: { languages: "javascript typescript tsx jsx vue svelte graphql", comment: slashes, string: `${double}|${single}|${ticks}` },
  php: { languages: "php hcl", comment: `${slashes}|${hash}`, string: `${double}|${single}` },
  hash: { languages: "python ruby bash shell yaml toml make dockerfile elixir r perl nix cmake ini powershell", comment: hash, string: `${triple}|${double}|${single}` },
  dash: { languages: "sql haskell lua", comment: String.raw`--\[\[[^]*?(?:\]\]|$)|\{-[^]*?(?:-\}|$)|--[^\n]*`, string: `${double}|${character}` },
  markup: { languages: "xml html", comment: "<!--[^]*?(?:-->|$)", string: `${double}|${single}` },
  style: { languages: "css scss less", comment: slashes, string: `${double}|${single}` },
  data: { languages: "json csv", comment: "(?!)", string: double },
};
const byLanguage = new Map(Object.entries(families).flatMap(([name, f]) => f.languages.split(" ").map((l) => [l, name])));
// Names that people write behind the fence of a code block.
const aliases = { js: "javascript", mjs: "javascript", ts: "typescript", py: "python", rb: "ruby", sh: "bash", console: "bash", shell: "bash", zsh: "bash", yml: "yaml", rs: "rust", kt: "kotlin", cs: "csharp", "c++": "cpp", h: "c", hs: "haskell", ex: "elixir", jsonc: "javascript", tf: "hcl" };
const patterns = new Map();

/** @param {string} language */
function patternOf(language) {
  const name = byLanguage.get(aliases[language] ?? language);
  if (!name) return null;
  if (!patterns.has(name)) {
    const { comment, string } = families[name];
    patterns.set(name, new RegExp(`(${comment})|(${string})|(\\b\\d[\\d_.xXa-fA-F]*\\b)|([\\p{L}_$][\\p{L}\\p{N}_$]*)`, "gu"));
  }
  return patterns.get(name);
}

/**
 * commentHead returns how many characters of a snippet belong to a block comment that began before it.
 * @param {string} text
 */
function commentHead(text) {
  const end = text.indexOf("*/");
  const begin = text.indexOf("/*");
  return end >= 0 && (begin < 0 || begin > end) && /^\s*\*/m.test(text.slice(0, end + 1)) ? end + 2 : 0;
}

const common = new Set("and are can does for from has have how into not that the this was what when where which why with you".split(" "));
/** wordsOf returns the words of a query that are worth a mark. */
export const wordsOf = (/** @type {string} */ query) => [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? [])].filter((w) => !common.has(w));

/**
 * lines returns the nodes of each line of a text.
 * @param {string} text
 * @param {string} language
 * @param {{query?: string, whole?: boolean, names?: boolean, rows?: number[]}} [how] query: its words are marked, also as parts of others; whole: it is one name, which is marked where it stands alone; names: each name is an element of its own; rows: only lines from the first to before the second get nodes
 * @returns {Node[][]}
 */
export function lines(text, language, { query = "", whole = false, names = false, rows = [0, Infinity] } = {}) {
  const shown = visible(text);
  const marks = whole ? [query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")] : wordsOf(query);
  const marked = query && marks.length ? new RegExp(whole ? `(?<![\\p{L}\\p{N}_])(${marks})(?![\\p{L}\\p{N}_])` : `(${marks.join("|")})`, "giu") : null;
  /** @type {Node[][]} */
  const out = [[]];
  const put = (part, kind) => part.split("\n").forEach((piece, i) => {
    if (i > 0) out.push([]);
    if (out.length <= rows[0] || out.length > rows[1]) return;
    // A split by a group has what the group found at each second place.
    (marked && piece.length > 2 ? piece.split(marked) : [piece]).forEach((bit, k) => { if (bit) out[out.length - 1].push(k % 2 ? el("mark", {}, bit) : kind ? el("span", { class: kind }, bit) : document.createTextNode(bit)); });
  });
  const pattern = patternOf(language);
  let at = commentHead(shown);
  if (pattern && at) put(shown.slice(0, at), "co");
  else at = 0;
  for (const m of shown.matchAll(pattern ?? /((?!))|((?!))|((?!))|([\p{L}_][\p{L}\p{N}_]*)/gu)) {
    if (m.index < at) continue;
    put(shown.slice(at, m.index), "");
    at = m.index + m[0].length;
    if (m[1] !== undefined) put(m[0], "co");
    else if (m[2] !== undefined) put(m[0], "st");
    else if (m[3] !== undefined) put(m[0], "nu");
    else if (pattern && keywords.has(m[0])) put(m[0], "kw");
    else put(m[0], names && pattern ? "id" : "");
  }
  put(shown.slice(at), "");
  return out;
}

/**
 * code shows a snippet with its line numbers, words of the language, strings and comments marked.
 * @param {string} text
 * @param {string} language
 * @param {number} [first] the number of its first line; none: no numbers
 * @param {string} [query] whose words are marked
 */
export function code(text, language, first, query) {
  const pre = el("pre", { tabindex: "0" });
  lines(text.replace(/\n$/, ""), language, { query }).forEach((nodes, i) => {
    if (i > 0) pre.append("\n");
    if (first) pre.append(el("span", { class: "n", "aria-hidden": "true" }, first + i));
    pre.append(...nodes);
  });
  return pre;
}
