//go:build !slim

package op

import (
	"context"
	"fmt"
	"reflect"

	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/memory"
)

// remembered is the operations of feature memory.
func remembered(f *memory.Feature) []Op {
	get := tool("memory get", "memory_get", "Read the lines of a note or a session.", memory.GetArgs.Input)
	get.Views = []View{{Base: "assay://note/", Variable: "path", Title: "Note", Brief: "A note, by its path in the vault", MIME: markdown,
		Offer: f.OfferNotes, Call: func(path string) any { return memory.GetArgs{FilePath: path} }}}
	return []Op{
		define(Op{
			Name:    "memory search",
			Brief:   "Find what was decided, learned and preferred",
			Example: `assay memory search "which database did we choose"`,
			Tools:   []Tool{tool("memory search", "memory_search", "Find what was decided, learned or preferred before: notes and past sessions. Use it at the start of a task.", memory.SearchArgs.Input)},
		}, f.Search),
		define(Op{
			Name:    "memory store",
			Brief:   "Store a note",
			Example: `echo "We use PostgreSQL 16." | assay memory store --title "Database" --category decisions`,
			Effect:  Writes,
			Tools:   []Tool{tool("memory store", "memory_store", "Keep one decision, preference or hard-won fact for later sessions. No secrets.", memory.StoreArgs.Input)},
		}, f.Store),
		define(Op{
			Name:    "memory edit",
			Brief:   "Edit or pin a note",
			Example: "assay memory edit decisions/database.md --pin",
			Effect:  Writes,
		}, f.Edit),
		define(Op{
			Name:    "memory digest",
			Brief:   "Store the result of a session: decisions, open points, files",
			Example: `assay memory digest "Move the queue" --decided "NATS, because RabbitMQ lost messages" --open "Retries lack jitter"`,
			Effect:  Writes,
			Tools: []Tool{tool("memory digest", "memory_digest", "At the end of a task, keep its result for the next session: decisions with reasons, open points, files. No secrets.",
				memory.DigestArgs.Input)},
		}, f.Digest),
		define(Op{
			Name:    "memory enrich",
			Brief:   "Fill in the questions that notes answer, ten notes at a time",
			Example: "assay memory enrich > ten.json   # an agent fills it in; then: assay memory enrich - < ten.json",
			Effect:  Writes,
		}, f.Enrich),
		define(Op{
			Name:    "memory get",
			Brief:   "Show a note or a session",
			Example: "assay memory get decisions/database.md:1-20",
			Tools:   []Tool{get},
		}, f.Get),
		define(Op{
			Name:    "memory list",
			Brief:   "List the notes, or the sessions",
			Example: "assay memory list --category decisions",
		}, f.List),
		define(Op{
			Name:    "memory timeline",
			Brief:   "List notes and sessions by their day, newest first",
			Example: `assay memory timeline --since "last month"`,
		}, f.Timeline),
		define(Op{
			Name:    "memory links",
			Brief:   "Show a note's tags, links and backlinks, or the links between all notes",
			Example: "assay memory links decisions/database.md --depth 2",
		}, f.Links),
		define(Op{
			Name:    "memory forget",
			Brief:   "Remove notes, or exclude a session",
			Example: "assay memory forget --query postgres --dry-run",
			Effect:  Writes,
		}, f.Forget),
		define(Op{
			Name:    "memory import",
			Brief:   "Import another program's notes, or index new notes and sessions now",
			Example: "assay memory import AGENTS.md --dry-run",
			Effect:  Writes,
		}, f.Import),
		define(Op{
			Name:    "memory sync",
			Brief:   "Merge the notes with those of a git remote, and index them",
			Example: "assay memory sync git@example.com:me/notes.git",
			Effect:  Writes,
		}, f.Share),
		define(Op{
			Name:    "memory rebuild",
			Brief:   "Rebuild the index from notes and sessions",
			Example: "assay memory rebuild",
		}, f.Rebuild),
		define(Op{
			Name:    "memory audit",
			Brief:   "Check the notes for secrets, duplicates and conflicts",
			Example: "assay memory audit",
		}, f.Audit),
		define(Op{
			Name:    "memory doctor",
			Brief:   "Show where the notes and their index are, and whether they work",
			Example: "assay memory doctor",
		}, f.Doctor),
		{
			Name:    "memory watch",
			Brief:   "Keep the index of notes fresh until interrupted",
			Example: "assay memory watch --quiet",
			Records: true,
			In:      reflect.TypeFor[memory.WatchInput](),
			Run: func(ctx context.Context, in any, out Out) (Result, error) {
				arg, ok := in.(memory.WatchInput)
				if !ok {
					return nil, fmt.Errorf("memory watch was given a %T", in)
				}
				ctx = work.With(ctx, work.Report{Progress: out.Progress, Note: out.Note})
				return nil, f.Watch(ctx, arg, func(e *memory.WatchEvent) error { return out.Emit(e) })
			},
		},
		define(Op{
			Name:    "hook",
			Brief:   "Answer an event of an agent's session, from its JSON on standard input; the status is always 0",
			Example: "assay hook claude session-start < event.json",
			Effect:  Writes,
			Hidden:  true,
		}, f.Hook),
	}
}
