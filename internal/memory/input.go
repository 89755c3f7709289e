package memory

// A SearchInput asks for what is remembered.
type SearchInput struct {
	Query   string   `json:"query" arg:"1" max:"8000" help:"words, a question, a name, a time; tag:NAME for a tag"`
	Words   []string `json:"words,omitempty" flag:"words" help:"words that the note probably has, guessed: wrong ones do little harm"`
	Max     int      `json:"max,omitempty" flag:"max,limit" min:"1" max:"100" help:"maximum hits (default 6; 30 for list all …, how many …)"`
	Source  string   `json:"source,omitempty" flag:"source" enum:"memory|sessions|all" default:"all" help:"notes, transcripts of sessions, or both"`
	Project string   `json:"project,omitempty" flag:"project" help:"only notes and sessions of this project: github.com/OWNER/NAME, or NAME"`
	Since   string   `json:"since,omitempty" flag:"since" max:"100" help:"only from then on: 2025-03-14, \"March 2025\", \"last week\", \"30 days\""`
	Before  string   `json:"before,omitempty" flag:"before" max:"100" help:"only from before then"`
	Between string   `json:"between,omitempty" flag:"between" max:"200" help:"only from the first to the second: \"2025-03-01 and 2025-04-15\""`
	Newest  bool     `json:"newest,omitempty" flag:"newest" help:"order hits by date, newest first"`
	Tag     []string `json:"tag,omitempty" flag:"tag" help:"only notes with this tag or one below it; repeatable; in QUERY as tag:NAME"`
	Speaker string   `json:"speaker,omitempty" flag:"speaker" enum:"user|assistant|tool" help:"only what this speaker said in sessions; tool: what answers repeat of a tool's output"`
	Explain bool     `json:"explain,omitempty" flag:"explain" help:"show the score breakdown of each hit"`
}

// A StoreInput is a note to be kept.
type StoreInput struct {
	Content    string   `json:"content,omitempty" arg:"1" stdin:"true" default:"-" help:"the note, in Markdown; front matter may have tags, expires, valid_from, valid_to, pinned, importance"`
	Title      string   `json:"title,omitempty" flag:"title" max:"200" help:"what it is about (default: its first words)"`
	Category   string   `json:"category,omitempty" flag:"category" enum:"preferences|facts|decisions|entities|other" default:"other" help:"preferences, facts, decisions, entities or other (default other)"`
	Topic      string   `json:"topic,omitempty" flag:"topic" max:"200" help:"the key of its matter: replaces the project's notes with it"`
	Supersedes string   `json:"supersedes,omitempty" flag:"supersedes" value:"PATH" help:"the path of the note that it replaces; if the note is stored already, the link is added"`
	Asked      []string `json:"asked,omitempty" flag:"asked" help:"a question that it answers, in other words than its own; repeatable"`
	Keywords   []string `json:"keywords,omitempty" flag:"keywords" help:"a word that it lacks and is sought by; repeatable"`
	Project    string   `json:"project,omitempty" flag:"project" help:"what it belongs to (default: the project of the working directory; none: nothing)"`

	source string
}

// An EditInput asks for a note to be changed.
type EditInput struct {
	Path  string `json:"path" arg:"1" help:"a note"`
	Text  string `json:"text,omitempty" flag:"text" stdin:"true" help:"the new text of the whole note, front matter included"`
	Was   string `json:"was,omitempty" flag:"was" help:"the text that was edited: refused if the note has changed since"`
	Pin   bool   `json:"pin,omitempty" flag:"pin" group:"pin" help:"pin it"`
	Unpin bool   `json:"unpin,omitempty" flag:"unpin" group:"pin" help:"unpin it"`
}

// A GetInput asks for the lines of a note or a session.
type GetInput struct {
	Path  string `json:"path" arg:"1" help:"PATH[:START[-END]] as search shows it; session:AGENT/ID for a session"`
	Start int    `json:"start_line,omitempty" flag:"start" min:"1" help:"the first line"`
	End   int    `json:"end_line,omitempty" flag:"end" min:"1" help:"the last line"`
}

// A ListInput asks for the notes.
type ListInput struct {
	Source   string `json:"source,omitempty" flag:"source" enum:"memory|sessions|all" default:"memory" help:"notes, transcripts of sessions, or both"`
	Category string `json:"category,omitempty" flag:"category" help:"only notes of it"`
	Project  string `json:"project,omitempty" flag:"project" help:"only what belongs to it"`
	Tag      string `json:"tag,omitempty" flag:"tag" help:"only notes with this tag or one below it"`
	Max      int    `json:"max,omitempty" flag:"max,limit" min:"1" max:"100000" help:"maximum items (default: all)"`
}

// A TimelineInput asks for the notes and sessions by day.
type TimelineInput struct {
	Since   string `json:"since,omitempty" flag:"since" max:"100" help:"only from then on: 2025-03-14, \"March 2025\", \"last week\", \"30 days\""`
	Before  string `json:"before,omitempty" flag:"before" max:"100" help:"only from before then"`
	Project string `json:"project,omitempty" flag:"project" help:"only what belongs to it"`
	Source  string `json:"source,omitempty" flag:"source" enum:"memory|sessions|all" default:"all" help:"notes, transcripts of sessions, or both"`
	Tag     string `json:"tag,omitempty" flag:"tag" help:"only notes with this tag or one below it"`
	Max     int    `json:"max,omitempty" flag:"max,limit" min:"1" max:"100000" help:"maximum items (default: all)"`
}

// A LinksInput asks what hangs together with a note.
type LinksInput struct {
	Path  string `json:"path,omitempty" arg:"1" help:"a note, as search shows it; without one, the links of all notes"`
	Depth int    `json:"depth,omitempty" flag:"depth" min:"1" max:"5" default:"1" help:"how many links away"`
}

// A ForgetInput says what is to be forgotten.
type ForgetInput struct {
	Path    string `json:"path,omitempty" arg:"1" help:"a note"`
	Session string `json:"session,omitempty" flag:"session" help:"a session and its digest: ID or AGENT/ID"`
	Query   string `json:"query,omitempty" flag:"query" help:"every note that contains all these words, small ones too; see --dry-run"`
	DryRun  bool   `json:"dry_run,omitempty" flag:"dry-run" help:"only show what would be forgotten"`
}

// A RebuildInput asks for the index to be rebuilt.
type RebuildInput struct{}

// A DoctorInput asks what state memory is in.
type DoctorInput struct{}

// An AuditInput asks what is wrong with the notes.
type AuditInput struct{}

// An EnrichInput has the questions that some notes answer, or asks for the next notes without.
type EnrichInput struct {
	Answers string `json:"answers,omitempty" arg:"1" stdin:"true" help:"the JSON that it printed, filled in; - reads it from standard input"`
}

// An ImportInput asks for the notes of another program to be stored, or, where it names
// none, for the index to be brought up to date with the vault and the sessions now.
type ImportInput struct {
	Path     string `json:"path,omitempty" arg:"1" help:"an export, a folder of notes, CLAUDE.md or AGENTS.md; without it, index what is new"`
	From     string `json:"from,omitempty" flag:"from" enum:"claude-mem|mem0|engram|mempalace|basic-memory|instructions|folder" help:"the program that exported it (default: detected)"`
	Project  string `json:"project,omitempty" flag:"project" help:"the project of notes that do not name one"`
	Category string `json:"category,omitempty" flag:"category" enum:"preferences|facts|decisions|entities|other" help:"the category of notes that do not name one (default: other)"`
	DryRun   bool   `json:"dry_run,omitempty" flag:"dry-run" help:"only show what would be imported"`
}

// A ShareInput asks for the notes to be merged with those of a remote.
type ShareInput struct {
	Remote   string `json:"remote,omitempty" arg:"1" max:"2000" out:"folder" help:"a git repository: a URL or a folder (default: the last one used)"`
	Removals bool   `json:"removals,omitempty" flag:"removals" help:"also if most notes would be removed"`
}

// A WatchInput asks for the index to be kept up to date until interrupted.
type WatchInput struct {
	Quiet bool `json:"quiet,omitempty" flag:"quiet,q" help:"print nothing"`
}

// A HookInput is an event of an agent's session.
type HookInput struct {
	Agent   string `json:"agent" arg:"1" enum:"opencode|claude|codex|cursor" help:"the agent whose session it is"`
	Event   string `json:"event" arg:"2" enum:"session-start|prompt|brief|pre-compact|idle|session-end" help:"what happened"`
	Payload string `json:"payload,omitempty" arg:"3" stdin:"true" default:"-" help:"the agent's description of the event, as JSON"`
	Now     bool   `json:"now,omitempty" flag:"now" help:"run in this process, however long it takes"`
}

// SearchArgs are the arguments of memory_search.
type SearchArgs struct {
	Query      string   `json:"query" min:"1" max:"8000" help:"words, a question, a name, a date"`
	Words      []string `json:"words,omitempty" help:"guess words the note has, e.g. [\"Kafka\",\"broker\"]"`
	MaxResults int      `json:"maxResults,omitempty" min:"1" max:"100" help:"default 6"`
	Source     string   `json:"source,omitempty" enum:"memory|sessions|all" default:"all" help:"notes, past sessions, or both"`
	Since      string   `json:"since,omitempty" max:"100" help:"2025-03-14, March 2025, last week"`
	Before     string   `json:"before,omitempty" max:"100"`
	Newest     bool     `json:"newest,omitempty" help:"newest first"`
	Tag        string   `json:"tag,omitempty" max:"100"`
	Speaker    string   `json:"speaker,omitempty" enum:"user|assistant|tool" help:"who said it, in sessions"`
}

// Input returns the search that the arguments ask for.
func (a SearchArgs) Input() SearchInput {
	in := SearchInput{Query: a.Query, Words: a.Words, Max: a.MaxResults, Source: a.Source, Since: a.Since, Before: a.Before, Newest: a.Newest, Speaker: a.Speaker}
	if a.Tag != "" {
		in.Tag = []string{a.Tag}
	}
	return in
}

// StoreArgs are the arguments of memory_store.
type StoreArgs struct {
	Content  string   `json:"content" min:"1" max:"200000" help:"one thing worth knowing in a later session, in Markdown; front matter may have tags, expires, pinned"`
	Title    string   `json:"title,omitempty" max:"200"`
	Category string   `json:"category,omitempty" enum:"preferences|facts|decisions|entities|other" default:"other"`
	Topic    string   `json:"topic,omitempty" max:"200" help:"key of its matter, e.g. deploy-target: replaces earlier notes with it"`
	Asked    []string `json:"asked,omitempty" help:"3 questions it answers, e.g. of pgbouncer: [\"why do DB connections run out?\"]"`
	Keywords []string `json:"keywords,omitempty" help:"six words it lacks, e.g. [\"pool\",\"Postgres\"]"`
	// The path is one that memory_search or memory_store told.
	Supersedes string `json:"supersedes,omitempty" help:"path of the note that it replaces"`
}

// Input returns the note that the arguments are.
func (a StoreArgs) Input() StoreInput {
	return StoreInput{Content: a.Content, Title: a.Title, Category: a.Category, Topic: a.Topic, Asked: a.Asked, Keywords: a.Keywords,
		Supersedes: a.Supersedes, source: "agent"}
}

// GetArgs are the arguments of memory_get.
type GetArgs struct {
	FilePath  string `json:"filePath" help:"path as memory_search shows it"`
	StartLine int    `json:"startLine,omitempty" min:"1"`
	EndLine   int    `json:"endLine,omitempty" min:"1"`
}

// Input returns the lines that the arguments ask for.
func (a GetArgs) Input() GetInput { return GetInput{a.FilePath, a.StartLine, a.EndLine} }
