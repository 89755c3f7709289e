import { el, skeleton } from "./dom.js";

const patience = 150; // milliseconds until something stands where the answer will be

/** later calls f once the keys of one moment are typed: an answer takes less than the next key, and is cancelled by it. */
export function later(f, wait = 15) {
  let timer;
  return (...args) => { clearTimeout(timer); timer = setTimeout(() => f(...args), wait); };
}

/** asking is a form whose questions are cancelled by the next one. */
export function asking(main, page, fields, ask, answers) {
  let running = null;
  let left = false; // the view: what was typed last must not bring its address back
  const out = answers || el("div");
  const go = async () => {
    if (left) return;
    running?.abort();
    const mine = new AbortController();
    running = mine;
    page.say("…");
    const waiting = setTimeout(() => { if (running === mine && !out.childElementCount) out.replaceChildren(skeleton()); }, patience);
    try {
      const began = performance.now();
      const nodes = await ask(mine.signal);
      if (running !== mine) return;
      out.replaceChildren(...[nodes].flat().filter(Boolean));
      page.say(`${Math.round(performance.now() - began)} ms`);
    } catch (e) {
      const said = page.fail(e);
      if (running === mine && said) out.replaceChildren(said);
    } finally { clearTimeout(waiting); }
  };
  main.append(el("form", { submit: (e) => { e.preventDefault(); go(); } }, fields), out);
  const show = (...nodes) => { running?.abort(); running = null; out.replaceChildren(...nodes.flat()); page.say(""); };
  return { go, show, stop: () => { left = true; running?.abort(); } };
}

export const notes = (r) => (r.notes || []).map((n) => el("p", { class: "quiet" }, n));
