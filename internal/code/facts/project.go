package facts

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/sorting"
	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A Doc is a file of a project.
type Doc struct {
	Path     string
	Language string
	Flags    corpus.Flags
	Lines    int
	Bytes    int
	Head     []byte // as Encode made it
}

// A Source holds the facts of a project.
type Source interface {
	// Load returns all facts of a document, nil where they cannot be read.
	Load(doc int) *corpus.Facts
	// Decls returns the declarations of a document, perhaps none where no name in
	// it is wanted. Several goroutines may ask at once.
	Decls(doc int, wanted func(name string) bool) []corpus.Decl
	// Keyed returns the documents that have one of the keys, in order, each once.
	Keyed(keys ...uint32) []int
	// Mentioning returns the documents whose text may have one of some words, in order.
	Mentioning(words ...string) []int
	// Text returns the text of a document as it is now, nil where it cannot be read. It may be
	// written over room, or be memory of the source, which then takes no room.
	Text(doc int, room []byte) []byte
}

// A Project resolves what the facts of its files leave open. It is used by one
// goroutine at a time.
type Project struct {
	Docs []Doc
	src  Source

	files map[int]*File
	heads []*Head
	// allHeads says that none of heads is nil.
	allHeads bool
	byPath   map[string]int
	byDir    map[string][]int    // folders' documents
	byBase   map[string][]int    // by file name without extension
	modules  map[string][]int    // by what the text says it is of
	aliased  map[string][]string // under which names files import a name
	roots    *roots

	imports map[importKey]Import
	values  map[valueKey][]value
	members map[memberKey][]value
	answers map[question][]value
	naming  map[question]bool // names of types that are being looked for
	orders  map[Ref][]Ref     // what linear returned
	parts   map[string][]Ref  // what partsWithBases returned
	wholes  map[memberKey]Ref // types that extensions are of, by their names
	offers  map[offer][]value
	asking  map[offer][]value // offers that are being looked for
	// implements has the methods that a Go interface's method may be.
	implements map[Ref][]Ref
	elsewhere  map[Ref][]Ref // what variants returned: many calls mean one declaration
	held       map[heldKey][]Ref
	sitesOf    map[string][]*site
	puttings   map[string][]putting
	overrides  map[memberKey][]Ref  // what overriding returned
	handing    map[valueKey][]value // what calls pass for a parameter of Java
	made       map[Ref]bool         // what makes returned
	heirsOf    map[string][]heir    // what heirs returned
	heirsBelow map[Ref][]Ref        // what descendants returned
	answering  map[stdCall][]target // what stdMethods returned
	unnamed    map[nameIn]bool      // the names that a package does not declare
	byWords    bool                 // calls mean only what their words say
	reaching   bool                 // what the results of functions reach is being looked for
	depth      int
	passing    int

	build    Build
	packages map[int][]int         // what packageOf returned
	compiled []int8                // whether the build has a document: 0 not asked yet
	included included              // of the file of C that was asked about last
	lists    map[Ref][]string      // what firstParams returns
	scoped   map[Ref][]value       // what receiverOf returns, by the offset of a call
	used     map[memberKey][]value // what given returns
	others   map[int]*Project      // the project under a build that has a document, which this one's has not; nil for none
	siblings map[string]*Project
}

// included are the files that one takes in, itself among them.
type included struct {
	of   int
	docs map[int]bool
}

// New returns the project of some documents.
func New(docs []Doc, src Source) *Project {
	p := &Project{Docs: docs, src: src, files: map[int]*File{}, heads: make([]*Head, len(docs)), byPath: make(map[string]int, len(docs)), build: Host()}
	p.forget()
	for i := range docs {
		p.byPath[docs[i].Path] = i
	}
	return p
}

// forget drops what was resolved.
func (p *Project) forget() {
	p.imports, p.values, p.members = map[importKey]Import{}, map[valueKey][]value{}, map[memberKey][]value{}
	p.answers, p.orders = map[question][]value{}, map[Ref][]Ref{}
	p.parts, p.wholes = map[string][]Ref{}, map[memberKey]Ref{}
	p.naming = map[question]bool{}
	p.offers, p.asking, p.implements, p.elsewhere = map[offer][]value{}, map[offer][]value{}, map[Ref][]Ref{}, map[Ref][]Ref{}
	p.handing, p.overrides, p.made = map[valueKey][]value{}, map[memberKey][]Ref{}, map[Ref]bool{}
	p.heirsBelow = map[Ref][]Ref{}
	p.heirsOf, p.answering, p.unnamed = map[string][]heir{}, map[stdCall][]target{}, map[nameIn]bool{}
	p.packages, p.held = map[int][]int{}, map[heldKey][]Ref{}
	p.included, p.lists = included{}, map[Ref][]string{}
	p.scoped, p.used = map[Ref][]value{}, map[memberKey][]value{}
	p.sitesOf, p.puttings = map[string][]*site{}, map[string][]putting{}
	p.compiled, p.others, p.siblings = nil, map[int]*Project{}, map[string]*Project{}
}

// A Ref names a declaration: the one with that index in a document, or with -1
// the document's top level.
type Ref struct {
	Doc  int
	Decl int32
}

// A File is a document with its facts.
type File struct {
	*corpus.Facts
	Doc    int
	Lang   string
	Path   string
	byName map[string][]int32 // declarations
	bound  map[string][]int32 // bindings
}

// File returns the facts of a document; empty ones where they cannot be read.
func (p *Project) File(doc int) *File {
	if f := p.files[doc]; f != nil {
		return f
	}
	p.files[doc] = p.load(doc)
	return p.files[doc]
}

// read reads the facts of many documents with all processors; File would read one after the other.
func (p *Project) read(docs []int) {
	missing := slices.DeleteFunc(slices.Clone(docs), func(doc int) bool { return p.files[doc] != nil })
	files := make([]*File, len(missing))
	work.Each(context.Background(), len(missing), 4, func() func(int) {
		return func(i int) { files[i] = p.load(missing[i]) }
	})
	for i, doc := range missing {
		p.files[doc] = files[i]
	}
}

func (p *Project) load(doc int) *File {
	facts := p.src.Load(doc)
	if facts == nil {
		facts = &corpus.Facts{}
	}
	f := &File{Facts: facts, Doc: doc, Lang: family(p.Docs[doc].Language), Path: p.Docs[doc].Path,
		byName: make(map[string][]int32, len(facts.Decls)), bound: make(map[string][]int32, len(facts.Bindings))}
	for i := range facts.Decls {
		f.byName[facts.Decls[i].Name] = append(f.byName[facts.Decls[i].Name], int32(i))
	}
	for i := range facts.Bindings {
		f.bound[facts.Bindings[i].Name] = append(f.bound[facts.Bindings[i].Name], int32(i))
	}
	return f
}

// Declared returns the declarations of a document alone, and keeps nothing of it: who looks through
// all of a project once needs neither its calls nor its facts again.
func (p *Project) Declared(doc int) []corpus.Decl {
	return p.src.Decls(doc, func(string) bool { return true })
}

// Loaded returns how many files' facts are in memory, and how many bytes of text those files have.
func (p *Project) Loaded() (files, bytes int) {
	for doc := range p.files {
		bytes += p.Docs[doc].Bytes
	}
	return len(p.files), bytes
}

// Shed drops those facts, and what was resolved by them. What files are called, and their overviews, stay.
func (p *Project) Shed() {
	p.files = map[int]*File{}
	p.forget()
}

// Head returns the overview of a document.
func (p *Project) Head(doc int) *Head {
	if p.heads[doc] == nil {
		p.decode(doc)
	}
	return p.heads[doc]
}

func (p *Project) decode(doc int) {
	h, _ := decodeHead(p.Docs[doc].Head, true) // a corrupt one says nothing
	p.heads[doc] = &h
}

// readHeads is read for the overviews of all documents.
func (p *Project) readHeads() {
	if p.allHeads {
		return
	}
	work.Each(context.Background(), len(p.heads), 64, func() func(int) {
		return func(doc int) {
			if p.heads[doc] == nil {
				p.decode(doc)
			}
		}
	})
	p.allHeads = true
}

// A Keep chooses declarations: it is asked of the i-th of a document.
type Keep func(doc int, decls []corpus.Decl, i int32) bool

// Find returns the declarations that keep accepts, of the documents that look
// accepts and that hold a name that is wanted. All three are called by several
// goroutines at once, so they must not ask p for a file.
func (p *Project) Find(look func(doc int) bool, wanted func(name string) bool, keep Keep) []Ref {
	found := make([][]Ref, len(p.Docs))
	work.Each(context.Background(), len(p.Docs), 16, func() func(int) {
		return func(doc int) {
			if !look(doc) {
				return
			}
			decls := p.src.Decls(doc, wanted)
			for i := range decls {
				if keep(doc, decls, int32(i)) {
					found[doc] = append(found[doc], Ref{doc, int32(i)})
				}
			}
		}
	})
	return slices.Concat(found...)
}

// Decl returns what ref names, nil for a top level.
func (p *Project) Decl(ref Ref) *corpus.Decl {
	if ref.Decl < 0 {
		return nil
	}
	if f := p.File(ref.Doc); int(ref.Decl) < len(f.Decls) {
		return &f.Decls[ref.Decl]
	}
	return nil
}

// InTest reports whether a declaration is in a file of tests, or is or stands in a test beside the code.
func (p *Project) InTest(r Ref) bool {
	return p.Docs[r.Doc].Flags&corpus.Test != 0 || r.Decl >= 0 && corpus.InTest(p.File(r.Doc).Decls, r.Decl)
}

// family is the language whose rules of names a language follows.
func family(language string) string { return syntax.Family(language) }

func (p *Project) dir(d string) []int {
	if p.byDir == nil {
		p.byDir = map[string][]int{}
		for i := range p.Docs {
			dir := path.Dir(p.Docs[i].Path)
			p.byDir[dir] = append(p.byDir[dir], i)
		}
	}
	return p.byDir[d]
}

// named returns the documents whose file has that name, without its extension.
func (p *Project) named(stem string) []int {
	if p.byBase == nil {
		p.byBase = map[string][]int{}
		for i := range p.Docs {
			b := path.Base(p.Docs[i].Path)
			b = upTo(b, ".")
			p.byBase[b] = append(p.byBase[b], i)
		}
	}
	return p.byBase[stem]
}

// module returns the documents that say they are of a module, of the languages of doc.
func (p *Project) module(doc int, name string) []int {
	key := func(doc int, name string) string { return family(p.Docs[doc].Language) + " " + name }
	if p.modules == nil {
		p.modules = map[string][]int{}
		for i := range p.Docs {
			if h := p.Head(i); h.Module != "" {
				p.modules[key(i, h.Module)] = append(p.modules[key(i, h.Module)], i)
			}
		}
	}
	return p.modules[key(doc, name)]
}

// packageOf returns the documents whose top-level names one sees without
// importing them, the document itself first.
func (p *Project) packageOf(doc int) []int {
	if got, ok := p.packages[doc]; ok {
		return got
	}
	f := p.File(doc)
	out := []int{doc}
	switch f.Lang {
	case "go":
		name := strings.TrimSuffix(f.Module, "_test")
		for _, d := range p.dir(path.Dir(f.Path)) {
			if d == doc || p.Docs[d].Language != "go" {
				continue
			}
			m := p.Head(d).Module
			// An outside test package does not see what it tests.
			if m == f.Module || strings.HasSuffix(p.Docs[doc].Path, "_test.go") && m == name && f.Module == name {
				out = append(out, d)
			}
		}
		out = append(out[:1:1], p.compiledFirst(out[1:])...)
	case "jvm", "csharp", "php":
		docs := p.module(doc, f.Module)
		if f.Module == "" && f.Lang == "jvm" {
			docs = p.unnamedPackage(path.Dir(f.Path))
		}
		for _, d := range docs {
			if d != doc {
				out = append(out, d)
			}
		}
	}
	p.packages[doc] = out
	return out
}

// unnamedPackage returns the documents of a folder that name no package, as small programs of Java, Kotlin and Scala do: they see
// each other.
func (p *Project) unnamedPackage(dir string) (out []int) {
	for _, d := range p.dir(dir) {
		if family(p.Docs[d].Language) == "jvm" && p.Head(d).Module == "" {
			out = append(out, d)
		}
	}
	return out
}

// declared returns the declarations of a name, in documents of the same language
// family as doc.
func (p *Project) declared(doc int, name string) []Ref {
	return p.declaredIn(doc, name, func(int) bool { return true })
}

// declaredIn returns those of them that are in documents which look accepts.
func (p *Project) declaredIn(doc int, name string, look func(doc int) bool) []Ref {
	lang := family(p.Docs[doc].Language)
	var out []Ref
	for _, d := range p.src.Keyed(Key(Declared, name)) {
		if family(p.Docs[d].Language) != lang || !look(d) {
			continue
		}
		for _, i := range p.File(d).byName[name] {
			out = append(out, Ref{d, i})
		}
	}
	return out
}

// A nameIn is a name in a package: of the documents of one, the first of all and how many they are.
type nameIn struct {
	first, n int
	name     string
}

// declarers returns the other documents of its package that may declare a name at the top. What is read
// already is asked itself; of the others the index says which may, so that only those are read.
func (p *Project) declarers(doc int, name string) []int {
	docs := p.packageOf(doc)
	if len(docs) == 1 {
		return nil
	}
	key := nameIn{slices.Min(docs), len(docs), name}
	if p.unnamed[key] {
		return nil
	}
	var may []int
	asked := false
	bears := func(d int) bool {
		if f := p.files[d]; f != nil {
			return len(f.byName[name]) > 0
		}
		if !asked {
			may, asked = p.src.Keyed(Key(Declared, name)), true
		}
		_, ok := slices.BinarySearch(may, d)
		return ok
	}
	var out []int
	for _, d := range docs[1:] {
		if bears(d) {
			out = append(out, d)
		}
	}
	p.unnamed[key] = len(out) == 0 && !bears(doc)
	return out
}

// declaring returns those of some documents that declare a name at their top. The index says
// which may: a package has hundreds, and to read the facts of all of them for each import of
// a file takes longer than a question may.
func (p *Project) declaring(docs []int, name string) (out []int) {
	if len(docs) == 0 {
		return nil
	}
	may := p.src.Keyed(Key(Declared, name))
	for _, d := range docs {
		if _, ok := slices.BinarySearch(may, d); !ok {
			continue
		}
		f := p.files[d]
		if f == nil { // what it calls need not be read for that
			f = &File{Facts: &corpus.Facts{Decls: p.src.Decls(d, func(s string) bool { return s == name })}}
		}
		if slices.ContainsFunc(f.Decls, func(x corpus.Decl) bool { return x.Name == name && f.atTop(&x) }) {
			out = append(out, d)
		}
	}
	return out
}

// topLevel returns the declarations of a name at the top of a document.
func (f *File) topLevel(name string) (out []Ref) {
	for _, i := range f.byName[name] {
		if f.atTop(&f.Decls[i]) {
			out = append(out, Ref{f.Doc, i})
		}
	}
	return out
}

func (f *File) atTop(d *corpus.Decl) bool {
	if d.Traits&corpus.Open != 0 && d.Parent >= 0 {
		return f.outer(f.Decls[d.Parent].Parent)
	}
	return (d.Parent < 0 || namespace(f.Decls[d.Parent].Kind) && f.outer(d.Parent)) && (d.Scope == "" || d.Parent >= 0) && f.besides(d) == ""
}

// outer reports whether a declaration is at the top, or in namespaces alone.
func (f *File) outer(i int32) bool {
	for i >= 0 {
		if !namespace(f.Decls[i].Kind) {
			return false
		}
		i = f.Decls[i].Parent
	}
	return true
}

func namespace(k corpus.Kind) bool { return k == corpus.Module }

func classLike(k corpus.Kind) bool {
	switch k {
	case corpus.Class, corpus.Interface, corpus.Struct, corpus.Enum, corpus.Trait, corpus.Type:
		return true
	}
	return false
}

func callable(k corpus.Kind) bool {
	return k == corpus.Function || k == corpus.Method || k == corpus.TestCase || k == corpus.Macro
}

// Function reports whether a declaration counts as a function: everything that can
// be called, but for the methods that a Go interface only asks for.
func Function(language string, d *corpus.Decl) bool {
	return d.Kind != corpus.Macro && callable(d.Kind) && !(language == "go" && d.Kind == corpus.Method && d.Traits&corpus.Abstract != 0)
}

func uniqueRefs(in []Ref) []Ref {
	if len(in) < 2 {
		return in
	}
	out := slices.Clone(in)
	sorting.Stable(out, func(a, b Ref) int {
		if a.Doc != b.Doc {
			return a.Doc - b.Doc
		}
		return int(a.Decl - b.Decl)
	})
	return slices.Compact(out)
}
