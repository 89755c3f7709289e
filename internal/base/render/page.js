"use strict";
const all = (s, of) => [...(of || document).querySelectorAll(s)];
for (const th of all("th")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = th.textContent;
  th.replaceChildren(button);
  button.onclick = () => {
    const up = th.getAttribute("aria-sort") !== "ascending", at = th.cellIndex;
    for (const other of th.parentNode.cells) other.removeAttribute("aria-sort");
    th.setAttribute("aria-sort", up ? "ascending" : "descending");
    const body = th.closest("table").tBodies[0];
    const by = new Intl.Collator("en", {numeric: true});
    body.append(...[...body.rows].sort((a, b) => (up ? 1 : -1) * by.compare(a.cells[at].textContent, b.cells[at].textContent)));
  };
}
const field = document.getElementById("filter"), count = document.getElementById("count");
const rows = all("tbody tr").map(row => ({row, text: (row.textContent + " " + (row.closest("details")?.querySelector("summary").textContent ?? "")).toLowerCase()}));
const opened = new Set();
field.disabled = false;
field.oninput = () => {
  const want = field.value.trim().toLowerCase();
  let n = 0;
  for (const {row, text} of rows) n += !(row.hidden = !text.includes(want));
  for (const d of all("details")) {
    d.hidden = want !== "" && !d.querySelector("tbody tr:not([hidden])");
    if (want && !d.hidden && !d.open) { d.open = true; opened.add(d); }
    if (!want && opened.delete(d)) d.open = false;
  }
  count.value = want ? n + " of " + rows.length + " rows" : "";
};
const svg = document.querySelector("svg");
for (const box of all(".box")) {
  const show = on => () => {
    svg.classList.toggle("some", on);
    for (const e of all(".edge", svg)) e.classList.toggle("on", on && (e.dataset.from === box.dataset.box || e.dataset.to === box.dataset.box));
  };
  box.onpointerenter = box.onfocus = show(true);
  box.onpointerleave = box.onblur = show(false);
}
let shut = [];
addEventListener("beforeprint", () => { shut = all("details:not([open])"); for (const d of shut) d.open = true; });
addEventListener("afterprint", () => { for (const d of shut) d.open = false; });
