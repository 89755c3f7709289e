package named

import (
	"bytes"
	_ "embed" // of options.txt
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

//go:embed options.txt
var optionForms string

// An optionForm is one way in which a library defines options or commands.
type optionForm struct {
	sign, kind string
	pattern    *regexp.Regexp
}

var readForms = sync.OnceValue(func() (out []optionForm) {
	for line := range strings.Lines(optionForms) {
		if f := strings.SplitN(strings.TrimSpace(line), "\t", 3); len(f) == 3 {
			out = append(out, optionForm{f[0], f[1], regexp.MustCompile(f[2])})
		}
	}
	return out
})

// options are the options and commands that the program defines.
type options struct {
	names    map[string]bool // without their dashes
	used     map[string]bool // behind two dashes anywhere, or in quotes with a hyphen: they may be defined in another form, or elsewhere
	commands map[string]bool
	hidden   bool // some may have names that no form shows
}

// minOptions is how many options a program defines at least from whose list a missing one tells something.
const minOptions = 8

// isProgram reports whether a file is of the program: no test, example, copy or output.
func isProgram(f *File) bool {
	return f.Flags&(corpus.Test|corpus.Example|corpus.Vendored|corpus.Generated) == 0 && syntax.Source(f.Language)
}

func readOptions(w *words, code []File) *options {
	o := &options{names: map[string]bool{}, used: map[string]bool{}, commands: map[string]bool{}}
	for name, word := range w.at {
		if word.uses&dashed != 0 || word.uses&optional != 0 && strings.Contains(name, "-") {
			o.used[name] = true
		}
		if word.uses&defining != 0 {
			o.names[name] = true
		}
	}
	for i := range code {
		if isProgram(&code[i]) {
			o.read(code[i].Text)
		}
	}
	return o
}

func (o *options) read(text []byte) {
	for _, form := range readForms() {
		switch {
		case form.sign != "-" && !bytes.Contains(text, []byte(form.sign)):
			continue
		case form.kind == "hidden":
			o.hidden = o.hidden || form.pattern.Match(text)
			continue
		}
		for _, m := range form.pattern.FindAllSubmatch(text, -1) {
			switch name := string(m[1]); form.kind {
			case "option":
				o.names[name] = true
			case "field":
				o.names[strings.Join(partsOf(name), "-")] = true
			case "command":
				o.commands[name] = true
			}
		}
	}
}

// negations are the beginnings that make another option of one.
var negations = []string{"no-", "no", "without-", "with-", "disable-", "enable-"}

// defines reports whether the program defines an option, or its negation.
func (o *options) defines(name string) bool {
	isNegated := func(begin string) bool {
		bare, ok := strings.CutPrefix(name, begin)
		return ok && (o.names[bare] || o.used[bare]) || o.names[begin+name] || o.used[begin+name]
	}
	return o.names[name] || o.used[name] || name == "help" || name == "version" || slices.ContainsFunc(negations, isNegated)
}

// minShared is how many parts two options share at least that differ in one only, and are surely of one program.
const minShared = 3

// isSibling reports whether two options differ in one of many parts.
func isSibling(a, b string) bool { return kinship(a, b) >= 100*minShared-20 }

// minDefined is how many options a program defines at least that is not only the front of another.
const minDefined = 5

// areKnown reports whether all options of the program are, as far as that can be told.
func (o *options) areKnown() bool { return !o.hidden && len(o.names) >= minDefined }

// nearestTo returns the option that a page probably means by one that the program does not define; it is "" if that is not known.
func (o *options) nearestTo(name string) string {
	if len(o.names) < minOptions || o.defines(name) {
		return ""
	}
	best, meant := 0, ""
	for other := range o.names {
		if foldName(other) == foldName(name) {
			return other
		}
		if n := kinship(name, other); n > best || n == best && n > 0 && other < meant {
			best, meant = n, other
		}
	}
	return meant
}

// minTold is how many letters the parts that two options share have at least.
const minTold = 6

// kinship says how much two options have in common: nothing if neither has all parts of the other and they differ in more than one.
func kinship(a, b string) int {
	x, y := partsOf(a), partsOf(b)
	shared, letters := 0, 0
	for _, part := range x {
		if slices.ContainsFunc(y, func(s string) bool { return s == part || isPlural(s, part) }) {
			shared++
			letters += len(part)
		}
	}
	extra := len(x) + len(y) - 2*shared
	switch {
	case letters >= minTold && (extra <= 1 || extra == 2 && len(x) == len(y) && shared >= 2):
		return 100*shared - 10*extra
	case len(x) == 1 && len(y) == 1 && min(len(a), len(b)) >= minNear && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a) || strings.HasSuffix(a, b)):
		return 1
	}
	return 0
}
