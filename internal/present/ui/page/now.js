import { report, run } from "./api.js";
import { button, card, el, number, plural, quiet, table } from "./dom.js";
import { ago } from "./time.js";

const every = 2000; // milliseconds between looks at the calls

const sum = (calls, of) => calls.reduce((n, c) => n + c[of], 0);

/** spent says what answers to agents cost, and what reading the files that they name would have. */
export function spent(calls) {
  const named = calls.filter((c) => c.whole);
  const [read, whole] = [sum(named, "tokens"), sum(named, "whole")];
  return el("p", { class: "in" }, `${plural(calls.length, "call")}, ${number(sum(calls, "tokens"))} tokens answered.`,
    whole > read ? ` ${named.length} of them named files: ${number(read)} tokens in place of ${number(whole)} for those files read whole, ${Math.round(100 * (1 - read / whole))} % less (both are estimates).` : "");
}

/** feed shows what agents asked lately. */
function feed(calls, page) {
  if (!calls.length) return card("Calls of agents", el("div", { class: "in" }, "No server has answered a call lately. Agents are connected by assay setup; serve.calls: off keeps no record."));
  return card("Calls of agents", spent(calls), table([
    ["when", (c) => ago(c.time)], ["server", (c) => (c.running ? el("span", { class: "good" }, "runs") : "ended")], ["agent", (c) => c.client || ""], ["tool", (c) => el("code", { class: "line" }, c.tool)],
    ["question", (c) => c.query || ""], ["hits", (c) => (c.failed ? el("span", { class: "bad" }, "error") : c.hits)], ["tokens", (c) => c.tokens], ["files whole", (c) => c.whole || ""], ["ms", (c) => c.ms],
    ["project", (c) => (c.root === page.root ? "this" : c.root || "")],
  ], calls.slice(0, 100), calls.length > 100 ? "the last 100" : ""));
}

/** doctor shows the findings, with a button for each repair that the page may run. */
function doctor(said, page, again, fail) {
  const mark = { ok: "✓", absent: "○", wrong: "✗" };
  const fix = (f) => {
    if (!f.fix) return "";
    const said = quiet(f.fix);
    if (!page.operations.some((o) => o.name === f.repair?.operation)) return said;
    return el("span", { class: "row" }, said, button("Run", async () => {
      if (!confirm(`Run ${f.repair.operation}?`)) return;
      try { await run(f.repair.operation, f.repair.arguments, { confirm: true }); again(); } catch (e) { fail(e); }
    }, { "aria-label": `Run ${f.repair.operation}` }));
  };
  return card(`Doctor: ${said.wrong ? plural(said.wrong, "problem") : "nothing is wrong"}`, table([
    ["", (f) => el("span", { class: f.state === "wrong" ? "bad" : f.state === "ok" ? "good" : "quiet" }, mark[f.state] || f.state)], ["part", (f) => f.part], ["what it says", (f) => f.says], ["what to do", fix],
  ], said.findings));
}

export function now(main, params, page) {
  const [live, out, health] = [el("div"), el("div"), el("div")];
  let timer = 0;
  let shown = "";
  const look = async () => {
    try {
      const calls = (await report("calls")) || [];
      const key = JSON.stringify([calls.length, calls[0]?.time, calls.filter((c) => c.running).length]);
      // A table that somebody reads stays until there is something else to say.
      if (key !== shown) live.replaceChildren(feed(calls, page));
      shown = key;
    } catch (e) { live.replaceChildren(page.fail(e)); }
    if (timer >= 0) timer = setTimeout(look, every);
  };
  const show = async () => {
    try {
      const s = await run("status", {});
      const rows = [["state", s.state], ["files", s.files], ["chunks", s.chunks], ["lines", s.lines], ["changed since", s.changed], ["index", `${((s.index_bytes || 0) / 1e6).toFixed(1)} MB`], ["sources", `${((s.source_bytes || 0) / 1e6).toFixed(1)} MB`], ["vectors", s.vectors], ["model", s.embedder]];
      const langs = Object.entries(s.languages || {}).sort((a, b) => b[1] - a[1]);
      out.replaceChildren(card("Index", table([["what", (r) => r[0]], ["value", (r) => (r[1] ?? "").toLocaleString("en")]], rows)),
        card("Languages", table([["language", (r) => r[0] || "other"], ["files", (r) => r[1]]], langs)),
        card("Left out", table([["reason", (r) => r[0]], ["files", (r) => r[1]]], Object.entries(s.skipped || {}))));
    } catch (e) { out.replaceChildren(page.fail(e)); }
  };
  const examine = async () => {
    try { health.replaceChildren(doctor(await run("doctor", {}), page, () => { show(); examine(); }, (e) => health.append(page.fail(e)))); } catch (e) { health.replaceChildren(page.fail(e)); }
  };
  main.append(el("div", { class: "row" }, el("button", { click: async () => {
    if (!confirm("Bring the index up to date now?")) return;
    try { await run("index", {}, { confirm: true }); show(); } catch (e) { out.replaceChildren(page.fail(e)); }
  } }, "Index now")), live, health, out);
  look();
  show();
  examine();
  return { stop: () => { clearTimeout(timer); timer = -1; } };
}
