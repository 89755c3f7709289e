// assay memory for OpenCode: gives a session the notes that its first prompt calls for, carries them over a
// compaction, and has a digest of the session kept.
//
// "assay setup opencode --memory" puts this file here, "assay setup opencode --uninstall" takes it away.
//
// Nothing in here may break or hold up a turn: every hook catches what it throws, and no turn waits longer than
// DEADLINE for assay, which is then killed. Without assay there are no notes, and all else goes on.

import { spawn } from "node:child_process"

const ASSAY = "assay"

const DEADLINE = 400 // milliseconds a turn waits
const LEFT = 10_000 // milliseconds until what nobody waits for is killed: its work is in another process by then
const LINGER = 50 // milliseconds for what an ended assay has still to say
const MOST_OUTPUT = 256 * 1024 // characters read of an answer
const MOST_CONTEXT = 64 * 1024 // characters put into a prompt
const MOST_PROMPT = 8 * 1024 // characters sent of a prompt
const MOST_SESSIONS = 200 // remembered at a time

const guard =
  (hook) =>
  async (...args) => {
    try {
      return await hook(...args)
    } catch {}
  }

// context takes the notes out of an answer, or "".
const context = (answer) => {
  try {
    const text = JSON.parse(answer).context
    return typeof text === "string" && text.length <= MOST_CONTEXT ? text : ""
  } catch {
    return ""
  }
}

// ask runs assay for an event and returns its notes. It never throws.
const ask = (event, input) =>
  new Promise((resolve) => {
    let child
    let answer = ""
    let over = false
    let ended = false
    const finish = (text) => {
      if (over) return
      over = true
      clearTimeout(timer)
      resolve(text)
      try {
        if (!ended) child?.kill("SIGKILL")
        child?.stdout?.destroy()
        child?.stdin?.destroy()
        child?.unref()
      } catch {}
    }
    const timer = setTimeout(() => finish(""), DEADLINE)
    try {
      child = spawn(ASSAY, ["hook", "opencode", event], {
        cwd: input.directory,
        stdio: ["pipe", "pipe", "ignore"],
        windowsHide: true,
      })
      const done = (code) => {
        ended = true
        finish(code === 0 ? context(answer) : "")
      }
      child.on("error", () => finish(""))
      child.on("close", done)
      // Something that assay has started may hold the pipe open.
      child.on("exit", (code) => setTimeout(done, LINGER, code))
      child.stdin.on("error", () => {})
      child.stdout.on("error", () => {})
      child.stdout.setEncoding("utf8")
      child.stdout.on("data", (piece) => {
        answer += piece
        if (answer.length > MOST_OUTPUT) finish("")
      })
      child.stdin.end(JSON.stringify(input))
    } catch {
      finish("")
    }
  })

// tell runs assay for an event and leaves it to itself: it goes on when OpenCode ends. It never throws.
const tell = (event, input) => {
  try {
    const child = spawn(ASSAY, ["hook", "opencode", event], {
      cwd: input.directory,
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      windowsHide: true,
    })
    child.on("error", () => {})
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify(input))
    child.unref()
    const timer = setTimeout(() => child.kill("SIGKILL"), LEFT)
    timer.unref()
    child.on("exit", () => clearTimeout(timer))
  } catch {}
}

export default async function assayMemory({ directory }) {
  // What is known of a session: its title, whether it is a sub-agent's, the notes that were recalled for it, and
  // whether something was said since its digest.
  const sessions = new Map()

  const session = (id) => {
    let s = sessions.get(id)
    if (!s) {
      s = { title: "", child: false, asked: false, early: "", notes: "", said: false }
      sessions.set(id, s)
      if (sessions.size > MOST_SESSIONS) sessions.delete(sessions.keys().next().value)
    }
    return s
  }

  const input = (id, prompt = "") => ({ sessionID: id, directory, prompt, title: sessions.get(id)?.title ?? "" })

  const events = {
    "session.created": ({ info }) => {
      const s = session(info.id)
      s.title = info.title ?? ""
      s.child = Boolean(info.parentID)
      if (s.child) return
      ask("session-start", input(info.id)).then((notes) => (s.early = notes))
    },
    "session.updated": ({ info }) => {
      const s = sessions.get(info.id)
      if (s) s.title = info.title ?? s.title
    },
    "session.idle": ({ sessionID }) => {
      const s = session(sessionID)
      if (s.child || !s.said) return
      s.said = false
      tell("idle", input(sessionID))
    },
    "session.deleted": ({ info }) => {
      if (!info.parentID) tell("session-end", input(info.id))
      sessions.delete(info.id)
    },
  }

  return {
    event: guard(({ event }) => events[event.type]?.(event.properties)),

    "chat.message": guard(async ({ sessionID }, { parts }) => {
      const s = session(sessionID)
      if (s.child) return
      s.said = true
      if (s.asked) return
      s.asked = true
      const prompt = parts
        .filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
        .map((part) => part.text)
        .join("\n")
        .slice(0, MOST_PROMPT)
      s.notes = (await ask("prompt", input(sessionID, prompt))) || s.early
    }),

    // It runs for titles and compactions too, so it looks nothing up.
    "experimental.chat.system.transform": guard(({ sessionID }, { system }) => {
      const notes = sessions.get(sessionID)?.notes
      if (notes) system.push(notes)
    }),

    "experimental.session.compacting": guard(async ({ sessionID }, output) => {
      if (sessions.get(sessionID)?.child) return
      const notes = await ask("pre-compact", input(sessionID))
      if (notes) output.context.push(notes)
    }),

    dispose: guard(() => {
      for (const [id, s] of sessions) if (s.said && !s.child) tell("session-end", input(id))
      sessions.clear()
    }),
  }
}
