//go:build !slim

package op

import (
	"github.com/assay-dev/assay/internal/memory"
)

// remembered is the operations of feature memory.
func remembered(f *memory.Feature) []Op {
	get := tool("memory get", "memory_get", "Read the lines of a note or a session.", memory.GetArgs.Input)
	get.Views = []View{{Base: "assay://note/", Variable: "path", Title: "Note", Brief: "A note, by its path in the vault", MIME: markdown,
		Call: func(path string) any { return memory.GetArgs{FilePath: path} }}}
	return []Op{
		reads("memory search", "Find what was decided, learned and preferred", `assay memory search "which database did we choose"`, f.Search).
			with(tool("memory search", "memory_search", "Find what was decided, learned or preferred before: notes and past sessions. Use it at the start of a task.", memory.SearchArgs.Input)),
		writes("memory store", "Store a note",
			`echo "We use PostgreSQL 16." | assay memory store --title "Database" --category decisions`, f.Store).
			with(tool("memory store", "memory_store", "Keep one decision, preference or hard-won fact for later sessions. No secrets.", memory.StoreArgs.Input)),
		writes("memory edit", "Edit or pin a note", "assay memory edit decisions/database.md --pin", f.Edit),
		writes("memory digest", "Store the result of a session: decisions, open points, files",
			`assay memory digest "Move the queue" --decided "NATS, because RabbitMQ lost messages" --open "Retries lack jitter"`, f.Digest).
			with(tool("memory digest", "memory_digest",
				"At the end of a task, keep its result for the next session: decisions with reasons, open points, files. No secrets.", memory.DigestArgs.Input)),
		writes("memory enrich", "Fill in the questions that notes answer, ten notes at a time",
			"assay memory enrich > ten.json   # an agent fills it in; then: assay memory enrich - < ten.json", f.Enrich),
		reads("memory get", "Show a note or a session", "assay memory get decisions/database.md:1-20", f.Get).with(get),
		reads("memory list", "List the notes, or the sessions", "assay memory list --category decisions", f.List),
		reads("memory timeline", "List notes and sessions by their day, newest first",
			`assay memory timeline --since "last month"`, f.Timeline),
		reads("memory links", "Show a note's tags, links and backlinks, or the links between all notes",
			"assay memory links decisions/database.md --depth 2", f.Links),
		writes("memory forget", "Remove notes, or exclude a session", "assay memory forget --query postgres --dry-run", f.Forget),
		writes("memory import", "Import another program's notes, or index new notes and sessions now",
			"assay memory import AGENTS.md --dry-run", f.Import),
		writes("memory sync", "Merge the notes with those of a git remote, and index them",
			"assay memory sync git@example.com:me/notes.git", f.Share),
		reads("memory rebuild", "Rebuild the index from notes and sessions", "assay memory rebuild", f.Rebuild),
		reads("memory audit", "Check the notes for secrets, duplicates and conflicts", "assay memory audit", f.Audit),
		reads("memory doctor", "Show where the notes and their index are, and whether they work", "assay memory doctor", f.Doctor),
		streams("memory watch", "Keep the index of notes fresh until interrupted", "assay memory watch --quiet", f.Watch),
		define(Op{
			Name:    "hook",
			Brief:   "Answer an event of an agent's session, from its JSON on standard input; the status is always 0",
			Example: "assay hook claude session-start < event.json",
			Effect:  Writes,
			Hidden:  true,
		}, f.Hook),
	}
}
