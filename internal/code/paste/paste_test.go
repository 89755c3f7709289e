package paste

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/assay-dev/assay/internal/base/testaid"
)

// frames returns the places that a text is sure of, nearest to the failure first as Deep
// has it: path:line name.
func traced(p Paste) (out []string) {
	for _, pl := range p.Places {
		if pl.Sort == Traced {
			out = append(out, fmt.Sprintf("%d %s:%d %s", pl.Deep, pl.Path, pl.Line, pl.Name))
		}
	}
	return out
}

// Traces as the runtimes of twelve languages print them.
func TestFrames(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"python": {`Traceback (most recent call last):
  File "/home/u/app/main.py", line 12, in <module>
    run()
  File "/home/u/app/core/job.py", line 3, in run
    raise ValueError("x")
ValueError: x`, []string{"1 /home/u/app/main.py:12 ", "0 /home/u/app/core/job.py:3 run"}},
		"call": {`Traceback (most recent call last):
  File "/home/u/app/job.py", line 3, in run
    os.umask(0)
ValueError: x`, []string{"0 /home/u/app/job.py:3 run"}},
		"pytest": {"src/core/job.py:33: in start\n    go()\nsrc/core/job.py:40: TypeError", []string{"0 src/core/job.py:33 start", "1 src/core/job.py:40 "}},
		"go": {"panic: boom\n\ngoroutine 1 [running]:\nmain.(*Server).serve(0xc000012345, {0x1, 0x2})\n\t/home/u/srv/server.go:42 +0x1d\nmain.main()\n\t/home/u/srv/main.go:9 +0x25",
			[]string{"0 /home/u/srv/server.go:42 serve", "1 /home/u/srv/main.go:9 main"}},
		"node": {"TypeError: x is not a function\n    at Router.handle (/app/lib/router.js:10:5)\n    at async file:///app/lib/index.mjs:3:1\n    at new Layer (/app/lib/layer.js:7:9)",
			[]string{"0 /app/lib/router.js:10 handle", "1 /app/lib/index.mjs:3 ", "2 /app/lib/layer.js:7 Layer"}},
		"java": {"java.lang.NullPointerException: null\n\tat com.acme.store.Cache.get(Cache.java:10)\n\tat app//com.acme.Main.main(Main.java:5)",
			[]string{"0 com/acme/store/Cache.java:10 get", "1 com/acme/Main.java:5 main"}},
		"kotlin": {"\tat com.acme.CacheKt$load$1.invokeSuspend(Cache.kt:10)", []string{"0 com/acme/Cache.kt:10 load"}},
		"rust": {"thread 'main' panicked at src/parse.rs:7:13:\nboom\nstack backtrace:\n   1: tool::parse::line\n             at ./src/parse.rs:7:13\n  --> src/lib.rs:3:4",
			[]string{"0 src/parse.rs:7 ", "1 ./src/parse.rs:7 line", "2 src/lib.rs:3 "}},
		"ruby":     {"lib/acme/job.rb:12:in `perform': bad (ArgumentError)\n\tfrom lib/acme/cli.rb:3:in 'Acme::CLI#run'", []string{"0 lib/acme/job.rb:12 perform", "1 lib/acme/cli.rb:3 run"}},
		"gdb":      {"#0  0x00007f in parse_line (s=0x1 \"x\") at src/parse.c:77\n#1  main () at main.c:5", []string{"0 src/parse.c:77 parse_line", "1 main.c:5 main"}},
		"php":      {"PHP Fatal error:  Uncaught Error in /srv/src/Kernel.php:88\n#0 /srv/src/App.php(12): Acme\\Kernel->boot()\n#1 {main}", []string{"0 /srv/src/Kernel.php:88 ", "1 /srv/src/App.php:12 boot"}},
		"c#":       {"System.Exception: x\n   at Acme.Store.Cache.Get(String key) in C:\\src\\Store\\Cache.cs:line 12", []string{"0 C:/src/Store/Cache.cs:12 Get"}},
		"lua":      {"lua: init.lua:3: bad\nstack traceback:\n\tinit.lua:3: in function 'setup'", []string{"0 init.lua:3 ", "1 init.lua:3 setup"}},
		"elixir":   {"** (RuntimeError) x\n    (acme 0.1.0) lib/acme/job.ex:12: Acme.Job.run/1", []string{"0 lib/acme/job.ex:12 run"}},
		"diff":     {"diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -1,2 +1,3 @@ func f()\n+a", nil},
		"prose":    {"It fails since the change of this morning in lib/cache.py:12 on every machine that I tried", []string{"0 lib/cache.py:12 "}},
		"rakefile": {"/srv/Rakefile:7:in 'build': bad (RuntimeError)", []string{"0 /srv/Rakefile:7 build"}},
		"link":     {"see https://example.org/a/b/blob/main/src/cache.py#L7 for it", []string{"0 src/cache.py:7 "}},
		"none":     {"at 10:30 it said: time is up (12)", nil},
	} {
		if got := traced(Read(c.text)); strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// What compilers make of a function has the function's name, and the type that it is of.
func TestFunctions(t *testing.T) {
	for text, want := range map[string]string{
		"\tat com.acme.Outer$Inner.find(Outer.java:3)":                                              "Inner.find",
		"\tat com.acme.Outer$1.run(Outer.java:3)":                                                   "run",
		"\tat com.acme.Cache.lambda$find$0(Cache.java:3)":                                           "Cache.find",
		"\tat com.acme.Cache.<init>(Cache.java:3)":                                                  "Cache.Cache",
		"\tat com.acme.Cache.<clinit>(Cache.java:3)":                                                "",
		"\tat com.acme.Cache.access$100(Cache.java:3)":                                              "",
		"\tat com.acme.CacheKt.open$default(Cache.kt:3)":                                            "open",
		"\tat com.acme.Store$load$2.invokeSuspend(Store.kt:3)":                                      "Store.load",
		"\tat com.acme.Job$.$anonfun$start$1(Job.scala:3)":                                          "Job.start",
		"   at Acme.Store.Cache`1.Get[T](String key) in /x/Cache.cs:line 12":                        "Cache.Get",
		"   at Acme.Cache.<GetAsync>d__5.MoveNext() in /x/Cache.cs:line 12":                         "Cache.GetAsync",
		"   at Acme.Cache.<>c.<Get>b__0_0(String x) in /x/Cache.cs:line 12":                         "Cache.Get",
		"   at Acme.Outer+Inner..ctor(String x) in /x/Cache.cs:line 12":                             "Inner.Inner",
		"   at Acme.Program.<Main>g__Local|0_0() in /x/Program.cs:line 12":                          "Program.Local",
		"example.com/a/queue.(*Queue[...]).Drain.func1({0x1, 0x2})\n\t/x/queue.go:12 +0x1d":         "Queue.Drain",
		"example.com/a.b/queue.Queue.Len(...)\n\t/x/queue.go:12":                                    "Queue.Len",
		"example.com/queue.run.gowrap2()\n\t/x/queue.go:12 +0x1d":                                   "run",
		"created by main.start in goroutine 7\n\t/x/main.go:12 +0x1d":                               "start",
		"main.glob..func1()\n\t/x/main.go:12 +0x1d":                                                 "",
		"   4: <tool::Parser<T> as core::iter::Iterator>::next\n             at ./src/p.rs:12:5":    "Parser.next",
		"   4: tool::Parser::line::{{closure}}::h0123456789abcdef\n             at ./src/p.rs:12:5": "Parser.line",
		"   4:     0x55d0c0 - tool::parse::line\n             at ./src/p.rs:12:5":                   "line",
		"lib/a.rb:12:in 'block (2 levels) in Acme::Job#run!'":                                       "Job.run!",
		"\tfrom /x/lib/a.rb:12:in `rescue in perform'":                                              "perform",
		"\tfrom Rakefile:12:in 'content_for'":                                                       "content_for",
		"\tfrom /x/bin/tool:12:in '<main>'":                                                         "",
		"\tfrom lib/a.rb:12:in 'Acme::Job.open'":                                                    "Job.open",
		"    at Object.<anonymous> (/x/a.js:12:3)":                                                  "",
		"    at Object.open [as load] (/x/a.js:12:3)":                                               "open",
		"    at Cache.<anonymous> [as load] (/x/a.js:12:3)":                                         "load",
		"    at new Cache (/x/a.js:12:3)":                                                           "Cache.Cache",
		"    at Cache.#find (/x/a.ts:12:3)":                                                         "Cache.find",
		"    at async Promise.all (index 0)":                                                        "no place",
		"#1 /x/App.php(12): Acme\\Kernel->boot()":                                                   "Kernel.boot",
		"#1 /x/App.php(12): {closure}()":                                                            "",
		"    lib/acme/job.ex:12: anonymous fn/1 in Acme.Job.run/2":                                  "Job.run",
		"\tat Main.main(Main.java:3)":                                                               "Main.main",
		"\tat com.acme.Handler.invoke(Handler.java:3)":                                              "Handler.invoke",
		"\tat com.acme.Cache.lambda$static$0(Cache.java:3)":                                         "",
		"\tat com.acme.Cache.lambda$new$0(Cache.java:3)":                                            "Cache.Cache",
		"\tat com.acme.Job$.$anonfun$start(Job.scala:3)":                                            "Job.start",
		"main.func1()\n\t/x/main.go:12 +0x1d":                                                       "func1",
		"   4: tool::T::line\n             at ./src/p.rs:12:5":                                      "T.line",
		"#0  0x00007f in ns::Parser::line (s=0x1) at src/p.cc:12":                                   "Parser.line",
	} {
		got := "no place"
		for _, p := range Read(text).Places {
			if p.Sort == Traced {
				got = strings.TrimPrefix(p.Owner+"."+p.Name, ".")
			}
		}
		if got != want {
			t.Errorf("%s\nis of %q, want %q", text, got, want)
		}
	}
}

const issue = `Cache loses entries when evict_all runs twice

<!-- Thank you for reporting!
Please fill in what follows. -->
### Describe the bug
The second call of ` + "`evict_all`" + ` drops entries that acme.store.Cache still holds, see lib/store.py.

### Steps to reproduce
` + "```python" + `
c = Cache(limit=3)
c.evict_all()
` + "```" + `
2024-05-01T10:11:12Z INFO opening 0x7f3a9c001230
ValueError: entry vanished

### Environment
- OS: Ubuntu 22.04.3 LTS
numpy==1.26.4
The machine is new.
- [x] I have searched
`

// The fields of an issue; what every issue has is not among them.
func TestFields(t *testing.T) {
	p := Read(issue)
	var got []string
	for _, piece := range p.Pieces {
		got = append(got, piece.Field.String()+": "+strings.Join(strings.Fields(piece.Text), " "))
	}
	want := []string{
		"title: Cache loses entries when evict_all runs twice",
		"identifiers: evict_all",
		"prose: The second call of `evict_all` drops entries that acme.store.Cache still holds, see lib/store.py.",
		"code: c = Cache(limit= )", "code: c.evict_all()",
		"prose: INFO opening",
		"messages: ValueError: entry vanished",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	have := map[Place]bool{}
	for _, pl := range p.Places {
		have[pl] = true
	}
	for _, pl := range []Place{{Path: "lib/store.py", Sort: Mention}, {Path: "acme/store/Cache", Sort: Module}} {
		if !have[pl] {
			t.Errorf("%+v is not among %+v", pl, p.Places)
		}
	}
}

// Python and its tools show the line of source below a frame; other text below one is none.
func TestQuote(t *testing.T) {
	for text, want := range map[string]string{
		"Traceback (most recent call last):\n  File \"a/x.py\", line 3, in f\n    return g(1)\nValueError: no": "return g(1)",
		"a/x.py:3: in f\n    return g(1)\na/y.py:9: ValueError":                                                "return g(1)",
		"  File \"a/x.py\", line 3, in f\nValueError: no":                                                      "",
		"at f (a/x.js:3:1)\nand then nothing":                                                                  "",
	} {
		if p := Read(text); len(p.Places) == 0 || p.Places[0].Quote != want {
			t.Errorf("Read(%q) has the places %+v, want the quotation %q of the first", text, p.Places, want)
		}
	}
}

func TestDiff(t *testing.T) {
	p := Read("diff --git a/lib/x.go b/lib/x.go\nindex 12ab..34cd 100644\n--- a/lib/x.go\n+++ b/lib/x.go\n@@ -10,2 +20,3 @@ func (s *Store) Evict() {\n \tkeep()\n-\told()\n+\tdrop()\n\nWhy is that?\n")
	if huge := Read("--- a/x.go\n+++ b/x.go\n@@ -1 +99999999999999999999 @@\n").Places; len(huge) != 2 || huge[1].Line < 0 || huge[1].Line > 3 {
		t.Errorf("a line that no file has: %+v", huge)
	}
	if want := fmt.Sprint([]Place{{Path: "lib/x.go", Sort: Changed}, {Path: "lib/x.go", Line: 23, Sort: Changed}}); fmt.Sprint(p.Places) != want {
		t.Errorf("%+v, want %s", p.Places, want)
	}
	last := p.Pieces[len(p.Pieces)-1]
	if !strings.Contains(fmt.Sprint(p.Pieces), "drop()") || last.Field != Prose {
		t.Errorf("%+v", p.Pieces)
	}
}

// Of megabytes the first and the last part are read, and how much was not is said.
func TestOmitted(t *testing.T) {
	middle := strings.Repeat("nothing here\n", 1<<16) + "gnu.go:9: nor here\n" + strings.Repeat("nothing here\n", 1<<16)
	p := Read("First line\n" + middle + "zebra.go:7: it ends here\n")
	if len(p.Places) != 1 || p.Omitted != len("First line\n")+len(middle)+len("zebra.go:7: it ends here\n")-MaxRead {
		t.Errorf("%d omitted, %+v", p.Omitted, p.Places)
	}
	// Half of what is read is of each end.
	for at, want := range map[int]int{MaxRead/2 - 100: 1, MaxRead/2 + 100: 0, MaxRead - 100: 0} {
		pad := strings.Repeat("nothing here\n", at/13)
		if p := Read(pad + "zebra.go:7: here\n" + strings.Repeat("nothing here\n", 1<<15)); len(p.Places) != want {
			t.Errorf("at byte %d: places %+v", len(pad), p.Places)
		}
	}
	if p := Read("short"); p.Omitted != 0 || len(p.Pieces) != 1 || p.Pieces[0].Field != Prose {
		t.Errorf("%+v", p)
	}
}

func TestHasTrace(t *testing.T) {
	for s, want := range map[string]bool{
		"lib/x.go:12": true, `File "x.py", line 3, in f`: true, "at f (x.js:1:2)": true, "A.m(C.java:12)": true, "x.cs:line 3": true,
		"retry": false, "std::vector": false, "f(x)": false, "http://localhost:8080": false, "v1.2:3": false, "foo.bar": false, "12:30": false,
	} {
		if HasTrace(s) != want {
			t.Errorf("HasTrace(%q) = %v", s, !want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(issue)
	f.Add("```\n<!--\n+++ b/x\n@@ -1 +1 @@\n\tat a.b(C.java:1)\n#0 x (y) at z.c:1\n")
	f.Fuzz(func(t *testing.T, s string) {
		p := Read(s)
		if len(p.Places) > maxPlaces {
			t.Fatalf("%d places", len(p.Places))
		}
		for _, pl := range p.Places {
			if pl.Line < 0 || pl.Deep < 0 || pl.Deep >= maxPlaces || pl.Path == "" {
				t.Fatalf("%+v", pl)
			}
		}
		if utf8.ValidString(s) {
			for _, piece := range p.Pieces {
				if piece.Field >= Fields || strings.TrimSpace(piece.Text) == "" {
					t.Fatalf("%+v", piece)
				}
			}
		}
	})
}

// Whatever a text repeats, reading it is linear in it.
func TestLinear(t *testing.T) {
	for _, s := range []string{"a.b.", "a/", "<!-- ", "` ", "((", "#1 x (", "at a.b(", "\n@@ ", "\tx.go:1\n", "File \"x\", line 1\n", "0x1 ", "**", "a:1:"} {
		if err := testaid.Linear(MaxRead, func(n int) { Read(strings.Repeat(s, n/len(s))) }); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
}

// A text says where it is in words that count, in names of its frames, and in the folder and the file of a
// path: what is above them is the reporter's machine.
func TestPieces(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`  File "/home/u/app/core/job.py", line 3, in run`, "paths: core/job|trace frames: run"},
		{`  File "C:\app\core\job.py", line 3, in <module>`, "paths: core/job"},
		{"\tat Main.main(Main.java:5)", "paths: Main|trace frames: main"},
		{"It fails since the change of this morning in lib/cache.py:12 on every machine", "prose: It fails since the change of this morning in lib/cache.py:  on every machine"},
		{"1st 2nd 3rd 4th 5th 6th lib/cache.py:12", "paths: lib/cache"}, // numbers are no words of prose
		{"one two three four five lib/cache.py:12", "paths: lib/cache"},
		{"Fails, since: the (change) of. this; lib/cache.py:12", "prose: Fails, since: the (change) of. this; lib/cache.py:"},
		{"error: lib/cache.py:12 is bad", "paths: lib/cache|messages: error: lib/cache.py:  is bad"},
		{"$ make test\n\tindented\n    indented too", "code: $ make test|code: indented|code: indented too"},
		{"It leaks <!-- say how\nit leaks -->", "title: It leaks"},
		{"--- a/x.go\n+++ b/x.go\n@@ -1,3 +1,3 @@\n kept()\n-old()\n+fresh()", "paths: x.go|paths: x.go|code: kept()|code: old()|code: fresh()"},
		{"Title of it\n\n### Actual behavior\nIt leaks", "title: Title of it|prose: It leaks"},
		{"Title of it\n\n### Behavior of actual leaks\nIt leaks", "title: Title of it|prose: Behavior of actual leaks|prose: It leaks"},
	} {
		var got []string
		for _, p := range Read(c.text).Pieces {
			got = append(got, p.Field.String()+": "+strings.TrimSpace(p.Text))
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("Read(%q):\n%s\nwant\n%s", c.text, strings.Join(got, "|"), c.want)
		}
	}
}

// A line names paths with and without an ending, and dotted names.
func TestMentions(t *testing.T) {
	for s, want := range map[string]string{
		"see lib/store/cache for it": "lib/store/cache",
		"see cache.py for it":        "cache.py cache/py(module)",
		"see lib\\store for it":      "lib/store",
		"acme.store.Cache holds it":  "acme.store.Cache acme/store/Cache(module)",
		"ns::Cache holds it":         "ns/Cache(module)",
		"nothing at all":             "",
	} {
		var got []string
		for _, p := range Read(s).Places {
			got = append(got, p.Path+map[bool]string{true: "(module)"}[p.Sort == Module])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q names %q, want %q", s, got, want)
		}
	}
}

// A line that is too long to be read at once is cut between words.
func TestLongLine(t *testing.T) {
	words := map[string]bool{}
	for _, p := range Read(strings.Repeat("albatross ", 2000)).Pieces {
		if len(p.Text) > maxLine {
			t.Errorf("a piece of %d bytes", len(p.Text))
		}
		for _, w := range strings.Fields(p.Text) {
			words[w] = true
		}
	}
	if len(words) != 1 {
		t.Errorf("the words are %v", words)
	}
}
