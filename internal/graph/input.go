package graph

import "github.com/assay-dev/assay/internal/code/workspace"

// A Filter says which files an answer is about, and how much of it is shown.
type Filter struct {
	Paths     []string `json:"paths,omitempty" flag:"path" help:"only files below PATH or that match the glob; repeat for more"`
	Languages []string `json:"lang,omitempty" flag:"lang" help:"only these languages"`
	Tests     bool     `json:"tests,omitempty" flag:"tests" group:"tests" help:"only tests"`
	NoTests   bool     `json:"no_tests,omitempty" flag:"no-tests" group:"tests" help:"exclude tests"`
	Limit     int      `json:"limit,omitempty" flag:"limit" min:"0" max:"1000000" default:"50" help:"maximum entries (default 50; 0: all)"`
	Cursor    string   `json:"cursor,omitempty" flag:"cursor" help:"continue after the page that returned this cursor"`
	Root      string   `json:"root,omitempty" flag:"root" help:"the project's folder (default: found from the path or the working directory)"`
	IndexDir  string   `json:"index_dir,omitempty" flag:"index-dir" out:"folder" help:"folder of the index (default: ROOT/.assay/index)"`
	NoRefresh bool     `json:"no_refresh,omitempty" flag:"no-refresh" help:"answer from the index as it is"`
	workspace.Trees

	tool bool // a tool was called: what puts an error right is a call
}

// Across says which repositories are asked.
func (f *Filter) Across() workspace.Across {
	return workspace.Across{Trees: &f.Trees, Root: &f.Root, Limit: &f.Limit, Cursor: f.Cursor}
}

// An InventoryInput asks for the files of a project.
type InventoryInput struct {
	Pattern string `json:"pattern,omitempty" arg:"1" help:"a folder, a file, a glob or part of a path"`
	View    string `json:"view,omitempty" flag:"view" enum:"modules|summary" default:"modules" help:"every file, or a one-screen summary (default modules)"`
	Picture
	Filter
}

// An ImportsInput asks what a module imports, or what imports it.
type ImportsInput struct {
	Module string `json:"module" arg:"1" help:"a file, a folder, or a module as it is imported"`
	Picture
	Filter
}

// A FunctionsInput asks for functions.
type FunctionsInput struct {
	Pattern  string `json:"pattern,omitempty" arg:"1" help:"part of a name, or a folder, a file or a glob; A|B for either"`
	Kind     string `json:"kind,omitempty" flag:"kind" enum:"function|method|class|interface|struct|enum|trait|type|constant|const|variable|var|field|module|macro|test" help:"list these declarations instead: method, class, interface, struct, enum, type (any of these), const, var, field …"`
	Exported bool   `json:"exported,omitempty" flag:"exported" help:"only exported ones"`
	Filter
}

// A CallsInput asks what calls a function, or what it calls.
type CallsInput struct {
	Function   string `json:"function" arg:"1" join:"|" help:"Name, Scope.Name, path/to/file:Name, name(Type), FILE:LINE[:COLUMN]; A|B for either"`
	Depth      int    `json:"depth,omitempty" flag:"depth" min:"1" max:"100" group:"depth" help:"follow calls to this depth (default 1)"`
	Transitive bool   `json:"transitive,omitempty" flag:"transitive" group:"depth" help:"follow calls to the end"`
	Least      string `json:"min_confidence,omitempty" flag:"min-confidence" enum:"exact|likely|name-only" default:"likely" help:"how sure a call must be: exact, likely (default) or name-only"`
	Tokens     int    `json:"tokens,omitempty" flag:"tokens,budget" min:"50" max:"200000" help:"maximum tokens of lines (default 4000)"`
	Picture
	Build
	Filter
}

// An ImpactInput asks what may break when something changes.
type ImpactInput struct {
	Target  string   `json:"target,omitempty" arg:"1" help:"a file, or a symbol, also a type, a constant or a field: Name, Scope.Name, path/to/file:Name, FILE:LINE[:COLUMN]; with --diff a commit or a range"`
	Diff    bool     `json:"diff,omitempty" flag:"diff" help:"what the change since a commit (default HEAD) or in a range A..B reaches"`
	Staged  bool     `json:"staged,omitempty" flag:"staged" help:"with --diff: the staged changes, not the work tree"`
	Patch   string   `json:"patch,omitempty" flag:"patch" stdin:"true" help:"with --diff: read a patch instead of asking git"`
	Format  string   `json:"format,omitempty" flag:"format" enum:"markdown|json|sarif" help:"with --diff: write markdown, json or sarif"`
	FailOn  []string `json:"fail_on,omitempty" flag:"fail-on" help:"with --diff: exit 1 if any of these is found: remaining (uses of removed declarations), untested, documents"`
	Explain bool     `json:"explain,omitempty" flag:"explain" help:"with --diff: include the score breakdown of each file in JSON"`
	Depth   int      `json:"depth,omitempty" flag:"depth" min:"1" max:"100" help:"follow calls, uses or imports to this depth (default: no limit; with --diff 3)"`
	Least   string   `json:"min_confidence,omitempty" flag:"min-confidence" enum:"exact|likely|name-only" default:"likely" help:"how sure a call must be: exact, likely (default) or name-only"`
	Tokens  int      `json:"tokens,omitempty" flag:"tokens,budget" min:"50" max:"200000" help:"of a symbol: maximum tokens of lines (default 4000)"`
	Picture
	Build
	Filter
}

// A StructureInput asks any of those questions.
type StructureInput struct {
	QueryType string   `json:"query_type,omitempty" flag:"query-type" enum:"inventory|imports|importers|functions|callers|callees|refs|impact|diff|def|show|implementers|hierarchy|path|dead|map" default:"inventory" help:"which question to answer"`
	Pattern   string   `json:"pattern,omitempty" arg:"1" help:"a path, a glob, a module, a file or a function"`
	Limit     int      `json:"limit,omitempty" flag:"limit" min:"0" max:"1000" default:"50" help:"maximum entries (0: all)"`
	Cursor    string   `json:"cursor,omitempty" flag:"cursor" help:"continue after the page that returned this cursor"`
	Paths     []string `json:"path,omitempty" flag:"path" help:"only files below PATH or that match the glob"`
	Languages []string `json:"lang,omitempty" flag:"lang" help:"only these languages"`
	Tests     string   `json:"tests,omitempty" flag:"tests" enum:"only|exclude" help:"only tests, or none"`
	Kind      string   `json:"kind,omitempty" flag:"kind" help:"for functions a kind of declaration, for refs a kind of use"`
	Depth     int      `json:"depth,omitempty" flag:"depth" min:"1" max:"100" help:"depth to which callers, callees and impact follow calls"`
	Least     string   `json:"min_confidence,omitempty" flag:"min-confidence" enum:"exact|likely|name-only" default:"likely" help:"how sure a call or a use must be"`
	Around    bool     `json:"around,omitempty" flag:"around" help:"for show: also the line of each caller and test"`
	Tokens    int      `json:"tokens,omitempty" flag:"tokens,budget" min:"50" max:"200000" help:"for show and lines: maximum tokens (default 4000)"`
	Root      string   `json:"root,omitempty" flag:"root" help:"the project's folder (default: found from the working directory)"`
	workspace.Trees
}

// Across says which repositories are asked.
func (in *StructureInput) Across() workspace.Across {
	return workspace.Across{Trees: &in.Trees, Root: &in.Root, Limit: &in.Limit, Cursor: in.Cursor}
}

// ToolArgs are the arguments of the tool assay.
type ToolArgs struct {
	QueryType string   `json:"query_type,omitempty" enum:"inventory|imports|importers|functions|callers|callees|refs|impact|diff|def|show|implementers|hierarchy|path|dead|map" default:"inventory"`
	Pattern   string   `json:"pattern,omitempty" max:"500" help:"path, glob or name; FROM TO with path; names, FILE:LINE, FILE:A-B with show; commit or A..B with diff; file, symbol or task with map"`
	Limit     int      `json:"limit,omitempty" min:"1" max:"1000" default:"50"`
	Cursor    string   `json:"cursor,omitempty" help:"cursor from the previous page"`
	Paths     []string `json:"path,omitempty" help:"folders or globs"`
	Languages []string `json:"lang,omitempty"`
	Tests     string   `json:"tests,omitempty" enum:"only|exclude"`
	Kind      string   `json:"kind,omitempty" help:"functions: method, type, field…; refs: read, write, call, pass…"`
	Depth     int      `json:"depth,omitempty" min:"1" max:"100"`
	Least     string   `json:"min_confidence,omitempty" enum:"exact|likely|name-only" default:"likely"`
	Around    bool     `json:"around,omitempty" help:"show: callers and tests too"`
	Tokens    int      `json:"tokens,omitempty" min:"50" max:"200000"`
	Repos     []string `json:"repo,omitempty"`
}

// Input returns the question that the arguments ask.
func (a ToolArgs) Input() StructureInput {
	return StructureInput{QueryType: a.QueryType, Pattern: a.Pattern, Limit: a.Limit, Cursor: a.Cursor, Paths: a.Paths, Languages: a.Languages,
		Tests: a.Tests, Kind: a.Kind, Depth: a.Depth, Least: a.Least, Around: a.Around, Tokens: a.Tokens, Trees: workspace.Trees{Repos: a.Repos}}
}
