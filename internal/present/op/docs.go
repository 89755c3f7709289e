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
		Brief: "A page of an ingested library: ORG/PROJECT/PATH or ORG/PROJECT@VERSION/PATH", Offer: f.OfferPages, Call: func(name string) any {
			id, page := docs.SplitPage(name)
			return docs.QueryArgs{LibraryID: id, Page: page}
		}}}
	return []Op{
		define(Op{
			Name:    "docs query",
			Brief:   "Query a library's documentation",
			Example: `assay docs query /vercel/next.js "middleware matcher"`,
			Tools:   []Tool{query},
		}, f.Query),
		define(Op{
			Name:    "docs resolve",
			Brief:   "Find a library's ID by its name",
			Example: "assay docs resolve nextjs",
			Tools:   []Tool{resolve},
		}, f.Resolve),
		define(Op{
			Name:    "docs ingest",
			Brief:   "Ingest documentation into the local file",
			Example: "assay docs ingest https://github.com/pallets/flask --version 3.1.3",
			Effect:  Writes,
		}, f.Ingest),
		define(Op{
			Name:    "docs preview",
			Brief:   "Show what an ingest would store",
			Example: "assay docs preview ./docs --limit 5",
		}, f.Preview),
		define(Op{
			Name:    "docs refresh",
			Aliases: []string{"docs update"},
			Brief:   "Update the changed pages of a library",
			Example: "assay docs refresh /pallets/flask",
			Effect:  Writes,
		}, f.Refresh),
		define(Op{
			Name:    "docs list",
			Brief:   "List the libraries and where each came from",
			Example: "assay docs list",
		}, f.List),
		define(Op{
			Name:    "docs remove",
			Brief:   "Remove a library or a version of it",
			Example: "assay docs remove /pallets/flask --version 2.0.0",
			Effect:  Writes,
		}, f.Remove),
		define(Op{
			Name:    "docs export",
			Brief:   "Export a library to its own file",
			Example: "assay docs export /pallets/flask flask.db",
			Effect:  Writes,
		}, f.Export),
		define(Op{
			Name:    "docs import",
			Brief:   "Add a library from an exported file",
			Example: "assay docs import flask.db",
			Effect:  Writes,
		}, f.Import),
	}
}
