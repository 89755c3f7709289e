// One symbol: where it is declared, what calls it, what it calls, where it is used and what implements it.

import { run } from "./api.js";
import { button, card, el, plural, quiet } from "./dom.js";
import { lines } from "./highlight.js";
import { isTest, project } from "./project.js";

const few = 12; // places of one list, until more are asked for

/** @typedef {{file: string, line: number, text?: string, signature?: string, function?: string, name?: string, kind?: string, confidence?: string}} Place */

/** some draws the first of a list, and all of it on demand. */
function some(all, draw) {
  const out = el("div", {}, draw(all.slice(0, few)));
  if (all.length > few) out.append(button(`${all.length - few} more`, () => out.replaceChildren(...draw(all)), { class: "more" }));
  return out;
}

/**
 * places lists places by file: the line of code of each, and the declaration that it is in.
 * @param {Place[]} all
 * @param {import("./project.js").Project} files
 * @param {import("../page").Page} page
 * @param {string} [name] which is marked
 */
export function places(all, files, page, name = "") {
  return some(all, (shown) => [...Map.groupBy(shown, (/** @type {Place} */ x) => x.file)].map(([file, list]) => el("div", { class: "places" }, el("div", { class: "path" }, page.where(file)),
      list.map((x) => el("a", { class: "place", title: x.function, href: page.address(file, x.line) }, el("span", { class: "n" }, x.line),
        el("code", {}, lines((x.text || x.signature || x.name || "").replace(/\s+/g, " "), files.languages.get(file) ?? "", { query: name, whole: true })[0]),
        x.function && x.function !== "(top level)" && quiet(x.function), x.confidence && x.confidence !== "exact" && quiet(x.confidence))))));
}

/**
 * reach shows the files that a change of a symbol may break, those that use it first.
 * @param {any} value
 * @param {import("../page").Page} page
 */
const reach = ({ impact, tests }, page) => card(["A change may break", quiet(plural(impact.length, "file")), tests ? quiet(plural(tests, "test")) : ""], el("div", { class: "in" }, some(impact, (shown) => shown.map((x) =>
  el("div", {}, page.where(x.file), quiet(" ", x.functions.filter((f) => f !== "(top level)").slice(0, 3).join(", "), x.depth > 1 && `, ${x.depth} steps away`))))));

/** codeFirst puts code before tests, and keeps the order otherwise. */
const codeFirst = (/** @type {Place[]} */ all) => all.toSorted((a, b) => Number(isTest(a.file)) - Number(isTest(b.file)));

const questions = /** @type {const} */ ([["def", "Declared", "name", "symbols"], ["callers", "Called by", "function", "callers"], ["refs", "Used", "symbol", "references"], ["callees", "Calls", "function", "callees"]]);
const noTypes = ["function", "method", "test", "variable", "constant", "field", "macro", "module"];

/**
 * rowsOf returns the places of an answer.
 * @param {string} op
 * @param {any} value
 * @param {string} field
 * @returns {Place[]}
 */
function rowsOf(op, value, field) {
  const rows = value?.[field] ?? [];
  // A call is listed by what is called, and a use that is a call is among the callers.
  if (op === "callees") return rows.filter((/** @type {any} */ x) => x.callee_file).map((/** @type {any} */ x) => ({ ...x, file: x.callee_file, line: x.callee_line, text: x.function, function: "" }));
  return op === "def" ? rows.map((/** @type {Place} */ x) => ({ ...x, function: x.kind })) : codeFirst(rows);
}

/**
 * symbolCards asks about a symbol: Name, Scope.Name, path/to/file:Name or FILE:LINE:COLUMN.
 * @param {string} symbol
 * @param {import("../page").Page} page
 * @param {AbortSignal} [signal]
 */
export async function symbolCards(symbol, page, signal) {
  const ask = (op, argument) => run(op, { [argument]: symbol, limit: 200 }, { signal }).then((value) => ({ value, reason: null }), (reason) => ({ value: null, reason }));
  const [files, ...all] = await Promise.all([project(), ...questions.map(([op, , argument]) => ask(op, argument))]);
  if (all.every((r) => r.reason)) throw all[0].reason;
  const name = all[0].value?.symbols?.[0]?.name ?? symbol.replace(/.*[.:/]/, "");
  const cards = all.map(({ value }, i) => {
    const [op, title, , field] = questions[i];
    let rows = rowsOf(op, value, field);
    const isCalled = op === "refs" && all[1].value?.callers?.length > 0;
    if (isCalled) rows = rows.filter((x) => x.kind !== "call");
    if (!rows.length) return null;
    const total = isCalled ? rows.length : Math.max(value.summary?.total ?? 0, rows.length);
    return card([isCalled ? "Used otherwise" : title, quiet(String(total)), value.notes?.[0] && value.notes[0] !== all[i - 1]?.value?.notes?.[0] && quiet(value.notes[0])], places(rows, files, page, op === "def" || op === "callees" ? "" : name));
  });
  if (all[0].value?.symbols?.some((/** @type {Place} */ x) => !noTypes.includes(x.kind ?? ""))) {
    const { value } = await ask("implementers", "type");
    if (value?.symbols?.length) cards.push(card(["Implemented or extended by", quiet(String(value.symbols.length))], places(value.symbols, files, page)));
  }
  const shown = cards.filter((c) => c !== null);
  if (shown.length) {
    // It comes later: what a change reaches takes the longest to find.
    const later = el("div", {});
    ask("impact", "target").then(({ value }) => value?.impact?.length && later.append(reach(value, page)));
    shown.push(later);
  }
  return shown;
}
