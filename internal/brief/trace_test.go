package brief_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/brief"
	"github.com/assay-dev/assay/internal/code/workspace"
	"github.com/assay-dev/assay/internal/docs/library"
	"github.com/assay-dev/assay/internal/memory/vault"
)

// Traces as six languages print them. The code has moved since: lines were added above, or
// the function went to another file.
func TestFrames(t *testing.T) {
	f, _ := project(t, `
-- app/store.py --
# one
# two
# three


class Store:
    def load(self, key):
        value = self.rows[key]
        return value
-- app/view.py --
def show(store):
    return store.load("x")
-- src/Cache.java --
package com.example;

// moved down
class Cache {
    int size;

    String find(String key) {
        return lookup(key).trim();
    }
}
-- web/cart.js --
// moved
// down
function addItem(cart, item) {
  cart.items.push(item)
}
module.exports = { addItem }
-- pkg/queue/drain.go --
package queue

// Drain moved here from queue.go.
func (q *Queue) Drain() error {
	return q.next().run()
}
-- pkg/queue/queue.go --
package queue

type Queue struct{}
-- src/parse.rs --
// moved
pub fn parse_header(line: &str) -> Header {
    line.split(':').next().unwrap();
    Header {}
}
-- lib/job.rb --
# moved
class Job
  def perform(args)
    args.fetch(:id)
  end
end
`, false)
	for _, c := range []struct {
		name, trace string
		want        []string // "was: file:line how"
	}{
		{"python", `Traceback (most recent call last):
  File "/srv/app/view.py", line 2, in show
    return store.load("x")
  File "/srv/app/store.py", line 3, in load
    value = self.rows[key]
KeyError: 'x'`, []string{"app/view.py:2 line", "app/store.py:8 quoted line"}},
		{"java", `Exception in thread "main" java.lang.NullPointerException
	at com.example.Cache.find(Cache.java:3)
	at java.base/java.lang.Thread.run(Thread.java:840)`, []string{"src/Cache.java:7 moved", ": outside"}},
		{"javascript", `TypeError: Cannot read properties of undefined (reading 'push')
    at addItem (/srv/web/cart.js:1:14)
    at node:internal/main/run_main_module.js:28:49`, []string{"web/cart.js:3 declaration"}},
		{"go", `panic: runtime error: invalid memory address or nil pointer dereference

goroutine 1 [running]:
example.com/pkg/queue.(*Queue).Drain(0xc000012345)
	/build/pkg/queue/worker.go:88 +0x1d`, []string{"pkg/queue/drain.go:4 moved"}},
		{"rust", `thread 'main' panicked at src/parse.rs:1:20:
called Option::unwrap() on a None value
stack backtrace:
   4: app::parse_header
             at ./src/parse.rs:1:20`, []string{"src/parse.rs:1 line", "src/parse.rs:2 declaration"}},
		{"ruby", `lib/job.rb:2:in 'Job#perform': key not found: :id (KeyError)
	from lib/run.rb:9:in '<main>'`, []string{"lib/job.rb:3 declaration"}},
	} {
		b, text := ask(t, f, brief.Input{Task: c.trace})
		var got []string
		for _, fr := range b.Frames {
			got = append(got, strings.TrimPrefix(place(fr)+" "+fr.How, " "))
		}
		for i, want := range c.want {
			if want == ": outside" {
				want = "outside"
			}
			if i >= len(got) || got[i] != want {
				t.Errorf("%s: frames are %q, want %q\n%s", c.name, got, c.want, text)
				break
			}
		}
		if len(b.Where) == 0 || !strings.HasPrefix(c.want[len(c.want)-1], b.Where[0].File) && !strings.HasPrefix(c.want[0], b.Where[0].File) {
			t.Errorf("%s: the first file is none of the trace:\n%s", c.name, text)
		}
	}
}

func place(f brief.Frame) string {
	if f.File == "" {
		return ""
	}
	return f.File + ":" + strings.TrimSpace(itoa(f.Line))
}

func itoa(n int) string { // of a line
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

type docs struct {
	passages []library.Passage
	err      error
	asked    []string // names that were wanted
}

func (d *docs) Told(_ context.Context, _, _ string, _ int, wanted func(string) bool) ([]library.Passage, error) {
	for _, name := range []string{"requests", "left-pad", "my-lib"} {
		if wanted(name) {
			d.asked = append(d.asked, name)
		}
	}
	return d.passages, d.err
}

type notes struct {
	answer vault.MemoryAnswer
	err    error
}

func (n *notes) Noted(context.Context, string, string, int) (vault.MemoryAnswer, error) {
	return n.answer, n.err
}

// What libraries and notes say has its source and its date; what does not hold any more,
// or has nothing to do with the task, is omitted; and where one of them fails, the rest
// stands and says so.
func TestElsewhere(t *testing.T) {
	_, root := project(t, `
-- client.py --
import requests
from my_lib.sub import thing

def fetch(url):
    return requests.get(url, timeout=1)
`, false)
	trees := workspace.New(workspace.Config{WorkDir: root})
	defer trees.Close()
	d := &docs{passages: []library.Passage{
		{Library: "/psf/x@v1", Snippet: library.Snippet{Title: "Timeouts", Path: "user/quickstart.md", Content: "Stop waiting with `timeout`.", Score: .9}},
		{Library: "/psf/x@v1", Snippet: library.Snippet{Title: "Else", Content: "Nothing of it.", Score: .05}},
	}}
	day := time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)
	n := &notes{answer: vault.MemoryAnswer{Hits: []vault.Piece{
		{Path: "decisions/timeouts.md", First: 3, Last: 4, Title: "Timeouts", Day: day, Score: .8, Text: "Ten seconds everywhere.\n# where\nNot a heading."},
		{Path: "decisions/old.md", First: 1, Title: "Old", Score: .9, Text: "Five seconds.", Superseded: "decisions/timeouts.md"},
		{Path: "decisions/past.md", First: 1, Title: "Past", Score: .9, Text: "Six seconds.", Validity: "ended"},
		{Path: "decisions/other.md", First: 1, Title: "Other", Score: .1, Text: "Tabs."},
	}, Stale: 2}}
	f := brief.New(trees, d, n)
	_, text := ask(t, f, brief.Input{Task: "fetch needs a longer timeout"})
	for _, want := range []string{
		"# what the libraries say\n/psf/x@v1 (user/quickstart.md Timeouts) Stop waiting with `timeout`.\n",
		"# what was decided\ndecisions/timeouts.md:3-4 2026-03-04 (Timeouts)\n\tTen seconds everywhere.\n\t# where\n\tNot a heading.\n",
		"2 notes or sessions changed and are not indexed yet: memory import\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the brief lacks %q:\n%s", want, text)
		}
	}
	for _, no := range []string{"Five seconds", "Six seconds", "Tabs", "Nothing of it"} {
		if strings.Contains(text, no) {
			t.Errorf("the brief has %q:\n%s", no, text)
		}
	}
	if got := strings.Join(d.asked, " "); got != "requests my-lib" {
		t.Errorf("asked the documentation of %q, want that of what client.py imports", got)
	}
	// Only what is asked for.
	if b, _ := ask(t, f, brief.Input{Task: "fetch needs a longer timeout", Focus: []string{"memory"}}); len(b.Where) > 0 || len(b.Libraries) > 0 || len(b.Decided) != 1 {
		t.Errorf("of memory alone: %+v", b)
	}
	d.err, n.err = fault.New(fault.Unavailable, "the file is damaged"), fault.New(fault.Unavailable, "the vault is gone")
	_, text = ask(t, f, brief.Input{Task: "fetch needs a longer timeout"})
	for _, want := range []string{"     4  def fetch(url):\n", "what the libraries say is not known: the file is damaged\n", "what was decided is not known: the vault is gone\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("the brief lacks %q:\n%s", want, text)
		}
	}
}
