package docs

import "strings"

// A Where says what is read and what of it.
type Where struct {
	Source  string   `json:"source,omitempty" arg:"1" help:"a git URL, a folder, an archive or EPUB, the URL of an llms.txt, a sitemap.xml or an objects.inv, npm:NAME[@VERSION] or devdocs:NAME[~VERSION]"`
	Preset  string   `json:"preset,omitempty" flag:"preset" help:"a library with a preset; a source given with it is a copy of its repository"`
	Version string   `json:"version,omitempty" flag:"version" help:"the label of the version; for a repository, also the tag to read"`
	Ref     string   `json:"ref,omitempty" flag:"ref" help:"the branch or tag, if its name differs from the version"`
	Include []string `json:"docs_path,omitempty" flag:"docs-path,include" help:"only pages that match GLOB or are in that folder"`
	Exclude []string `json:"exclude,omitempty" flag:"exclude" help:"exclude pages that match GLOB"`
	// IncludeExcluded lifts the rules by which pages are excluded.
	IncludeExcluded bool   `json:"include_excluded,omitempty" flag:"include-excluded" help:"also read pages that are excluded by default, such as licenses, translations and tests"`
	NoAPI           bool   `json:"no_api,omitempty" flag:"no-api" help:"only pages: no API reference from source code"`
	ID              string `json:"id,omitempty" flag:"id" help:"the library's ID, /ORGANISATION/PROJECT (default: from the source)"`
	RequestTimeout  string `json:"request_timeout,omitempty" flag:"request-timeout" value:"TIME" help:"time limit of one request, such as 90s (default: the setting docs.request_timeout)"`
	Timeout         string `json:"timeout,omitempty" flag:"timeout" value:"TIME" help:"time limit of the whole source, such as 2h (default: the setting docs.timeout)"`
	MaxPages        int    `json:"max_pages,omitempty" flag:"max-pages" min:"1" max:"50000" default:"3000" help:"fetch at most this many pages of a website or llms.txt"`
}

// An IngestInput asks for documentation to be read and kept.
type IngestInput struct {
	Where
	PresetAll   bool     `json:"preset_all,omitempty" flag:"preset-all" help:"every preset; continues if one fails"`
	Installed   bool     `json:"installed,omitempty" flag:"installed" help:"the dependencies of the project in the folder (default: this one), as installed, at the versions of its lock files"`
	Title       string   `json:"title,omitempty" flag:"title" help:"the library's name"`
	Description string   `json:"description,omitempty" flag:"description" help:"a one-sentence description"`
	Aliases     []string `json:"alias,omitempty" flag:"alias" help:"another name to find it by"`
	Quiet       bool     `json:"quiet,omitempty" flag:"quiet,q" help:"no progress"`
	File
}

// A File says which file of documentation is meant.
type File struct {
	DB string `json:"db,omitempty" flag:"db" out:"file,writes" help:"the documentation file (default: the setting docs.db)"`
}

// A PreviewInput asks what would be kept.
type PreviewInput struct {
	Where
	Limit int  `json:"limit,omitempty" flag:"limit" min:"1" max:"100000" default:"20" help:"maximum snippets to show"`
	Quiet bool `json:"quiet,omitempty" flag:"quiet,q" help:"no progress"`
}

// A RefreshInput asks for a library to be read again.
type RefreshInput struct {
	ID      string `json:"id,omitempty" arg:"1" help:"/ORGANISATION/PROJECT"`
	All     bool   `json:"all,omitempty" flag:"all" help:"every library; continues if one cannot be read"`
	Version string `json:"version,omitempty" flag:"version" help:"only this version (default: all)"`
	Full    bool   `json:"full,omitempty" flag:"full" help:"read every page again, not only what changed"`
	Quiet   bool   `json:"quiet,omitempty" flag:"quiet,q" help:"no progress"`
	File
}

// A ListInput asks what there is.
type ListInput struct {
	Presets bool `json:"presets,omitempty" flag:"presets" help:"list the presets instead"`
	HTML    bool `json:"html,omitempty" flag:"html" help:"write the list as an HTML page"`
	File
}

// A RemoveInput asks for a library to be removed.
type RemoveInput struct {
	ID      string `json:"id" arg:"1" help:"/ORGANISATION/PROJECT"`
	Version string `json:"version,omitempty" flag:"version" help:"only this version"`
	File
}

// An ExportInput asks for a library in a file of its own.
type ExportInput struct {
	ID  string `json:"id" arg:"1" help:"/ORGANISATION/PROJECT, with /VERSION for one version"`
	Out string `json:"out" arg:"2" flag:"output,o" out:"file" help:"the file to write"`
	DB  string `json:"db,omitempty" flag:"db" help:"the documentation file (default: the setting docs.db)"`
}

// An ImportInput asks for what another export wrote.
type ImportInput struct {
	Path string `json:"path" arg:"1" help:"a file that docs export wrote"`
	File
}

// A ResolveInput asks which library a name means.
type ResolveInput struct {
	Name  string `json:"name" arg:"1" min:"1" max:"500" help:"the name of a library or package"`
	Query string `json:"query,omitempty" arg:"2" max:"5000" help:"what it is needed for"`
	Limit int    `json:"limit,omitempty" flag:"limit" min:"1" max:"100" default:"10" help:"maximum libraries"`
	File
}

// A QueryInput asks a library a question.
type QueryInput struct {
	ID    string   `json:"id" arg:"1" min:"1" max:"5000" help:"/ORGANISATION/PROJECT, with /VERSION or @VERSION for one version; \".\" or nothing: all that this project depends on"`
	Query string   `json:"query,omitempty" arg:"2" max:"5000" help:"a question, or words"`
	Words []string `json:"words,omitempty" flag:"words" help:"words and names that the page probably has, guessed: wrong ones do little harm"`
	// Libraries stands in place of ID, and the question is the only argument.
	Libraries []string `json:"libraries,omitempty" flag:"libraries" help:"query these together, by ID or name: a,b"`
	Page      string   `json:"page,omitempty" flag:"page" max:"2000" help:"read this page of the library instead, such as guide/routing.md"`
	Tokens    int      `json:"tokens,omitempty" flag:"tokens,budget" min:"50" max:"100000" default:"3000" help:"maximum tokens in the answer"`
	// Ranking is library.DefaultRanking where nothing is said.
	Ranking string `json:"ranking,omitempty" flag:"ranking" enum:"hybrid|lexical" help:"by words and meaning, or by words alone (default: hybrid)"`
	Explain bool   `json:"explain,omitempty" flag:"explain" help:"show the score breakdown of each snippet"`
	File
}

// ResolveArgs are what the tool resolve-library-id takes.
type ResolveArgs struct {
	Query       string `json:"query" help:"The user's question or task: ranks the matches."`
	LibraryName string `json:"libraryName" help:"The library's name, e.g. 'Next.js'."`
}

// Input returns the input of the operation behind the tool.
func (a ResolveArgs) Input() ResolveInput {
	return ResolveInput{Name: a.LibraryName, Query: a.Query, Limit: 10}
}

// QueryArgs are what the tool query-docs takes.
type QueryArgs struct {
	LibraryID string   `json:"libraryId" help:"Exact library ID (e.g. '/vercel/next.js', '/vercel/next.js/v16.0.0') from resolve-library-id or the user; several with commas; '.': all that this project depends on."`
	Query     string   `json:"query" help:"What to find out: specific, one topic."`
	Words     []string `json:"words,omitempty" help:"API names and words you guess the page has, e.g. ['matcher', 'NextResponse']."`
	Page      string   `json:"page,omitempty" max:"2000"` // in place of an answer to Query
}

// pageTokens is how much of a page is read that a client names by its URI.
const pageTokens = 20000

// Input returns the input of the operation behind the tool.
func (a QueryArgs) Input() QueryInput {
	in := QueryInput{ID: a.LibraryID, Query: a.Query, Words: a.Words, Page: a.Page, Tokens: 3000}
	if a.Page != "" {
		in.Tokens = pageTokens
	}
	return in
}

// SplitPage returns the library and the page that "org/project/guide.md" names, or "org/project@VERSION/guide.md". The library
// is empty if name has no page.
func SplitPage(name string) (id, page string) {
	parts := strings.SplitN(strings.TrimPrefix(name, "/"), "/", 3)
	if len(parts) < 3 || parts[2] == "" {
		return "", name
	}
	return "/" + parts[0] + "/" + parts[1], parts[2]
}
