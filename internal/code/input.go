package code

import "github.com/assay-dev/assay/internal/code/workspace"

// A SearchInput asks for code. Mode is hybrid unless one of the flags says
// otherwise; with Cursor, everything but Query comes from the page before.
type SearchInput struct {
	Query string   `json:"query" arg:"1" stdin:"true" help:"words, a question, a symbol, an issue, a log or a trace; with --regex, an RE2 pattern"`
	Paths []string `json:"paths,omitempty" arg:"rest" flag:"path" help:"only these files or folders"`
	Words []string `json:"words,omitempty" flag:"words" help:"words and identifiers that the code probably has, guessed: wrong ones do no harm"`

	Hybrid   bool `json:"hybrid,omitempty" flag:"hybrid" group:"mode" help:"search by words and meaning together (the default)"`
	Semantic bool `json:"semantic,omitempty" flag:"semantic,sem" group:"mode" help:"search by meaning only"`
	Lexical  bool `json:"lexical,omitempty" flag:"lexical,lex" group:"mode" help:"search by words only"`
	Regex    bool `json:"regex,omitempty" flag:"regex" group:"mode" help:"find every line that matches a pattern"`

	IgnoreCase bool `json:"ignore_case,omitempty" flag:"ignore-case,i" help:"--regex: ignore case"`
	SmartCase  bool `json:"smart_case,omitempty" flag:"smart-case,S" help:"--regex: ignore case unless the pattern has upper-case letters"`
	Fixed      bool `json:"fixed_strings,omitempty" flag:"fixed-strings,F" help:"--regex: the pattern is a plain string"`
	Word       bool `json:"word_regexp,omitempty" flag:"word-regexp,w" help:"--regex: match whole words only"`
	Multiline  bool `json:"multiline,omitempty" flag:"multiline,U" help:"--regex: a match may span lines"`

	TopK      int      `json:"top_k,omitempty" flag:"top-k,topk,limit" min:"1" max:"1000" help:"maximum hits (default 10; --regex: all)"`
	Threshold *float64 `json:"threshold,omitempty" flag:"threshold" min:"0" max:"1" help:"drop hits with a lower score"`
	Least     float64  `json:"least,omitempty" flag:"least" min:"0" max:"1" help:"if a hit scores at least SCORE, also show hits with at least half of it; otherwise the best hits that contain most of the words"`
	Languages []string `json:"lang,omitempty" flag:"lang" help:"only these languages"`
	Globs     []string `json:"glob,omitempty" flag:"glob,g" help:"only paths that match"`
	Excludes  []string `json:"exclude,omitempty" flag:"exclude" help:"exclude paths that match"`
	NoTests   bool     `json:"no_tests,omitempty" flag:"no-tests" help:"exclude tests"`

	FullSection bool   `json:"full_section,omitempty" flag:"full-section" help:"show the whole enclosing function or class"`
	Context     int    `json:"context,omitempty" flag:"context,C" min:"0" max:"200" help:"lines around each hit"`
	Before      int    `json:"before_context,omitempty" flag:"before-context,B" min:"0" max:"200" help:"lines before each hit"`
	After       int    `json:"after_context,omitempty" flag:"after-context,A" min:"0" max:"200" help:"lines after each hit"`
	Budget      *int   `json:"budget,omitempty" flag:"budget,tokens" min:"0" max:"1000000" help:"maximum tokens of text; 0: no limit (default: 4000, 10000 as JSON, none on a terminal or with --regex)"`
	PageSize    int    `json:"page_size,omitempty" flag:"page-size" min:"1" max:"1000" help:"hits per page"`
	Cursor      string `json:"cursor,omitempty" flag:"cursor" help:"continue after the page that returned this cursor"`
	Explain     bool   `json:"explain,omitempty" flag:"explain" help:"show the score breakdown of each hit"`
	Full        bool   `json:"full,omitempty" flag:"full" group:"output" help:"show every hit, even if more than 20 would be summarised"`
	Files       bool   `json:"files,omitempty" flag:"files" group:"output" help:"print paths only"`
	References  bool   `json:"references,omitempty" flag:"references" help:"without snippets: only references"`

	Intent    string `json:"intent,omitempty" flag:"intent" help:"trajectory: the goal of the search"`
	Rationale string `json:"rationale,omitempty" flag:"rationale" help:"trajectory: the reason for the search"`
	Expect    string `json:"expect,omitempty" flag:"expect" help:"trajectory: the expected result"`
	Agent     string `json:"agent,omitempty" flag:"agent" help:"trajectory: the agent that searches"`

	workspace.Trees
	Place
	NoRefresh bool `json:"no_refresh,omitempty" flag:"no-refresh" help:"answer from the index without updating it"`
}

// A Place says which tree is meant and where its index lies.
type Place struct {
	Root     string `json:"root,omitempty" flag:"root" help:"the project's folder (default: found from the path or the working directory)"`
	IndexDir string `json:"index_dir,omitempty" flag:"index-dir" out:"folder" help:"folder of the index (default: ROOT/.assay/index)"`
	NoIgnore bool   `json:"no_ignore,omitempty" flag:"no-ignore" help:"also read what ignore files exclude, into a separate index"`
	Embed    string `json:"embed,omitempty" flag:"embed" help:"embedding provider: static, model2vec, openai, openai-compatible or none"`
}

// A SimilarInput asks for code like the code at a place.
type SimilarInput struct {
	At        string   `json:"at" arg:"1" help:"FILE:LINE"`
	TopK      int      `json:"top_k,omitempty" flag:"top-k,topk,limit" min:"1" max:"1000" help:"maximum hits (default 10)"`
	Threshold *float64 `json:"threshold,omitempty" flag:"threshold" min:"0" max:"1" help:"drop hits with a lower score"`
	Budget    *int     `json:"budget,omitempty" flag:"budget,tokens" min:"0" max:"1000000" help:"maximum tokens of text; 0: no limit (default: 10000, none on a terminal)"`
	Explain   bool     `json:"explain,omitempty" flag:"explain" help:"show the score breakdown of each hit"`
	Place
}

// An IndexInput asks for the index of a tree to be built or refreshed.
type IndexInput struct {
	Path  string `json:"path,omitempty" arg:"1" help:"the folder (default: the project around the working directory)"`
	Delta bool   `json:"delta,omitempty" flag:"delta" group:"how" help:"index only what changed (the default)"`
	Full  bool   `json:"full,omitempty" flag:"full" group:"how" help:"rebuild from scratch"`
	Quiet bool   `json:"quiet,omitempty" flag:"quiet,q" help:"print nothing"`
	Check bool   `json:"check,omitempty" flag:"check" help:"verify every row and block of the index; report damage, repair nothing"`
	Tree  bool   `json:"against_tree,omitempty" flag:"against-tree" help:"with --check: compare with an index built from the current files"`
	Place
}

// A StatusInput asks what the index of a tree holds.
type StatusInput struct {
	Path     string `json:"path,omitempty" arg:"1" help:"the folder (default: the project around the working directory)"`
	Excluded bool   `json:"excluded,omitempty" flag:"excluded" help:"also list the files that are not ranked, with the reasons"`
	Place
}

// A WatchInput asks for an index to be kept fresh until interrupted.
type WatchInput struct {
	Path  string `json:"path,omitempty" arg:"1" help:"the folder (default: the project around the working directory)"`
	Quiet bool   `json:"quiet,omitempty" flag:"quiet,q" help:"print nothing"`
	Place
}

// ToolArgs are the arguments of semantic_search and hybrid_search.
type ToolArgs struct {
	Query       string   `json:"query" min:"3" max:"500" help:"what to find: words, a question, a symbol"`
	Words       []string `json:"words,omitempty" help:"guess identifiers the code has, e.g. [\"retry\",\"backoff\",\"maxAttempts\"]: wrong ones cost little"`
	Text        string   `json:"text,omitempty" max:"1000000" help:"issue, log, trace or diff to search by; query is its title"`
	Path        []string `json:"path,omitempty" single:"true" pattern:"^[^\\x00-\\x1f]*$" help:"file or folder to search (default: the root)"`
	Repos       []string `json:"repo,omitempty"`
	TopK        int      `json:"top_k,omitempty" min:"1" max:"100" default:"20"`
	Threshold   *float64 `json:"threshold,omitempty" min:"0" max:"1"`
	PageSize    int      `json:"page_size,omitempty" min:"1" max:"100" default:"10"`
	Cursor      string   `json:"cursor,omitempty" help:"cursor from the previous page"`
	Budget      int      `json:"budget,omitempty" min:"50" max:"100000" default:"2000" help:"maximum tokens in the answer"`
	FullSection bool     `json:"full_section,omitempty" help:"whole enclosing function or class"`
	Intent      string   `json:"intent,omitempty"`
	Rationale   string   `json:"rationale,omitempty"`
	Expect      string   `json:"expect,omitempty"`
	Agent       string   `json:"agent,omitempty"`
}

// Input returns the search that the arguments ask for; least is what hits have to score
// where they do not say it, unless none does.
func (a ToolArgs) Input(least float64) SearchInput {
	in := SearchInput{Query: a.Query, Words: a.Words, TopK: a.TopK, PageSize: a.PageSize, Cursor: a.Cursor, Budget: &a.Budget, FullSection: a.FullSection,
		Threshold: a.Threshold, Least: least, References: true, Intent: a.Intent, Rationale: a.Rationale, Expect: a.Expect, Agent: a.Agent}
	in.Paths, in.Repos = a.Path, a.Repos
	if a.Text != "" {
		in.Query += "\n\n" + a.Text
	}
	return in
}

// RegexArgs are the arguments of regex_search.
type RegexArgs struct {
	Query      string   `json:"query" min:"3" max:"500" help:"RE2 pattern"`
	Path       []string `json:"path,omitempty" single:"true" pattern:"^[^\\x00-\\x1f]*$" help:"file or folder to search (default: the root)"`
	Repos      []string `json:"repo,omitempty"`
	IgnoreCase bool     `json:"ignore_case,omitempty"`
	TopK       int      `json:"top_k,omitempty" min:"1" max:"100" default:"20"`
	PageSize   int      `json:"page_size,omitempty" min:"1" max:"100" default:"10"`
	Cursor     string   `json:"cursor,omitempty" help:"cursor from the previous page"`
	Budget     int      `json:"budget,omitempty" min:"50" max:"100000" default:"2000" help:"maximum tokens in the answer"`
	Intent     string   `json:"intent,omitempty"`
	Rationale  string   `json:"rationale,omitempty"`
	Expect     string   `json:"expect,omitempty"`
	Agent      string   `json:"agent,omitempty"`
}

// Input returns the search that the arguments ask for.
func (a RegexArgs) Input() SearchInput {
	return SearchInput{Query: a.Query, Paths: a.Path, Trees: workspace.Trees{Repos: a.Repos}, Regex: true, IgnoreCase: a.IgnoreCase, TopK: a.TopK, PageSize: a.PageSize,
		Cursor: a.Cursor, Budget: &a.Budget, References: true, Intent: a.Intent, Rationale: a.Rationale, Expect: a.Expect, Agent: a.Agent}
}
