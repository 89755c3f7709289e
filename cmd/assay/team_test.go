//go:build !slim

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/docs"
	"github.com/assay-dev/assay/internal/memory"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/team"
)

// tenants are a server of two teams, with what each alone may know.
type tenants struct {
	t      *testing.T
	dir    string
	base   string
	tokens map[string]string
	said   *saying
}

// A mark is a word that only the data of its owner has. None is ever asked for.
func mark(owner string) string { return strings.ToUpper(owner) + "-MARK-7731" }

// serveTenants starts the program's own server over two teams that share one repository.
// What the user who runs it has is nobody's.
func serveTenants(t *testing.T) *tenants {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	x := &tenants{t: t, dir: dir, tokens: map[string]string{}, said: &saying{}}
	for name, value := range map[string]string{"HOME": "home", "XDG_CONFIG_HOME": "home/config", "XDG_CACHE_HOME": "home/cache", "XDG_DATA_HOME": "home/data"} {
		t.Setenv(name, filepath.Join(dir, value))
	}
	x.write("home/owner.go", "package home\n\n// zebra "+mark("owner")+"\nfunc Zebra() {}\n")
	t.Chdir(filepath.Join(dir, "home"))
	x.write("common/shared.go", "package common\n\n// Zebra of all.\nfunc Zebra() { Stripe() }\n\nfunc Stripe() {}\n")
	x.write("common/grimoires/loa/a2a/trajectory/.keep", "")
	s, err := settings()
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	keep := func(c memory.Config, text string) {
		f := memory.New(c)
		if _, err := f.Store(ctx, memory.StoreInput{Content: text}); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	ingest := func(db, id, text string) {
		x.write("src-"+filepath.Base(id)+"/guide.md", "# Zebra\n\n"+text+"\n\n```go\nzebra.Run(\""+text+"\")\n```\n")
		c := s.docs
		c.DB = db
		f := docs.New(c)
		if _, err := f.Ingest(ctx, docs.IngestInput{Where: docs.Where{Source: filepath.Join(dir, "src-"+filepath.Base(id)), ID: id}, File: docs.File{DB: db}}); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	keep(s.memory(), "The zebra decision is "+mark("owner"))
	ingest(s.docs.DB, "/owner/lib", mark("owner"))
	for _, name := range []string{"red", "blue"} {
		x.write(name+"/"+name+"only.go", "package "+name+"\n\n// Zebra is "+mark(name)+".\nfunc Zebra() string { return \""+mark(name)+"\" }\n\nfunc "+name+"Caller() { Zebra() }\n")
		ingest(filepath.Join(dir, name+".db"), "/"+name+"/lib", mark(name))
		at := filepath.Join(dir, "data", "teams", name)
		m := s.memory()
		m.WorkDir, m.Vault, m.DB, m.StateDir, m.Sources = at, filepath.Join(at, "notes"), filepath.Join(at, "memory.db"), filepath.Join(at, "state"), nil
		if err := os.MkdirAll(at, 0o700); err != nil {
			t.Fatal(err)
		}
		keep(m, "The zebra decision of "+name+" was taken after all who came had said what they had to say, and it is "+mark(name))
		if x.tokens[name], _, err = team.AddToken(filepath.Join(dir, "tokens.txt"), name, name+"-user", team.Write, time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if x.tokens["admin"], _, err = team.AddToken(filepath.Join(dir, "tokens.txt"), "blue", "admin", team.Administer, time.Now()); err != nil {
		t.Fatal(err)
	}
	ofRed, ofBlue := x.traps()
	x.write("work.yaml", "repositories: [{path: red}, {path: blue}, {path: common}, {path: home}, {path: linked}, {path: worktree}, {path: indexed}, {path: settings},\n"+
		"  {path: mono, name: mono-red, include: [red-part]}, {path: mono, name: mono-blue, include: [blue-part]}]\n")
	x.write("team.yaml", "workspace: work.yaml\ndata: data\ntokens: tokens.txt\naccess_log: access.jsonl\nteams:\n"+
		"  red: {repos: [red, common, "+strings.Join(ofRed, ", ")+"], docs: [red.db], memory: true}\n  blue: {repos: [blue, common, "+strings.Join(ofBlue, ", ")+"], docs: [blue.db], memory: true}\n")
	ctx, stop := context.WithCancel(context.Background())
	at, done := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		done <- s.teams("test")(ctx, filepath.Join(dir, "team.yaml"), mcp.HTTPOptions{Addr: "127.0.0.1:0", Ready: func(a net.Addr) { at <- a }}, x.said)
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	select {
	case a := <-at:
		x.base = "http://" + a.String()
	case err := <-done:
		done <- nil
		t.Fatal(err)
	}
	return x
}

func (x *tenants) write(name, text string) {
	x.t.Helper()
	path := filepath.Join(x.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		x.t.Fatal(err)
	}
}

// ask sends a message of the protocol as a team, and returns the whole answer.
func (x *tenants) ask(name, method string, params any) string {
	x.t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		x.t.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, x.base+"/mcp", bytes.NewReader(body))
	if err != nil {
		x.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer "+x.tokens[name])
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		x.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		x.t.Fatal(err)
	}
	return string(b)
}

func (x *tenants) call(name, tool string, args map[string]any) string {
	x.t.Helper()
	return x.ask(name, "tools/call", map[string]any{"name": tool, "arguments": args})
}

// A param is a parameter of a tool, by its schema.
type param struct {
	Type string
	Enum []any
}

// A listed tool, with its parameters.
type listedTool struct {
	Name        string
	InputSchema struct {
		Properties map[string]param
		Required   []string
	}
}

func (x *tenants) tools(name string) []listedTool {
	x.t.Helper()
	var got struct {
		Result struct{ Tools []listedTool }
	}
	if err := json.Unmarshal([]byte(x.ask(name, "tools/list", map[string]any{})), &got); err != nil || len(got.Result.Tools) == 0 {
		x.t.Fatalf("no tools: %v", err)
	}
	return got.Result.Tools
}

// told collects the short texts of a JSON answer: names, paths, cursors.
func told(v any, to map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			told(e, to)
		}
	case []any:
		for _, e := range v {
			told(e, to)
		}
	case string:
		if len(v) > 3 && len(v) < 400 && !strings.ContainsAny(v, " \n") {
			to[v] = true
		}
	}
}

// plain are arguments with which a tool finds what its team has.
func plain(tool listedTool) map[string]any {
	args := map[string]any{}
	for _, name := range tool.InputSchema.Required {
		args[name] = "zebra"
	}
	switch tool.Name {
	case "assay":
		args["query_type"], args["pattern"] = "refs", "Zebra"
	case "semantic_search", "hybrid_search":
		args["threshold"] = 0
	case "regex_search":
		args["query"] = "[zZ]ebra"
	}
	return args
}

// tried are what a parameter is tried with, beside what a team was told.
func tried(p param, texts []string) (out []any) {
	switch p.Type {
	case "integer", "number":
		return []any{-1, 0, 1, 7, 1 << 40}
	case "boolean":
		return []any{true, false}
	case "array":
		for _, s := range texts {
			out = append(out, []string{s})
		}
		return out
	}
	for _, s := range texts {
		out = append(out, s)
	}
	return append(out, p.Enum...)
}

func storesNotes(tool string) bool { return tool == "memory_store" || tool == "memory_digest" }

// Whatever a team sends, with every parameter of every tool, it is told nothing that only
// another team has, nothing of the user who runs the server, and changes nothing of another:
// not by another's paths, names, cursors, notes and libraries either.
func TestTenants(t *testing.T) {
	x := serveTenants(t)
	own := map[string]bool{} // what the tools tell red
	for _, tool := range x.tools("red") {
		if storesNotes(tool.Name) {
			continue
		}
		args := plain(tool)
		if tool.Name == "query-docs" {
			args = map[string]any{"libraryId": "/red/lib", "query": "zebra"}
		}
		found := false
		for _, size := range []int{0, 1} {
			if _, pages := tool.InputSchema.Properties["page_size"]; size > 0 && pages {
				args["page_size"] = size
			} else if _, limited := tool.InputSchema.Properties["limit"]; size > 0 && limited {
				args["limit"] = size
			}
			said := x.call("red", tool.Name, args)
			var v any
			if err := json.Unmarshal([]byte(said), &v); err != nil {
				t.Fatal(err)
			}
			told(v, own)
			found = found || strings.Contains(said, mark("red")) || strings.Contains(said, "redonly")
		}
		// The test can see a leak only of what there is to see.
		if !found && tool.Name != "resolve-library-id" && tool.Name != "memory_get" {
			t.Errorf("%s finds nothing of red's for red", tool.Name)
		}
	}
	x.stolen()
	notes, _ := filepath.Glob(filepath.Join(x.dir, "data/teams/red/notes/*/*.md"))
	more, _ := filepath.Glob(filepath.Join(x.dir, "data/teams/red/notes/*.md"))
	if notes = append(notes, more...); len(notes) == 0 {
		t.Fatal("red has no note")
	}
	for _, note := range notes {
		rel, _ := filepath.Rel(filepath.Join(x.dir, "data/teams/red/notes"), note)
		for _, s := range []string{note, rel, "../red/notes/" + rel, "../../red/notes/" + rel, "/../red/notes/" + rel} {
			own[s] = true
		}
	}
	for _, s := range []string{"red", "home", "../red", "red/redonly.go", filepath.Join(x.dir, "red"), filepath.Join(x.dir, "red", "redonly.go"), filepath.Join(x.dir, "red.db"), "../../../red/redonly.go", "/red/lib", "/owner/lib",
		filepath.Join(x.dir, "home"), filepath.Join(x.dir, "home", "owner.go"), ".", "/", "..", "**", "*", "zebra", "Zebra", "redCaller", "session:claude/x", "file://" + x.dir + "/red", x.dir + "/red/redonly.go:Zebra", x.dir + "/blue/../red/redonly.go"} {
		own[s] = true
	}
	maps.DeleteFunc(own, func(s string, _ bool) bool {
		return slices.ContainsFunc(x.secrets(), func(secret string) bool { return strings.Contains(s, secret) })
	})
	texts := slices.Sorted(maps.Keys(own))
	before := hashes(t, filepath.Join(x.dir, "data/teams/red/notes"))
	calls := 0
	try := func(tool string, args map[string]any) {
		calls++
		said := x.call("blue", tool, args)
		asked, _ := json.Marshal(args)
		for _, secret := range []string{mark("red"), mark("owner")} {
			if strings.Contains(said, secret) {
				t.Errorf("blue is told %s by %s %s: %.600s", secret, tool, asked, said)
			}
		}
		for _, name := range []string{"redonly", "redCaller", "redpart", "redPart", "redhidden", "redHidden", "owner.go"} {
			// What blue stores itself, it is told again.
			if strings.Contains(said, name) && !strings.Contains(string(asked), name) && args["cursor"] == nil && !storesNotes(tool) {
				t.Errorf("blue is told of %s by %s %s: %.600s", name, tool, asked, said)
			}
		}
	}
	tools := x.tools("blue")
	// Tools that store notes come last, because the others tell blue what it stored.
	slices.SortStableFunc(tools, func(a, b listedTool) int {
		switch {
		case storesNotes(a.Name) == storesNotes(b.Name):
			return 0
		case storesNotes(a.Name):
			return 1
		}
		return -1
	})
	for _, tool := range tools {
		for _, name := range slices.Sorted(maps.Keys(tool.InputSchema.Properties)) {
			for _, v := range sample(tried(tool.InputSchema.Properties[name], texts), 3, 20) {
				args := plain(tool)
				args[name] = v
				if s, ok := v.(string); ok && name == "intent" {
					args[name], args["repo"] = "BLUE-INTENT "+s, []string{"common"}
				}
				try(tool.Name, args)
			}
		}
		if tool.Name == "assay" {
			for _, kind := range tool.InputSchema.Properties["query_type"].Enum {
				for _, s := range sample(texts, 3, 20) {
					try("assay", map[string]any{"query_type": kind, "pattern": s})
				}
			}
		}
		for _, hidden := range []string{"root", "index_dir", "workspace", "db", "vault", "embed"} { // which no tool has
			try(tool.Name, map[string]any{hidden: filepath.Join(x.dir, "red"), "query": "zebra"})
		}
	}
	t.Logf("%d calls with %d texts", calls, len(texts))
	x.drawAll(tools, texts)
	if after := hashes(t, filepath.Join(x.dir, "data/teams/red/notes")); !maps.Equal(before, after) {
		t.Error("what blue sent changed a note of red's")
	}
	if err := filepath.WalkDir(filepath.Join(x.dir, "common"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if b, err := os.ReadFile(path); err != nil || bytes.Contains(b, []byte("BLUE-INTENT")) {
			return fmt.Errorf("what blue asked is in %s: %v", path, err)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
}

// hashes are the contents of the files below a folder.
func hashes(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			var b []byte
			b, err = os.ReadFile(path)
			out[path] = string(b)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}
