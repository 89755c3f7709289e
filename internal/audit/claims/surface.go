package claims

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A surface is what a project offers to others. What a language calls exported is often
// kept inside: in a private module, below a folder that nobody outside may import, in a
// program, or behind the entry points of a package.
type surface struct {
	texts    map[string][]byte          // of the files
	paths    []string                   // of these, sorted
	docs     map[string]map[string]bool // of files of Python that were asked for: the names whose __doc__ they set
	remarks  map[string]map[string]bool // of folders of Go that were asked for: the names that their comments have
	links    map[string]map[string]bool // of files that were asked for: the names that links in their comments have
	split    map[string][][]byte        // the lines of those that were asked for
	private  map[string]bool            // files and folders whose declarations stay inside
	named    map[string]map[string]bool // of a file that lists what it offers: those names
	again    map[string]bool            // names that a public file offers of a private one
	closed   map[string][]string        // of a file of Elixir or Ruby: its modules that are not documented
	types    map[string]bool            // by file and name: those that are not for others, as far as known
	packages bool                       // there are packages of Python
	shared   map[string]bool            // of C#, the types that some declaration makes public or protected
	copied   map[string]bool            // folders with a licence of their own, and no manifest
	loaded   map[string]bool            // folders and files that packages of PHP load by themselves
	scripts  bool                       // what is of Python are scripts of a project in another language
	parcels  map[parcelKey]parcel       // what manifests publish
	written  map[string]bool            // words with a capital, and those in backticks, of histories and other texts
	tops     map[string]map[string]bool // of packages of Ruby: what the files and folders of lib are called
	// inheriting are the types whose heads say that they extend or implement others.
	inheriting map[typePlace]bool
}

var (
	pyAll      = lazy.Regexp(`(?ms)^__all__\s*(?::[^=]*)?\+?=\s*[\[(](.*?)[\])]`)
	pyFrom     = lazy.Regexp(`(?m)^from\s+\.[\w.]*\s+import\s+(\([^)]*\)|[^\n#]*)`)
	buildFile  = lazy.Regexp(`(?i)(^|/)(build\.rs|build\.zig|conanfile\.py|vagrantfile|build(?:\.bazel)?|workspace(?:\.bazel)?|[\w.-]+\.bzl|setup\.(?:py|l?hs)|conftest\.py|noxfile\.py|tasks\.py|hatch_build\.py|fabfile\.py|magefile\.go|rakefile|mix\.exs|package\.swift|[\w.-]+\.sbt|gulpfile\.\w+|gruntfile\.\w+|[\w.-]+\.config\.[cm]?[jt]s|[\w.-]+\.gradle(\.kts)?|build\.(?:sc|mill)|extconf\.rb|jenkinsfile|[\w-]+\.rake)$|(^|/)(?:bin|exe)/[^/.]+$|(^|/)(scripts?|tools?|build|buildSrc|build-(?:logic|support|tools?)|\.buildscript|benches|benchmarks?|jmh|src/(?:it|integrationTest|intTest|functionalTest|testFixtures)|ci|hack|contrib|fixtures|testing|testutils?|bundled|third_?party|externals?|nonstd|single_?header|single_include|docs_src|deps|extras|performance|\.mvn|fuzz(?:_targets|ers|ing)?|buildLogic|codemods?|[\w-]*(?:idea|intellij|vscode|eclipse|studio)-plugin|toys|features/(?:support|steps|step_definitions))/|(^|/)project/[\w/]+\.scala$|(^|/)\.[^/]+(?:$|/)|(^|/)[\w.-]*test[-_]?(?:support|utils?|helpers?|fixtures|common|data|suite|kit|lib)[\w.-]*/|(^|/)[\w.-]*(?:support|utils?|helpers?|fixtures)[-_]tests?/|(^|/)[\w.]+\.(?:unit|integration|functional)?(?:tests?|benchmarks?)(?:\.[\w.]+)?/`)
	inside     = lazy.Regexp(`\bpub\s*\((?:crate|super|self|in\b[^)]*)\)|\b(?:internal|private|protected internal|fileprivate)\s+(?:static |sealed |readonly |abstract |partial |async )*\w`)
	keptInside = lazy.Regexp(`(?i):nodoc:|@\w*internal\w*|@private\b|@api private|@hidden\b|@!visibility\s+private|@nodoc|@moduledoc false|@doc false|doc\(hidden\)|cfg\(test\)|\bfor internal use|\binternal use only|\bnot part of the public|#\[test\]|VisibleForTesting|EditorBrowsable\(EditorBrowsableState\.Never`)
)

// surfaceOf reads what a tree offers.
func surfaceOf(t *Tree) *surface {
	s := &surface{texts: make(map[string][]byte, len(t.Code)), split: map[string][][]byte{}, links: map[string]map[string]bool{}, remarks: map[string]map[string]bool{}, docs: map[string]map[string]bool{}, loaded: map[string]bool{}, private: map[string]bool{}, named: map[string]map[string]bool{}, again: map[string]bool{}, closed: map[string][]string{}, types: map[string]bool{}, shared: map[string]bool{}, copied: t.copies(), parcels: map[parcelKey]parcel{}, tops: map[string]map[string]bool{}, written: t.written}
	scripts, sources, published := 0, 0, false
	for i := range t.Code {
		f := &t.Code[i]
		s.texts[f.Path] = f.Text
		s.paths = append(s.paths, f.Path)
		published = published || slices.Contains([]string{"pyproject.toml", "setup.py", "setup.cfg"}, path.Base(f.Path))
		if syntax.Source(f.Language) && !syntax.Inert(f.Language) {
			sources++
		}
	}
	slices.Sort(s.paths)
	for i := range t.Code {
		f := &t.Code[i]
		s.manifest(f)
		switch f.Language {
		case "ruby":
			s.ruby(f)
		case "python":
			scripts++
			s.packages = s.packages || path.Base(f.Path) == "__init__.py" && f.Flags&corpus.Test == 0
			s.python(f)
		case "csharp":
			for _, m := range csharpType.FindAllSubmatch(f.Text, -1) {
				s.shared[string(m[1])] = true
			}
		case "go":
			if bytes.Contains(append([]byte("\n"), f.Text...), []byte("\npackage main")) {
				s.private[f.Path] = true
			}
		case "json":
			if path.Base(f.Path) == "composer.json" {
				s.composer(f)
			}
		}
	}
	s.scripts = !published && !s.packages && 2*scripts < sources
	return s
}

// below returns the files whose paths begin so.
func (s *surface) below(prefix string) []string {
	from, _ := slices.BinarySearch(s.paths, prefix)
	to := from
	for to < len(s.paths) && strings.HasPrefix(s.paths[to], prefix) {
		to++
	}
	return s.paths[from:to]
}

// lines returns the lines of a file. Most files declare nothing that others use, and are not cut.
func (s *surface) lines(file string) [][]byte {
	got, ok := s.split[file]
	if !ok {
		if text, ok := s.texts[file]; ok {
			got = bytes.Split(text, []byte("\n"))
		}
		s.split[file] = got
	}
	return got
}

// offer takes the names of a list that is offered again.
func (s *surface) offer(list string) {
	for _, w := range nameRE.FindAllString(list, -1) {
		s.again[w] = true
	}
}

// python takes what a module lists, and what a package offers of its modules.
func (s *surface) python(f *Source) {
	all := pyAll.FindAllSubmatch(f.Text, -1)
	for _, m := range all {
		if s.named[f.Path] == nil {
			s.named[f.Path] = map[string]bool{}
		}
		for _, w := range nameRE.FindAllString(string(m[1]), -1) {
			s.named[f.Path][w] = true
			if !isInner(f.Path) {
				s.again[w] = true
			}
		}
	}
	if path.Base(f.Path) == "__init__.py" && len(all) == 0 && !isInner(f.Path) {
		for _, m := range pyFrom.FindAllSubmatch(f.Text, -1) {
			s.offer(string(m[1]))
		}
	}
	for part := range strings.SplitSeq(f.Path, "/") {
		if isPrivateName(part) || part == "__main__.py" {
			s.private[f.Path] = true
		}
	}
}

// offers reports whether others can use a declaration, and whether a comment documents it.
func (s *surface) offers(d *Declaration) (comment, ok bool) {
	switch {
	case d.Language == "python" && len(d.Name) == 1, s.kept(d):
		return false, false // a variable of a type; what the language keeps inside
	case d.Language == "go" && d.Scope != "" && d.Scope[0] >= 'a' && d.Scope[0] <= 'z':
		return false, false
	}
	offeredAgain := syntax.Has(d.Language, "private-by-custom") && s.again[d.Name]
	keptByFolder := isInner(d.Path) && !syntax.Has(d.Language, "folders-hide-nothing") && !offeredAgain
	if s.borrowed(d.Path) || buildFile.MatchString(d.Path) || keptByFolder {
		return false, false
	}
	lines := s.lines(d.Path)
	if d.Line < 1 || d.Line > len(lines) {
		return false, true
	}
	owner, _, _ := strings.Cut(d.Scope, ".")
	owner = cmp.Or(owner, d.Name)
	line := lines[d.Line-1]
	said := remarkOf(lines, d.Line-1, d.Language)
	switch {
	case s.ofTongue(d, lines), inside.Match(line), bytes.Contains(line, []byte("# :nodoc:")), keptInside.MatchString(said.all), s.elsewhere(d, said.all), s.contractual(d, line, said.all):
		return false, false
	case s.named[d.Path] != nil && !s.named[d.Path][owner], s.private[d.Path] && !s.again[owner]:
		return false, false
	}
	return said.says || builtWith(lines, d) || inGroup(lines, d.Line-1, d.Language), true
}

// isInner reports whether a folder around a file is called as those are that only their own project uses.
func isInner(file string) bool {
	return slices.ContainsFunc(strings.Split(path.Dir(file), "/"), func(part string) bool {
		isHidden := len(part) > 1 && part[0] == '_' && part[1] >= 'a' && part[1] <= 'z'
		return isHidden || slices.Contains([]string{"internal", "private", "impl", "detail", "details"}, part)
	})
}
