package main

// A command is run on a disk that fails.
type command struct {
	name  string   // and its arguments; WORLD is the folder of the world
	input string   // its standard input
	first []string // what is run before, so that there is something
	edit  map[string]string
	asked []string          // what is asked before and after; "cat FILE" is a question, too
	again map[string]string // edits with which the command has something to do once more
	// nothing is run to find out how else there can be as little as before.
	nothing []string
	// log is a question whose answer is a log of what was done: of records, which are as
	// after, any may be missing.
	log string
	// parts says that the command writes several files, each whole or not at all. Unless
	// it is killed or has no room to, it undoes all of them or none.
	parts bool
}

var worldFiles = map[string]string{
	"proj/main.go":                  "package main\n\nimport \"fmt\"\n\n// Alpha is beta.\nfunc Alpha() int { return Beta() }\n\n// Beta is one.\nfunc Beta() int { return 1 }\n\nfunc main() { fmt.Println(Alpha()) }\n",
	"proj/sub/sub.go":               "package sub\n\n// Gamma calls nothing, alpha or beta.\nfunc Gamma() {}\n",
	"proj/README.md":                "# Project\n\n## Features\n\n- Alpha returns one.\n\n`func Beta() int { return 1 }` [${PROJECT_ROOT}/main.go:9]\n",
	"proj/NOTES.md":                 "# Notes\n\nWhat a person wrote.\n",
	"proj/.gitignore":               ".assay/\n",
	"proj/pages/index.md":           "# Routing\n\nHow to do routing:\n\n```go\nroute(\"/\")\n```\n",
	"proj/more/index.md":            "# Sending\n\nHow to do sending:\n\n```go\nsend(\"/\")\n```\n",
	"proj/exported.jsonl":           "{\"id\": \"1\", \"memory\": \"The queue of the mails is a database table.\", \"created_at\": \"2025-03-04T05:06:07Z\"}\n",
	"proj/go.mod":                   "module example.com/proj\n\ngo 1.26\n",
	"proj/.claude/settings.json":    "{\"mine\": 1}\n",
	"theirs/decisions/three.md":     "---\ntitle: Three\n---\nA third queue holds what failed.\n",
	"vault/decisions/db.md":         "---\ntitle: Database\n---\nWe chose a database with partial indexes.\n",
	"vault/decisions/two.md":        "---\ntitle: Two\n---\nTwo queues are better than one.\n",
	"home/config/assay/config.yaml": "search:\n  top_k: 7\n",
	"tmp/keep":                      "",
}

var (
	edited  = map[string]string{"proj/main.go": "package main\n\n// Alpha is delta now.\nfunc Alpha() int { return 2 }\n\nfunc main() { Alpha() }\n", "proj/new.go": "package main\n\n// Delta is alpha.\nfunc Delta() int { return Alpha() }\n"}
	further = map[string]string{"proj/third.go": "package main\n\nfunc Epsilon() int { return Alpha() }\n"}

	ofCode   = []string{"search alpha", "callers Alpha", "search delta", "index --check"}
	ofDocs   = []string{"docs list", "docs query /o/lib routing", "docs query /o/lib sending", "docs resolve lib"}
	ofMemory = []string{"memory list", "memory search queue", "memory search database", "memory list"}
)

var commands = []command{
	{name: "index", asked: ofCode[:3], again: further},
	{name: "index ", first: []string{"index"}, edit: edited, asked: ofCode, again: further},
	{name: "search delta", first: []string{"index"}, edit: edited, asked: ofCode, again: further},
	{name: "search delta --intent why --rationale so --expect code", first: []string{"index"}, edit: edited, asked: append([]string{"trajectory show"}, ofCode...), log: "trajectory show", again: further},
	{name: "docs ingest pages --id /o/lib", asked: ofDocs, nothing: []string{"docs ingest pages --id /o/lib", "docs remove /o/lib"}},
	{name: "docs ingest more --id /o/lib", first: []string{"docs ingest pages --id /o/lib"}, asked: ofDocs},
	{name: "docs import lib.db", first: []string{"docs ingest pages --id /o/lib", "docs export /o/lib lib.db", "docs remove /o/lib"}, asked: ofDocs},
	{name: "docs export /o/lib lib.db", first: []string{"docs ingest pages --id /o/lib"}, asked: append([]string{"docs import lib.db --db other.db"}, ofDocs...)},
	{name: "docs remove /o/lib", first: []string{"docs ingest pages --id /o/lib"}, asked: ofDocs},
	{name: "memory store --title New", input: "we chose a queue", first: []string{"memory rebuild"}, asked: ofMemory},
	{name: "memory forget decisions/db.md", first: []string{"memory rebuild"}, asked: ofMemory},
	{name: "memory rebuild", first: []string{"memory import"}, edit: map[string]string{"vault/new.md": "A third queue.\n"}, asked: ofMemory},
	{name: "memory import", first: []string{"memory rebuild"}, edit: map[string]string{"vault/new.md": "A third queue.\n"}, asked: ofMemory},
	{name: "memory import exported.jsonl", first: []string{"memory rebuild"}, asked: ofMemory},
	{name: "memory sync file://WORLD/remote", first: []string{"memory rebuild", "git init -q -b main ../theirs", "git -C ../theirs add -A",
		"git -C ../theirs -c user.name=a -c user.email=a@example.com commit -qm one", "git clone -q --bare ../theirs ../remote"}, asked: ofMemory},
	{name: "notes add main.go:6~returns~beta", asked: []string{"cat NOTES.md", "notes"}},
	{name: "setup claude --project --memory", asked: []string{"cat .mcp.json", "cat .claude/settings.json"}, parts: true},
	{name: "setup claude --project --memory --uninstall", first: []string{"setup claude --project --memory"}, asked: []string{"cat .mcp.json", "cat .claude/settings.json"}, parts: true},
	{name: "backup b.zip", first: []string{"memory rebuild", "docs ingest pages --id /o/lib"}, asked: append([]string{"restore b.zip --into out"}, ofDocs...)},
	{name: "restore b.zip --overwrite", first: []string{"memory rebuild", "backup b.zip", "memory forget decisions/db.md"}, asked: []string{"memory list", "config get search.top_k"}, parts: true},
	{name: "audit drift", first: []string{"index"}, asked: append([]string{"cat .assay/reports/drift-report.md"}, ofCode...), parts: true},
}
