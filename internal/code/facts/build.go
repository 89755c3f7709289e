package facts

import (
	"bytes"
	"go/build/constraint"
	"go/version"
	"path"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/sorting"
)

// A Build is what the constraints of Go files are decided by: the set of files that
// one build compiles together.
type Build struct {
	OS, Arch string
	Tags     []string // beside what the system, the compiler and its version say
}

// Host is the build for the machine that this program runs on.
func Host() Build { return Build{OS: runtime.GOOS, Arch: runtime.GOARCH} }

// For returns the host's build, with what is not empty in place of its own.
func For(goos, arch string, tags []string) Build {
	b := Host()
	if goos != "" {
		b.OS = goos
	}
	if arch != "" {
		b.Arch = arch
	}
	b.Tags = slices.Compact(slices.Sorted(slices.Values(tags)))
	return b
}

func (b Build) String() string {
	return strings.Join(append([]string{b.OS + "/" + b.Arch}, b.Tags...), ",")
}

// Unknown says which of its system and its processor Go has none of, "" if neither.
func (b Build) Unknown() string {
	switch {
	case !systems.Has(b.OS):
		return "system " + strconv.Quote(b.OS)
	case !arches.Has(b.Arch):
		return "processor " + strconv.Quote(b.Arch)
	}
	return ""
}

// Flags writes what the build has other than another, as the flags of a command.
func (b Build) Flags(than Build) string {
	var out []string
	if b.OS != than.OS {
		out = append(out, "--goos "+b.OS)
	}
	if b.Arch != than.Arch {
		out = append(out, "--goarch "+b.Arch)
	}
	if !slices.Equal(b.Tags, than.Tags) {
		out = append(out, "--tags "+strings.Join(b.Tags, ","))
	}
	return strings.Join(out, " ")
}

// native reports whether the build is one for the machine it is made on, where cgo is on.
func (b Build) native() bool { return b.OS == runtime.GOOS && b.Arch == runtime.GOARCH }

// has reports whether a constraint's word is satisfied, as go/build decides it. The
// release of Go is the one that this program is built with.
func (b Build) has(tag string) bool {
	switch tag {
	case b.OS, b.Arch, "gc":
		return true
	case "cgo":
		return b.native()
	case "unix":
		return unixes.Has(b.OS)
	case "linux":
		return b.OS == "android"
	case "solaris":
		return b.OS == "illumos"
	case "darwin":
		return b.OS == "ios"
	}
	if strings.HasPrefix(tag, "go1.") {
		now := runtime.Version()
		return !version.IsValid(now) || version.Compare(tag, now) <= 0
	}
	return slices.Contains(b.Tags, tag)
}

// compiles reports whether the build has a file of that name and constraint.
func (b Build) compiles(name, expr string) bool {
	goos, arch := suffixes(name)
	if goos != "" && !b.has(goos) || arch != "" && b.Arch != arch {
		return false
	}
	if expr == "" {
		return true
	}
	x, err := constraint.Parse("//go:build " + expr)
	return err != nil || x.Eval(b.has) // what cannot be read constrains nothing
}

// suffixes returns the system and the processor that a Go file's name ends in.
func suffixes(name string) (goos, arch string) {
	name = strings.TrimSuffix(strings.TrimSuffix(path.Base(name), ".go"), "_test")
	// A name that is nothing but a system is no constraint: linux.go.
	_, name, ok := strings.Cut(name, "_")
	if !ok {
		return "", ""
	}
	parts := strings.Split(name, "_")
	n := len(parts)
	if arches.Has(parts[n-1]) {
		if n > 1 && systems.Has(parts[n-2]) {
			goos = parts[n-2]
		}
		return goos, parts[n-1]
	}
	if systems.Has(parts[n-1]) {
		goos = parts[n-1]
	}
	return goos, ""
}

// The systems and processors that Go has or had, as in internal/syslist.
var (
	systems = lazy.Words("aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos")
	unixes  = lazy.Words("aix android darwin dragonfly freebsd hurd illumos ios linux netbsd openbsd solaris")
	arches  = lazy.Words(`386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le ppc ppc64 ppc64le riscv riscv64 s390 s390x
sparc sparc64 wasm`)
)

// Constraint returns the build constraint in the head of a Go file, "" where there is
// none: its //go:build line or, where it has none, its +build lines as one expression.
func Constraint(language string, text []byte) string {
	if language != "go" {
		return ""
	}
	var plus constraint.Expr
	block := false
	for line := range bytes.Lines(text) {
		s := strings.TrimSpace(string(line[:min(len(line), maxConstraint)]))
		switch {
		case block, strings.HasPrefix(s, "/*"):
			block = !strings.Contains(s, "*/")
		case s == "":
		case !strings.HasPrefix(s, "//"):
			return expression(plus)
		case constraint.IsGoBuild(s):
			if x, err := constraint.Parse(s); err == nil {
				return expression(x)
			}
		case constraint.IsPlusBuild(s):
			x, err := constraint.Parse(s)
			if err != nil {
				continue
			}
			if plus == nil {
				plus = x
			} else {
				plus = &constraint.AndExpr{X: plus, Y: x}
			}
		}
	}
	return expression(plus)
}

// maxConstraint bounds a line that is read as a constraint.
const maxConstraint = 2000

func expression(x constraint.Expr) string {
	if x == nil {
		return ""
	}
	if s := x.String(); len(s) <= maxConstraint {
		return s
	}
	return ""
}

// Under sets the build that calls are resolved for: the host's until it is set.
func (p *Project) Under(b Build) {
	if b.String() == p.build.String() {
		return
	}
	p.build = b
	p.forget()
}

// in reports whether the build compiles a document. Documents of other languages
// always are.
func (p *Project) in(doc int) bool {
	if p.Docs[doc].Language != "go" {
		return true
	}
	if p.compiled == nil {
		p.compiled = make([]int8, len(p.Docs))
	}
	if p.compiled[doc] == 0 {
		p.compiled[doc] = -1
		if p.build.compiles(p.Docs[doc].Path, p.Head(doc).Build) {
			p.compiled[doc] = 1
		}
	}
	return p.compiled[doc] > 0
}

// Constrained reports whether some builds leave a document out.
func (p *Project) Constrained(doc int) bool {
	if p.Docs[doc].Language != "go" {
		return false
	}
	goos, arch := suffixes(p.Docs[doc].Path)
	return goos != "" || arch != "" || p.Head(doc).Build != ""
}

// Build returns the build that calls are resolved for.
func (p *Project) Build() Build { return p.build }

// Excluded reports whether the build that calls are resolved for leaves a document out.
func (p *Project) Excluded(doc int) bool { return !p.in(doc) }

// compiledFirst puts the documents that the build has before those that it has not.
func (p *Project) compiledFirst(docs []int) []int {
	if !slices.ContainsFunc(docs, p.Excluded) {
		return docs
	}
	out := slices.Clone(docs)
	sorting.Stable(out, func(a, b int) int { return after(p.in(b)) - after(p.in(a)) })
	return out
}

func after(in bool) int {
	if in {
		return 1
	}
	return 0
}

// compiledAlone keeps, of several declarations, those of files that the build has,
// and all where it has none of them.
func (p *Project) compiledAlone(refs []Ref) []Ref {
	if len(refs) < 2 {
		return refs
	}
	out := refs[:0:0]
	for _, r := range refs {
		if p.in(r.Doc) {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return refs
	}
	return out
}

// sibling returns the project under a build that has a document which this one's has
// not, nil where none is known.
func (p *Project) sibling(doc int) *Project {
	q, ok := p.others[doc]
	if ok {
		return q
	}
	if b, ok := p.Having(doc); ok {
		if q = p.siblings[b.String()]; q == nil {
			p.dir("") // what is shared is there first
			q = &Project{Docs: p.Docs, src: p.src, files: p.files, heads: p.heads, allHeads: p.allHeads, byPath: p.byPath, byDir: p.byDir, roots: p.manifests(), build: b}
			q.forget()
			p.siblings[b.String()] = q
		}
	}
	p.others[doc] = q
	return q
}

// constrained marks what a call means in files that the build omits, and adds
// what it means in other builds: the declarations of the same name that take the
// place of the ones that it means in this.
func (p *Project) constrained(ts []target) []target {
	out := ts
	for i := range ts {
		if !p.in(ts[i].ref.Doc) {
			ts[i].sure, ts[i].how = min(ts[i].sure, Likely), Variant
		}
		for _, r := range p.variants(ts[i].ref) {
			out = append(out, target{r, min(ts[i].sure, Likely), Variant})
		}
	}
	if len(out) == len(ts) {
		return ts
	}
	return uniqueTargets(out)
}

// Variant is how an edge is found that other builds have than the one that is asked
// about.
const Variant = "variant"

// variants returns the declarations that other builds have in place of one.
func (p *Project) variants(of Ref) (out []Ref) {
	if !p.Constrained(of.Doc) {
		return nil
	}
	if known, ok := p.elsewhere[of]; ok {
		return known
	}
	defer func() { p.elsewhere[of] = out }()
	d := p.Decl(of)
	if d == nil {
		return nil
	}
	for _, doc := range p.dir(path.Dir(p.Docs[of.Doc].Path)) {
		if doc == of.Doc || p.Docs[doc].Language != "go" || p.in(doc) || p.Head(doc).Module != p.Head(of.Doc).Module {
			continue
		}
		f := p.File(doc)
		for _, i := range f.byName[d.Name] {
			if f.Decls[i].Scope == d.Scope {
				out = append(out, Ref{doc, i})
			}
		}
	}
	return out
}

// Having finds a build that compiles a document: one that differs from this in as
// little as possible.
func (p *Project) Having(doc int) (Build, bool) {
	name, expr := p.Docs[doc].Path, p.Head(doc).Build
	goos, arch := suffixes(name)
	tags := append(tagsOf(expr), p.build.Tags...)
	try := func(b Build) bool { return b.compiles(name, expr) }
	oses, archs := []string{p.build.OS}, []string{p.build.Arch}
	if goos != "" {
		oses = []string{goos}
	}
	if arch != "" {
		archs = []string{arch}
	}
	for _, more := range [][]string{nil, slices.Sorted(slices.Values(systems.List()))} {
		for _, os := range append(oses[:1:1], more...) {
			for _, cpus := range [][]string{archs, slices.Sorted(slices.Values(arches.List()))} {
				for _, cpu := range cpus {
					for _, t := range [][]string{p.build.Tags, tags, nil} {
						if b := For(os, cpu, t); try(b) {
							return b, true
						}
					}
				}
			}
		}
	}
	return Build{}, false
}

// tagsOf returns the words of a constraint that no system or processor has.
func tagsOf(expr string) (out []string) {
	for _, w := range strings.FieldsFunc(expr, func(r rune) bool { return strings.ContainsRune("!&|() ", r) }) {
		if !systems.Has(w) && !arches.Has(w) && w != "unix" && w != "cgo" {
			out = append(out, w)
		}
	}
	return out
}
