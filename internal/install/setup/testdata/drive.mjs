// Runs the plugin at argv[2] as OpenCode does: each hook that argv[3] lists, in
// turn. It prints what the hooks made of their outputs.
import { readFileSync } from "node:fs"
import { pathToFileURL } from "node:url"

const directory = process.cwd()
const plugin = (await import(pathToFileURL(process.argv[2]))).default
const hooks = await plugin({ directory })
const out = { system: [], context: [], threw: [] }
const text = (text, more) => ({ type: "text", text, ...more })
const info = (id, more) => ({ id, title: "about " + id, directory, ...more })
const event = (type, properties) => hooks.event({ event: { type, properties } })

const steps = {
  created: () => event("session.created", { info: info("s") }),
  child: () => event("session.created", { info: info("s", { parentID: "p" }) }),
  retitled: () => event("session.updated", { info: info("s", { title: "another" }) }),
  unknown: () => event("something.else", undefined),
  odd: () => event("session.created", {}),
  prompt: () =>
    hooks["chat.message"](
      { sessionID: "s" },
      { message: {}, parts: [text("what did we decide?"), text("hidden", { synthetic: true }), { type: "file" }] },
    ),
  noparts: () => hooks["chat.message"]({ sessionID: "s" }, {}),
  transform: () => hooks["experimental.chat.system.transform"]({ sessionID: "s" }, out),
  nosession: () => hooks["experimental.chat.system.transform"]({}, out),
  frozen: () => hooks["experimental.chat.system.transform"]({ sessionID: "s" }, {}),
  compact: () => hooks["experimental.session.compacting"]({ sessionID: "s" }, out),
  idle: () => event("session.idle", { sessionID: "s" }),
  deleted: () => event("session.deleted", { info: info("s") }),
  dispose: () => hooks.dispose(),
  // until the program that was told of the end of a turn has begun, and then until it has gone
  gone: async () => {
    const pause = () => new Promise((resolve) => setTimeout(resolve, 50))
    while (!readFileSync("log", "utf8").includes('"idle"')) await pause()
    const pid = Number(readFileSync("pid", "utf8"))
    try {
      for (;;) {
        process.kill(pid, 0)
        await pause()
      }
    } catch {}
  },
  many: async () => {
    for (let i = 0; i < 1000; i++) await event("session.created", { info: info("c" + i, { parentID: "p" }) })
  },
}

for (const name of process.argv[3].split(" ")) {
  try {
    await steps[name]()
  } catch (e) {
    out.threw.push(name + ": " + e)
  }
}
console.log(JSON.stringify(out))
