import { asking } from "./asking.js";
import { button, el } from "./dom.js";
import { symbolCards } from "./symbol.js";

/** structure answers about one symbol. */
export function structure(main, params, page) {
  const field = el("input", { type: "search", "aria-label": "Symbol", placeholder: "Name, Scope.Name or path/to/file:Name", value: params.get("s") || "" });
  const asked = asking(main, page, [field, el("button", { class: "main" }, "Show"), button("On the map", () => page.go("map", { s: field.value.trim() }))], async (signal) => {
    const s = field.value.trim();
    page.go("structure", { s }, true);
    return s ? symbolCards(s, page, signal) : el("p", { class: "quiet" }, "Type a name to see where it is declared, what calls it, where it is used and what implements it. Ctrl+K finds names by a few letters.");
  });
  asked.go();
  field.focus();
  return asked;
}
