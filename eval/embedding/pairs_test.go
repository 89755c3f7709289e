package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// extract returns the pairs of one file, as "kind | query | text".
func extract(t *testing.T, r record, rel, text string) []string {
	t.Helper()
	var out []string
	x := &extractor{pkg: r, emit: func(p pair) {
		if p.kind != "path-file" {
			out = append(out, p.kind+" | "+squeeze(p.query, maxQuery)+" | "+squeeze(p.text, maxText))
		}
	}}
	x.file(rel, []byte(text))
	return out
}

func expect(t *testing.T, what string, got, want []string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("%s: no pair\n\t%s\nin\n\t%s", what, w, strings.Join(got, "\n\t"))
		}
	}
	if len(want) == 0 && len(got) > 0 {
		t.Errorf("%s: got\n\t%s\nwant nothing", what, strings.Join(got, "\n\t"))
	}
}

func TestCode(t *testing.T) {
	for _, c := range []struct {
		file, text string
		want       []string
	}{
		{"a.go", "package a\n\n// ReadAll reads everything that is left of a stream.\n//\n// It may fail.\nfunc ReadAll(r io.Reader) ([]byte, error) {\n\tvar out []byte\n\treturn out, fill(r, &out, 4096, nil)\n}\n", []string{
			"doc-code | reads everything that is left of a stream. | func ReadAll(r io.Reader) ([]byte, error) { var out []byte return out, fill(r, &out, 4096, nil) }",
		}},
		{"a.py", "class Pool:\n    def give(self, wait):\n        \"\"\"Take a connection out of the pool.\n\n        :param wait: seconds\n        \"\"\"\n        return self.take_one(wait).opened()\n\n    def take_one(self, wait):\n        with self.lock:\n            found = self.idle.pop()\n            self.take_one_count += 1\n        return found.checked(wait, self.limit)\n", []string{
			"doc-code | Take a connection out of the pool. | def give(self, wait): return self.take_one(wait).opened()",
			"name-body | pool take one | def (self, wait): with self.lock: found = self.idle.pop() self.take_one_count += 1 return found.checked(wait, self.limit)",
		}},
		{"a.cs", "class A {\n  /// <summary>\n  /// Opens the <see cref=\"Door\"/> of a house.\n  /// </summary>\n  /// <param name=\"key\">no</param>\n  public void Open(string key) {\n    this.door.Unlock(key);\n  }\n}\n", []string{
			"doc-code | Opens the Door of a house. | public void Open(string key) { this.door.Unlock(key); }",
		}},
		{"a.erl", "-module(a).\n\n%% @doc Takes a connection out of the pool.\n-spec take(pid()) -> ok.\ntake(Pool) ->\n    gen_server:call(Pool, take, infinity).\n", []string{
			"doc-code | Takes a connection out of the pool. | -spec take(pid()) -> ok. take(Pool) -> gen_server:call(Pool, take, infinity).",
		}},
		{"a.sh", "#!/bin/sh\n# Copyright (c) Somebody\n\n# Cleans the house when nobody is in it.\n\nset -e\n" + strings.Repeat("clean room\n", 30), []string{
			"doc-code | Cleans the house when nobody is in it. | set -e" + strings.Repeat(" clean room", 30),
		}},
		{"a.hs", "-- | Commented out: f(a, b) = { g(a)[b]; };\nh :: Int -> Int\nh x = x + 1 + something that isLong enough\n", nil},
		{"a.js", "/**\n * Copyright 2020 Somebody, who keeps all of it.\n */\nfunction keepAll(a) {\n  return a.concat(this.everything());\n}\n", nil},
		{"a.ts", "// TODO: make this much faster than it is\nfunction slow(a: number): number {\n  return a + wait(10);\n}\n", nil},
	} {
		expect(t, c.file, extract(t, record{Name: "p", Kind: "npm"}, "src/"+c.file, c.text), c.want)
	}
}

func TestProse(t *testing.T) {
	long := "The pool keeps connections open until nobody wants them any more and closes them then. It is asked by name. Nothing is kept for longer than an hour, and that can be set, see below, where all the settings are told one by one. There are many more words to come in this paragraph, so that it is long enough for the first sentence to be told from the rest of it, which is the aim. Here is one more, so that nobody can say that there were too few of them."
	brief := long[:strings.Index(long, " There are many")]
	for _, c := range []struct {
		file, text string
		want       []string
	}{
		{"a.md", "# Pools\n\n" + long + "\n\n## How do I close a pool?\n\nCall `close` on it, and wait for what it returns: the connections that are in use are closed when they come back to the pool.\n", []string{
			"question-answer | How do I close a pool? | Call close on it, and wait for what it returns: the connections that are in use are closed when they come back to the pool.",
			"lead-rest | The pool keeps connections open until nobody wants them any more and closes them then. | " + long[strings.Index(long, "It is asked"):],
		}},
		{"a.rst", "Pools\n=====\n\nClosing them\n------------\n\n" + brief + "\n", []string{"heading-section | Pools Closing them | " + brief}},
		{"a.html", "<html><head><title>x</title></head><body><h1>Pools</h1><h2>2.1. Closing them<a class=\"headerlink\" href=\"#a\">¶</a></h2><p>" + brief + "</p></body></html>", []string{"heading-section | Pools Closing them | " + brief}},
		{"LICENSE.md", "# License\n\n" + long, nil},
	} {
		got := extract(t, record{Name: "p", Kind: "npm"}, c.file, c.text)
		expect(t, c.file, got, c.want)
	}
}

func TestManual(t *testing.T) {
	const text = `.TH POOL 1
.SH NAME
pool \- keep connections for later
.SH DESCRIPTION
\fBpool\fR keeps connections that are not in use, so that the next one who wants to speak to the same server need not wait, and closes them when nobody came.
.SH OPTIONS
.TP
.BR \-t , " " \-\-timeout =\fISECONDS\fR
How long a connection is kept open when nobody uses it: at most an hour.
.PP
\-\-quiet
.RS 4
Say nothing at all, not even where something went wrong with a server.
.RE
` + "\n.SH FILES\n.PP\nThere are none of them.\n" + `
.SH "MORE OF IT"
There is nothing more to say about it than that it is here, and that somebody may want to read it, who knows; that is all.
`
	expect(t, "pool.1", extract(t, record{Name: "p", Kind: "debian"}, "usr/share/man/man1/pool.1", text), []string{
		"short-long | keep connections for later | pool keeps connections that are not in use, so that the next one who wants to speak to the same server need not wait, and closes them when nobody came.",
		"option-text | pool -t --timeout | How long a connection is kept open when nobody uses it: at most an hour.",
		"option-text | pool --quiet | Say nothing at all, not even where something went wrong with a server.",
		"heading-section | pool more of it | There is nothing more to say about it than that it is here, and that somebody may want to read it, who knows; that is all.",
	})
}

func TestWords(t *testing.T) {
	wn := `00001740 03 n 02 pool 0 swimming_pool 0 001 @ 00001930 n 0000 | an excavation that is filled with water; "he lay beside the pool"` + "\n"
	expect(t, "wordnet", extract(t, record{Name: "wordnet-base", Kind: "debian"}, "usr/share/wordnet/data.noun", wn), []string{
		"gloss | an excavation that is filled with water | pool, swimming pool",
		"gloss | he lay beside the pool | pool, swimming pool: an excavation that is filled with water",
		"synonym | pool | swimming pool",
	})
	deb := "Package: pool\nDescription-md5: 1\nDescription-en: keeps connections open\n Pool keeps connections that are not in use, so that the next one need not wait.\n .\n It is small.\n\n" +
		"Package: redis-sentinel\nDescription-md5: 2\nDescription-en: monitors servers\n " + strings.Repeat("Nor may anything of this. ", 5) + "\n\n" +
		"Package: python3-flask\nDescription-md5: 2\nDescription-en: micro web framework\n " + strings.Repeat("Nothing of it may be read. ", 5) + "\n"
	expect(t, "descriptions", extract(t, record{Name: descriptions, Kind: "debian"}, "descriptions.txt", deb), []string{
		"short-long | keeps connections open | Pool keeps connections that are not in use, so that the next one need not wait. It is small.",
	})
	if got := extract(t, record{Name: descriptions, Kind: "debian"}, "descriptions.txt", deb); len(got) != 1 {
		t.Errorf("descriptions: got %q, want one pair", got)
	}
	if got := words("parseHTTPHeader2_fast-path"); !slices.Equal(got, []string{"parse", "http", "header", "fast", "path"}) {
		t.Errorf("words = %q", got)
	}
	if got := number64("BA"); got != 64 {
		t.Errorf(`number64("BA") = %d, want 64`, got)
	}
}

func TestIsQuery(t *testing.T) {
	for q, want := range map[string]bool{
		"Returns the number of items":       true,
		"see above":                         false,
		"@param x the x":                    false,
		"Copyright by somebody else":        false,
		"TODO make it faster than it is":    false,
		"==== ---- **** words":              false,
		"0x00 0x01 0x02 and 0x03 0x04 0x05": false,
		"возвращает число всех строк":       false,
	} {
		if got := isQuery(q); got != want {
			t.Errorf("isQuery(%q) = %v, want %v", q, got, want)
		}
	}
}

func TestSqueeze(t *testing.T) {
	for _, c := range []struct {
		in   string
		most int
		want string
	}{
		{" a\t b\n\nc ", 10, "a b c"},
		{"abcd efgh", 7, "abcd"},
		{"ääää", 5, "ää"},
		{"a\xffb\x00c", 10, "ab c"},
	} {
		if got := squeeze(c.in, c.most); got != c.want {
			t.Errorf("squeeze(%q, %d) = %q, want %q", c.in, c.most, got, c.want)
		}
	}
}

func FuzzExtract(f *testing.F) {
	f.Add("a.md", "# A\n\ntext")
	f.Add("man/man1/a.1", ".SH NAME\na \\- b\n.TP\n.B -x\ny")
	f.Add("usr/share/wordnet/data.noun", "1 1 n ff a 0 | x")
	f.Add("a.html", "<h1>a</h1><h2")
	f.Add("a.rst", "A\n=\n\nb")
	f.Add("a.go", "package a\n// A is.\nfunc A() {}")
	f.Fuzz(func(t *testing.T, name, text string) {
		x := &extractor{pkg: record{Name: "p", Kind: "npm"}, emit: func(p pair) {
			for _, s := range []string{squeeze(p.query, maxQuery), squeeze(p.text, maxText)} {
				if !utf8.ValidString(s) || len(s) > maxText || strings.ContainsAny(s, "\t\n") {
					t.Errorf("%q: a pair has %q", name, s)
				}
			}
		}}
		x.file(name, []byte(text))
	})
}

// The same corpora give the same bytes, however many packages are read at a time;
// no text comes twice and no query more than twice.
func TestPairsSame(t *testing.T) {
	dir := t.TempDir()
	s := store{dir}
	body := "// Adds the numbers that it is given to the sum.\nfunc addTo%(a int) int {\n\tx := a\n\tx += %\n\treturn x\n}\n"
	for _, p := range []string{"a", "b", "c", "d"} {
		root := s.source("go", p)
		if err := os.MkdirAll(root, 0o755); err != nil {
			t.Fatal(err)
		}
		text := "package x\n" + strings.ReplaceAll(body, "%", p) + strings.ReplaceAll(body, "%", "z")
		if err := os.WriteFile(filepath.Join(root, "x.go"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := writeRecord(s.record("go", p), record{Name: p, Kind: "go"}); err != nil {
			t.Fatal(err)
		}
	}
	var first string
	for _, j := range []string{"1", "4", "3"} {
		out := filepath.Join(dir, "pairs.gz")
		if err := runPairs([]string{"-dir", dir, "-out", out, "-j", j}, io.Discard); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(raw)
		}
		if string(raw) != first {
			t.Fatalf("with -j %s other bytes came", j)
		}
	}
	z, err := gzip.NewReader(strings.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "Adds the numbers that it"); n != sameQuery {
		t.Errorf("one query has %d pairs, want %d:\n%s", n, sameQuery, text)
	}
}
