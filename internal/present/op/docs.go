//go:build !slim

package op

import "github.com/assay-dev/assay/internal/docs"

// documentation is the operations of feature docs.
func documentation(f *docs.Feature) []Op {
	resolve := lenientTool("docs resolve", "resolve-library-id",
		"Turn a library or package name into the Context7-compatible library ID that query-docs takes. Call it first, unless the user gives an ID as /org/project or /org/project/version. "+
			"Choose by closeness of name, then fit to the task, snippet count and source reputation; ask if nothing fits. At most 3 calls per question.",
		map[string]string{"userQuery": "query", "question": "query"}, docs.NotStrings, docs.ResolveArgs.Input)
	resolve.Plain = true
	query := lenientTool("docs query", "query-docs",
		"Documentation and code examples of a library, from a local copy: nothing leaves the machine. Use it for API syntax, set-up, migration and version questions even when you think you know. "+
			"Needs an ID from resolve-library-id. At most 3 calls per question.",
		map[string]string{"userQuery": "query", "question": "query", "context7CompatibleLibraryID": "libraryId", "libraryID": "libraryId", "libraryName": "libraryId"}, docs.NotStrings, docs.QueryArgs.Input).hiding("page")
	query.Plain, query.Apart, query.Say = true, docs.Apart, docs.Say
	query.Views = []View{{Base: "assay://docs/", Variable: "page", Title: "Page of documentation", MIME: markdown,
		Brief: "A page of an ingested library: ORG/PROJECT/PATH or ORG/PROJECT@VERSION/PATH", Call: func(name string) any {
			id, page := docs.SplitPage(name)
			return docs.QueryArgs{LibraryID: id, Page: page}
		}}}
	return []Op{
		reads("docs query", "Query a library's documentation", `assay docs query /vercel/next.js "middleware matcher"`, f.Query).with(query),
		reads("docs resolve", "Find a library's ID by its name", "assay docs resolve nextjs", f.Resolve).with(resolve),
		writes("docs ingest", "Ingest documentation into the local file",
			"assay docs ingest https://github.com/pallets/flask --version 3.1.3", f.Ingest),
		reads("docs preview", "Show what an ingest would store", "assay docs preview ./docs --limit 5", f.Preview),
		define(Op{
			Name:    "docs refresh",
			Aliases: []string{"docs update"},
			Brief:   "Update the changed pages of a library",
			Example: "assay docs refresh /pallets/flask",
			Effect:  Writes,
		}, f.Refresh),
		reads("docs list", "List the libraries and where each came from", "assay docs list", f.List),
		writes("docs remove", "Remove a library or a version of it", "assay docs remove /pallets/flask --version 2.0.0", f.Remove),
		writes("docs export", "Export a library to its own file", "assay docs export /pallets/flask flask.db", f.Export),
		writes("docs import", "Add a library from an exported file", "assay docs import flask.db", f.Import),
	}
}
