package syntax_test

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/lang/langtest"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

var update = flag.Bool("update", false, "rewrite the answers of testdata")

// said leaves of a use what is true of it.
var said = strings.NewReplacer(" Whole:", "", "{Name: At:0 Chain:", "", "}", "", ":true", "", " Local:false", "", " Call:false", "", " Write:false", "", " Path:false", "", " Public:false", "", " Label:false", "", " Embed:false", "", " Maybe:false", "", " Implicit:false", "")

// TestArchives holds what is read of whole files, and which names are used where.
func TestArchives(t *testing.T) {
	langtest.Archives(t, *update, func(files map[string]string) string {
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(files)) {
			text := files[name]
			language := syntax.Language(name, []byte(text))
			fmt.Fprintf(&b, "%s is %s\n", name, language)
			f := syntax.Facts(name, language, []byte(text))
			for line := range strings.Lines(langtest.Text(text, f) + langtest.Long(text, f)) {
				b.WriteString(name + " " + line)
			}
			for _, u := range syntax.Uses(name, language, []byte(text), func([]byte) bool { return true }) {
				line := 1 + strings.Count(text[:u.At], "\n")
				fmt.Fprintf(&b, "%s use %s:%d:%d %q", name, u.Name, line, u.At-strings.LastIndexByte(text[:u.At], '\n'), u.Chain)
				if u.Whole != "" {
					fmt.Fprintf(&b, " %q", u.Whole)
				}
				u.Name, u.At, u.Chain, u.Whole = "", 0, "", ""
				b.WriteString(said.Replace(fmt.Sprintf("%+v", u)) + "\n")
			}
		}
		return b.String()
	})
}

// Each language is of one sort, and known to some degree.
func TestSorts(t *testing.T) {
	for language, want := range map[string]string{
		"go": "source everything", "rust": "source everything", "dart": "source declarations", "css": "source inert nothing", "protobuf": "source inert declarations",
		"markdown": "prose nothing", "text": "prose nothing", "json": "nothing", "": "nothing", "klingon": "source nothing",
	} {
		var got []string
		for what, is := range map[string]func(string) bool{"inert": syntax.Inert, "prose": syntax.Prose, "source": syntax.Source} {
			if is(language) {
				got = append(got, what)
			}
		}
		slices.Sort(got)
		slices.Reverse(got)
		got = append(got, map[syntax.Cover]string{syntax.Nothing: "nothing", syntax.Declarations: "declarations", syntax.Everything: "everything"}[syntax.Covers(language)])
		if strings.Join(got, " ") != want {
			t.Errorf("%q is %q, want %q", language, got, want)
		}
	}
	got, err := syntax.Languages([]string{"go, py", "", ".tsx,"})
	if err != nil || !maps.Equal(got, map[string]bool{"go": true, "python": true, "typescript": true}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err = syntax.Languages([]string{" , "}); got != nil || err != nil {
		t.Errorf("of none: %v, %v", got, err)
	}
	if _, err = syntax.Languages([]string{"go,klingon"}); err == nil || !strings.Contains(err.Error(), `"klingon"`) {
		t.Errorf("an unknown language: %v", err)
	}
	for head, want := range map[string]string{
		"#!/bin/zsh": "bash", "#!/usr/bin/env -S deno run": "javascript", "#!/usr/bin/perl -w\n": "perl", "#!/usr/bin/pypy3.10": "python", "#!/usr/bin/ruby2.7": "ruby",
		"#!/opt/thing": "", "": "", "# !/bin/sh": "",
	} {
		if got := syntax.Language("run", []byte(head)); got != want {
			t.Errorf("%q is run by %q, want %q", head, got, want)
		}
	}
}
