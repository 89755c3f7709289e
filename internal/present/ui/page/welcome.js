import { run } from "./api.js";
import { card, el } from "./dom.js";

/** best returns the names of the declarations of a map that rank first, each once. */
const best = (map, n) => [...new Set((map?.files ?? []).flatMap((f) => f.symbols).sort((a, b) => b.rank - a.rank).map((s) => s.name))].slice(0, n);

const number = (n) => n.toLocaleString("en");

/**
 * welcome is what stands where nothing was asked yet: what the project holds, and questions
 * that it can answer. An index that is not there is not made for it.
 */
export async function welcome(signal) {
  const status = await run("status", {}, { signal });
  if (!status.documents) return [card("This project", el("div", { class: "in" }, "There is no index yet: the first question makes it."))];
  // A map is nice to have: without one there are no examples with names.
  const map = await run("map", { tokens: 300, no_refresh: true }, { signal }).catch((e) => { if (e.name === "AbortError") throw e; });
  const [first, second = first] = best(map, 2);
  const languages = Object.entries(status.languages).filter(([name]) => name).sort((a, b) => b[1] - a[1]).slice(0, 6).map(([name, n]) => `${name} ${number(n)}`);
  const ask = (href, question, what) => el("li", {}, el("a", { href }, question), ` ${what}`);
  const search = (q) => `#/search?q=${encodeURIComponent(q)}`;
  return [
    card("This project", el("div", { class: "in" }, `${number(status.documents)} files, ${number(status.lines)} lines: ${languages.join(", ")}`)),
    card("What can be asked", el("ul", {},
      first && ask(search(first), first, "finds a declaration by its name"),
      first && ask(search(`where is ${first} used and why`), `where is ${first} used and why`, "finds what answers a question, by words and by meaning"),
      second && ask(`#/structure?s=${encodeURIComponent(second)}`, `structure of ${second}`, "shows what declares, calls and uses it"),
      ask("#/map", "the map", "draws what imports what"),
      ask("#/truth", "the documents", "are compared with the code: what they claim and no code has"))),
  ];
}
