//go:build !slim

package op

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-dev/assay/internal/audit"
	"github.com/assay-dev/assay/internal/brief"
	"github.com/assay-dev/assay/internal/code"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/docs"
	"github.com/assay-dev/assay/internal/graph"
	"github.com/assay-dev/assay/internal/install/backup"
	"github.com/assay-dev/assay/internal/install/bundle"
	"github.com/assay-dev/assay/internal/install/doctor"
	"github.com/assay-dev/assay/internal/install/setup"
	"github.com/assay-dev/assay/internal/memory"
	"github.com/assay-dev/assay/internal/present/calls"
	"github.com/assay-dev/assay/internal/script"
)

// Features are what the operations ask. Those of a feature that is nil are omitted.
type Features struct {
	Code      *code.Feature
	Docs      *docs.Feature
	Audit     *audit.Feature
	Setup     *setup.Feature
	Backup    *backup.Feature
	Bundle    *bundle.Feature
	Memory    *memory.Feature
	Module    *script.Feature
	Doctor    *doctor.Feature
	Saved     func(context.Context, calls.SavedInput) (*calls.Saved, error)
	AllowExec bool // the code of a model may be run
}

// All returns every operation, in the order in which help lists them.
func All(f Features) []Op {
	var ops []Op
	if f.Code != nil {
		ops = append(ops, briefed(f))
		ops = append(append(ops, search(f.Code)...), structure(f.Code.Workspace())...)
	}
	if f.Docs != nil {
		ops = append(ops, documentation(f.Docs)...)
	}
	if f.Audit != nil {
		ops = append(ops, truth(f.Audit)...)
	}
	if f.Memory != nil {
		ops = append(ops, remembered(f.Memory)...)
	}
	if f.Module != nil {
		ops = append(ops, runtime(f.Module, f.AllowExec)...)
	}
	if f.Setup != nil {
		ops = append(ops, writes("setup", "Write a coding agent's configuration, or remove it again",
			"assay setup opencode --dry-run", f.Setup.Setup))
	}
	if f.Saved != nil {
		ops = append(ops, reads("saved", "Show what answers to agents cost, and what reading their files would have", "assay saved", f.Saved))
	}
	if f.Backup != nil {
		ops = append(ops, writes("backup", "Back up notes, documentation, modules and settings to one archive, or verify one",
			"assay backup assay.backup.zip", f.Backup.Backup),
			writes("restore", "Restore a backup archive", "assay restore assay.backup.zip", f.Backup.Restore))
	}
	if f.Bundle != nil {
		ops = append(ops, writes("bundle", "Pack documentation, modules, a model and the program into one signed archive",
			"assay bundle air.zip --key release.key --docs /pallets/flask --model ./potion-code-16M", f.Bundle.Bundle),
			writes("bundle keygen", "Generate the key pair that signs and verifies bundles", "assay bundle keygen release.key", f.Bundle.Keygen),
			writes("bundle apply", "Verify a bundle and install its contents", "assay bundle apply air.zip --key release.key.pub", f.Bundle.Apply))
	}
	if f.Doctor != nil {
		ops = append(ops, doctored(f.Doctor, func() []Op { return ops }))
	}
	if f.Code != nil {
		w := f.Code.Workspace()
		ops = amongst(w.Served(), across(w, ops))
	}
	ops = finished(ops)
	return ops
}

// briefed is the operation of feature brief. Its tool answers with the text alone, which is what the budget is of.
func briefed(f Features) Op {
	// A nil pointer in an interface would not be nil.
	var documents brief.Docs
	var notes brief.Memory
	if f.Docs != nil {
		documents = f.Docs
	}
	if f.Memory != nil {
		notes = f.Memory
	}
	t := tool("brief", "brief", "Call first, with the task: the declarations to read, numbered, their callers, tests, library docs, decisions, within a token budget.", brief.ToolArgs.Input)
	t.Plain, t.Heavy = true, func(json.RawMessage) bool { return true }
	t.Prompts = []Prompt{{
		Name: "brief", Title: "Brief for a task", Brief: "The declarations to read before a task, their callers and tests",
		Head: "What to know before this task: %s",
		Args: []PromptArg{{Name: "task", Brief: "the task, an issue or a stack trace", Required: true},
			{Name: "words", Brief: "identifiers that the code probably has, separated by spaces", Offer: f.Code.Workspace().OfferNames}},
		Call: func(given map[string]string) any {
			return brief.ToolArgs{Task: given["task"], Words: strings.Fields(given["words"])}
		},
	}}
	return reads("brief", "Show what to know before a task: where to change, what is related, what could break",
		`assay brief "retry a request that timed out" --tokens 2000`, brief.New(f.Code.Workspace(), documents, notes).Brief).with(t)
}

// search is the operations of feature code.
func search(f *code.Feature) []Op {
	semantic, hybrid := f.Thresholds()
	// The reasons of a search are asked for only where they are logged.
	reasoned := func(t Tool) Tool {
		return t.changed(func(s *jsonschema.Schema) {
			if !f.LogsSearches() {
				omit(s, "intent", "rationale", "expect", "agent")
			}
		})
	}
	return []Op{
		define(Op{
			Name:    "search",
			Brief:   "Find code by words, by meaning or by pattern",
			Example: `assay search "where are retries configured" --lang go`,
			Tools: []Tool{
				reasoned(tool("search", "semantic_search", "Find code by what it does. Ask in plain words, and guess words that the code has.", func(a code.ToolArgs) code.SearchInput {
					in := a.Input(semantic)
					in.Semantic = true
					return in
				}).showing("threshold", semantic)),
				reasoned(tool("search", "hybrid_search", "Find code by words and meaning: a question, a phrase or a symbol, with guessed words. The best first choice.", func(a code.ToolArgs) code.SearchInput {
					return a.Input(hybrid)
				}).showing("threshold", hybrid)),
				reasoned(tool("search", "regex_search", "Find every line that matches an RE2 pattern.", code.RegexArgs.Input).alsoCalled("query", "pattern", "regex")),
			},
		}, f.Search),
		reads("similar", "Find code similar to the code at a location", "assay similar internal/http/retry.go:42", f.Similar),
		reads("index", "Build or refresh the index now", "assay index --check", f.Index),
		writes("index push", "Share the index: upload what a bucket lacks", "assay index push s3://team-indexes/api", f.Push),
		writes("index pull", "Download a shared index, and index only what differs from the tree",
			"assay index pull s3://team-indexes/api", f.Pull),
		reads("status", "Show what the index holds and how fresh it is", "assay status", f.Status),
		reads("repos", "List the repositories of a workspace file, or fetch those given by URL",
			"assay repos assay.work.yaml --fetch", f.Repos),
		streams("watch", "Keep the index fresh until interrupted", "assay watch --quiet", f.Watch),
	}
}

// picked is the tool for structure with its prompt and its views.
func picked(w *workspace.Workspace, t Tool) Tool {
	show := func(place string) any { return graph.ToolArgs{QueryType: "show", Pattern: place} }
	t.Prompts = []Prompt{{
		Name: "impact", Title: "Impact of a change", Brief: "The lines, files and tests that a change to a declaration or file may affect",
		Head: "What a change to %s may affect",
		Args: []PromptArg{{Name: "target", Brief: "a name, a file or FILE:Name", Required: true, Offer: w.OfferNames}},
		Call: func(given map[string]string) any {
			return graph.ToolArgs{QueryType: "impact", Pattern: given["target"]}
		},
	}}
	t.Views = []View{
		{Base: "assay://map", Title: "Map of the project", Brief: "The most important signatures", MIME: plainText,
			Call: func(string) any { return graph.ToolArgs{QueryType: "map"} }},
		{Base: "assay://symbol/", Variable: "name", Title: "Declaration", Brief: "The text of a declaration, numbered: Name or Scope.Name",
			MIME: plainText, Offer: w.OfferNames, Call: show},
		{Base: "assay://file/", Variable: "path", Title: "File", Brief: "The text of a file that search serves: FILE, FILE:LINE or FILE:A-B",
			MIME: plainText, Offer: w.OfferPaths, Call: show},
	}
	return t
}

// The kinds of text that views have.
const plainText, markdown = "text/plain", "text/markdown"

// structure is the operations of feature graph.
func structure(w *workspace.Workspace) []Op {
	f := graph.New(w)
	ops := []Op{
		reads("inventory", "List the source files with their sizes, or summarise the project", "assay inventory --view summary", f.Inventory),
		reads("imports", "Show what a file, a folder or a module imports", "assay imports internal/http --table", f.Imports),
		reads("importers", "Show what imports a file, a folder or a module", "assay importers internal/http --no-tests", f.Importers),
		reads("functions", "List functions with their signatures", "assay functions Retry --exported", f.Functions),
		reads("callers", "Show what calls a function", "assay callers Client.Get --depth 2", f.Callers),
		reads("callees", "Show what a function calls", "assay callees Client.Get --transitive --mermaid", f.Callees),
		reads("def", "Show where a name, or the name at a location, is declared", "assay def internal/http/retry.go:42", f.DefineOrShow),
		reads("refs", "Show where a function, a type, a field, a constant or a variable is used",
			"assay refs Client.Timeout --kind write", f.Refs),
		reads("implementers", "Show the types that implement or extend a type", "assay implementers io.Handler --table", f.Implementers),
		reads("hierarchy", "Show what a type extends and what extends it", "assay hierarchy Handler --mermaid", f.Hierarchy),
		reads("path", "Show the shortest calls from one function to another", "assay path main Client.Get", f.Path),
		reads("dead", "List functions that nothing calls, and what may still reach them", "assay dead internal", f.Dead),
		reads("map", "Show the most important signatures within a token budget", `assay map --tokens 2000 --focus "retry a request"`, f.Map),
		reads("impact", "Show what a change to a file or symbol may affect, or what a change in git affects",
			"assay impact --diff main", f.Affects),
		define(Op{
			Name:    "structure",
			Brief:   "Find references, callers, implementers, definitions and the text of code",
			Example: "assay structure --query-type callers Client.Get",
			Hidden:  true,
			Tools: []Tool{
				picked(w, tool("structure", "assay",
					"Exact facts of code structure: files and sizes, imports, functions, who calls what, what a change may reach; "+
						"show: the text of places. Says what it could not resolve.",
					graph.ToolArgs.Input).heavy(wholeTree)),
			},
		}, f.Structure),
	}
	// Lines of code are read, also by who asks in a pipe, and as JSON they take twice the room.
	read := []string{"callers", "callees", "refs", "implementers", "impact"}
	for i := range ops {
		ops[i].Tabular, ops[i].Piped = true, !slices.Contains(read, ops[i].Name)
	}
	return append(ops, reads("show", "Show the text of declarations, lines and files, numbered, within a token budget",
		"assay show Client.Get internal/http/retry.go:42 --around", f.Show))
}

// heavy is the tool with what tells which calls take long.
func (t Tool) heavy(is func(json.RawMessage) bool) Tool {
	t.Heavy = is
	return t
}

// wholeTree reports whether a question about structure goes through all of a tree, or far in it.
func wholeTree(raw json.RawMessage) bool {
	var in struct {
		Query string `json:"query_type"`
	}
	return json.Unmarshal(raw, &in) == nil && slices.Contains([]string{"dead", "diff", "impact", "map", "path"}, in.Query)
}
