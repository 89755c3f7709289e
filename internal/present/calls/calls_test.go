package calls

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var day = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func record(t *testing.T, dir, project string) *Recorder {
	t.Helper()
	r, err := Record(dir, project, day)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// A record says what was asked and what it cost, of which no secret and no text of a note is a part.
func TestRecord(t *testing.T) {
	dir, project := filepath.Join(t.TempDir(), "calls"), t.TempDir()
	if err := os.WriteFile(filepath.Join(project, "a.go"), make([]byte, 8600), 0o644); err != nil {
		t.Fatal(err)
	}
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	r := record(t, dir, project)
	r.Add(Done{Tool: "hybrid_search", Client: "agent", Arguments: []byte(`{"query":"where is ` + secret + `\nkept"}`),
		Answer: []byte(`{"hits":[{"path":"a.go"},{"path":"a.go"},{"path":"gone.go"}],"notes":["x"],"total":3}`), Text: 860, Began: day, Took: 12 * time.Millisecond})
	r.Add(Done{Tool: "memory_store", Arguments: []byte(`{"content":"private words"}`), Began: day.Add(time.Second), Failed: true})
	r.Add(Done{Tool: "regex_search", Arguments: []byte(`{"pattern":"` + strings.Repeat("a b ", 999) + `"}`), Began: day.Add(-time.Second)})
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	r.Add(Done{Tool: "late"})
	got, err := Read(dir)
	if err != nil || len(got) != 3 {
		t.Fatal(got, err)
	}
	if c := got[0]; c.Tool != "memory_store" || c.Query != "" || !c.Failed || c.Running {
		t.Errorf("%+v", c)
	}
	if c := got[1]; c.Hits != 3 || c.Tokens != 250 || c.Whole != 2500 || c.MS != 12 || c.Client != "agent" || strings.Contains(c.Query, secret) || !strings.HasPrefix(c.Query, "where is [redacted:") {
		t.Errorf("%+v", c)
	}
	if n := len([]rune(got[2].Query)); n > maxQuery {
		t.Errorf("a question of %d characters", n)
	}
	for _, name := range []string{".", r.name} {
		if st, err := os.Stat(filepath.Join(dir, name)); err != nil || st.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v %v", name, st.Mode(), err)
		}
	}
}

// Records of many calls at once are whole, say that their server runs, and have a size that they do not exceed.
func TestBounds(t *testing.T) {
	dir := t.TempDir()
	r := record(t, dir, "/p")
	for range 2000 { // beyond what one file holds, before the recorder writes one itself
		r.append([]byte(strings.Repeat("x", 200) + "\n"))
		if st, err := os.Stat(filepath.Join(dir, r.name)); err == nil && st.Size() > maxFile {
			t.Fatal(st.Size())
		}
	}
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			for j := range 400 {
				r.Add(Done{Tool: fmt.Sprintf("t%d", i), Arguments: []byte(`{"query":"` + strings.Repeat("word ", 40) + `"}`), Began: day.Add(time.Duration(j) * time.Second)})
			}
		})
	}
	wg.Wait()
	r.queue <- Done{Tool: "last", Began: day.Add(time.Hour)} // Add drops a call where the queue is full
	r.drain()
	got, err := Read(dir)
	if err != nil || len(got) == 0 || got[0].Tool != "last" {
		t.Fatal("the last call is not recorded", err)
	}
	if !got[0].Running || len(got) > maxRead {
		t.Errorf("%+v of %d", got[0], len(got))
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) > 3 { // two of records and the lock
		t.Error(files, err)
	}
}

// A server removes the records of others that ended, when they are old or many, and of none that runs.
func TestTidy(t *testing.T) {
	dir := t.TempDir()
	running := record(t, dir, "/p")
	running.Add(Done{Tool: "x", Began: day})
	for i := range maxFiles + 5 {
		name := filepath.Join(dir, fmt.Sprintf("1-%06d%s", i, ending))
		if err := os.WriteFile(name, []byte("{\"tool\":\"x\"}\nno record\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		at := day.Add(-time.Duration(i) * time.Minute)
		if i == 0 {
			at = day.Add(-maxAge - time.Hour)
		}
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	running.drain()
	if err := os.Chtimes(filepath.Join(dir, running.name), day.AddDate(-1, 0, 0), day.AddDate(-1, 0, 0)); err != nil {
		t.Fatal(err)
	}
	record(t, dir, "/p")
	left, err := filepath.Glob(filepath.Join(dir, "*"+ending))
	if err != nil || len(left) != maxFiles+1 { // and that of the one that runs
		t.Errorf("%d files %v", len(left), err)
	}
	if _, err := os.Stat(filepath.Join(dir, "1-000000"+ending)); err == nil {
		t.Error("the oldest is still there")
	}
	if _, err := os.Stat(filepath.Join(dir, running.name)); err != nil {
		t.Error("what a running server wrote is gone:", err)
	}
}

// A folder that is not there has no calls, and a link in it is not followed.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	if got, err := Read(filepath.Join(dir, "none")); err != nil || got != nil {
		t.Error(got, err)
	}
	other := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(other, []byte(`{"tool":"x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, filepath.Join(dir, "y.jsonl")); err == nil {
		if got, err := Read(dir); err != nil || len(got) != 0 {
			t.Error(got, err)
		}
	}
}
