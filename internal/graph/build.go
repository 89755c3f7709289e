package graph

import (
	"strings"
	"unicode"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/facts"
)

// A Build says for which build the calls of Go files are resolved.
type Build struct {
	Tags []string `json:"tags,omitempty" flag:"tags" help:"Go build tags"`
	OS   string   `json:"goos,omitempty" flag:"goos" value:"OS" help:"operating system that Go files are built for (default: this one)"`
	Arch string   `json:"goarch,omitempty" flag:"goarch" value:"ARCH" help:"architecture that Go files are built for (default: this one)"`
}

// set resolves the calls of the session for the build.
func (b Build) set(s *session) error {
	var tags []string
	for _, list := range b.Tags {
		for tag := range strings.SplitSeq(list, ",") {
			switch tag = strings.TrimSpace(tag); {
			case tag == "":
			case strings.ContainsFunc(tag, func(r rune) bool { return r != '_' && r != '.' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }):
				return fault.New(fault.Usage, "%q is not a build tag", tag).
					Or("a tag has letters, digits, '_' and '.'; several are separated by commas")
			default:
				tags = append(tags, tag)
			}
		}
	}
	want := facts.For(b.OS, b.Arch, tags)
	if wrong := want.Unknown(); wrong != "" {
		return fault.New(fault.Usage, "Go has no %s", wrong).Or("use the names that go tool dist list prints: linux/amd64, windows/arm64")
	}
	s.p.Under(want)
	return nil
}

// constrained notes which of some declarations the build omits, and what build
// has one of them.
func (s *session) constrained(of []facts.Ref) {
	var out []facts.Ref
	for _, r := range of {
		if s.p.Excluded(r.Doc) {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return
	}
	note := "the build for " + s.p.Build().String() + " leaves out " + count(len(out), "declaration") +
		" of that name: calls to and from there are likely at most"
	if b, ok := s.p.Having(out[0].Doc); ok {
		note += s.forCommand("; " + s.p.Docs[out[0].Doc].Path + " is in that with " + b.Flags(s.p.Build()))
	}
	s.note("%s", note)
}

// others notes how many of some calls only other builds have.
func (s *session) others(hops []hop) {
	n := 0
	for _, h := range hops {
		if h.How == facts.Variant {
			n++
		}
	}
	if n > 0 {
		s.note("%s not in the build for %s, but in others: likely at most%s",
			text.Count(n, "call is", "calls are"), s.p.Build(), s.forCommand(choosesBuild))
	}
}

const choosesBuild = "; --goos, --goarch and --tags choose the build"

// forCommand returns advice that names flags: a tool has other arguments.
func (s *session) forCommand(advice string) string {
	if s.tool {
		return ""
	}
	return advice
}
