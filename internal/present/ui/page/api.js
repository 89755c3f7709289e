// Questions to the server of this page.

const given = new URLSearchParams(location.hash.slice(1)).get("token");
if (given) {
  sessionStorage.setItem("token", given);
  history.replaceState(null, "", location.pathname + "#/start");
}
const token = sessionStorage.getItem("token") || "";

/**
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function call(path, init) {
  const reply = await fetch(path, { ...init, headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" } });
  const text = await reply.json();
  if (!reply.ok) throw Object.assign(new Error(text.error), { hint: text.hint, fix: text.fix, status: reply.status });
  return text;
}

/** about returns the project, the version and the operations. */
export const about = () => call("/api/about");

/**
 * report reads one of the program's reports; some are of a file.
 * @param {"calls" | "history" | "owners" | "files" | "commits" | "blame" | "branches"} name
 * @param {string} [file]
 */
export const report = (name, file) => call(`/api/report/${name}${file ? `?${new URLSearchParams({ file })}` : ""}`);

/**
 * run asks one operation; a signal cancels it.
 * @param {string} op
 * @param {Record<string, unknown>} input
 * @param {{signal?: AbortSignal, confirm?: boolean, text?: boolean}} [how] confirm: the person has agreed to what it writes; text: the answer also has the text that an agent is given
 * @returns {Promise<any>} what assay OP --json prints, with its notes
 */
export async function run(op, input, { signal, confirm, text } = {}) {
  const reply = await call("/api/run", { method: "POST", signal, body: JSON.stringify({ op, in: input, confirm, text }) });
  return { ...reply.result, ...(text && { text: reply.text }), notes: [...(reply.result?.notes || []), ...reply.notes] };
}
