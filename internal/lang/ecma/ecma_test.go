package ecma

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/langtest"
)

type bit[T ~uint8 | ~uint16] struct {
	bit  T
	name string
}

var traits = []bit[corpus.Traits]{{corpus.Async, "async"}, {corpus.Generator, "generator"}, {corpus.Static, "static"}, {corpus.Abstract, "abstract"},
	{corpus.Constructor, "constructor"}, {corpus.Accessor, "accessor"}, {corpus.Local, "local"}}

var kinds = []bit[corpus.ImportKind]{{corpus.Reexport, "reexport"}, {corpus.Dynamic, "dynamic"}, {corpus.Conditional, "conditional"}, {corpus.TypeOnly, "type"}}

func named[T ~uint8 | ~uint16](bits []bit[T], of T) string {
	var b strings.Builder
	for _, x := range bits {
		if of&x.bit != 0 {
			b.WriteString(" " + x.name)
		}
	}
	return b.String()
}

// render writes one line for each fact, declarations first.
func render(f corpus.Facts) string {
	var b strings.Builder
	var around []corpus.Decl
	for _, d := range f.Decls {
		for len(around) > 0 && around[len(around)-1].Span.End <= d.Span.Start {
			around = around[:len(around)-1]
		}
		if len(around) > 0 && d.Scope == "" {
			d.Scope = around[len(around)-1].Qualified()
		}
		around = append(around, d)
		fmt.Fprintf(&b, "%s %s", d.Kind, d.Qualified())
		if len(d.Params) > 0 {
			fmt.Fprintf(&b, "(%s)", strings.Join(d.Params, "; "))
		}
		if d.Result != "" {
			b.WriteString(": " + d.Result)
		}
		if len(d.Bases) > 0 {
			b.WriteString(" < " + strings.Join(d.Bases, "; "))
		}
		if len(d.Marks) > 0 {
			b.WriteString(" @" + strings.Join(d.Marks, " @"))
		}
		if d.Exported {
			b.WriteString(" exported")
		}
		b.WriteString(named(traits, d.Traits) + "\n")
	}
	for _, m := range f.Imports {
		fmt.Fprintf(&b, "import %s", m.Path)
		for _, n := range m.Names {
			fmt.Fprintf(&b, " {%s}", strings.TrimSpace(n.Name+" "+n.Alias))
		}
		if m.Alias != "" {
			b.WriteString(" as " + m.Alias)
		}
		b.WriteString(named(kinds, m.Kind) + "\n")
	}
	for _, c := range f.Calls {
		b.WriteString("call ")
		if c.New {
			b.WriteString("new ")
		}
		if c.Receiver != "" {
			b.WriteString(c.Receiver + ".")
		}
		fmt.Fprintf(&b, "%s/%d\n", c.Callee, c.Args)
	}
	for _, x := range f.Bindings {
		fmt.Fprintf(&b, "bind %s", x.Name)
		if x.Type != "" {
			b.WriteString(": " + x.Type)
		}
		if x.Value != "" {
			b.WriteString(" = " + x.Value)
		}
		if x.Param > 0 {
			fmt.Fprintf(&b, " #%d", x.Param)
		}
		b.WriteString("\n")
	}
	if f.Missed > 0 {
		fmt.Fprintf(&b, "missed %d\n", f.Missed)
	}
	return b.String()
}

// only keeps the lines that begin with one of the words.
func only(rendered, words string) string {
	var out []string
	for l := range strings.Lines(rendered) {
		if w, _, _ := strings.Cut(strings.TrimSpace(l), " "); slices.Contains(strings.Split(words, "|"), w) {
			out = append(out, strings.TrimSpace(l))
		}
	}
	return strings.Join(out, "\n")
}

const declarations = "function|method|class|interface|enum|type|constant|variable|module"

type sample struct {
	name, src, show, want string
}

func check(t *testing.T, read func([]byte) corpus.Facts, cases []sample) {
	t.Helper()
	for _, c := range cases {
		f := read([]byte(c.src))
		langtest.Hold(t, langtest.Reader{Name: c.name, Read: read, Paths: true}, c.src)
		if got, want := only(render(f), c.show), lines(c.want); got != want {
			t.Errorf("%s:\n%s\nis\n%s\nwant\n%s", c.name, c.src, got, want)
		}
	}
}

func lines(s string) string {
	var out []string
	for l := range strings.Lines(s) {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

var readers = []langtest.Reader{{Name: "js", Read: ReadJS, Paths: true}, {Name: "ts", Read: ReadTS, Paths: true}, {Name: "tsx", Read: ReadTSX, Paths: true}, {Name: "markup", Read: ReadMarkup, Paths: true}, {Name: "astro", Read: ReadAstro, Paths: true}}

func FuzzRead(f *testing.F) {
	for _, c := range slices.Concat(scripts, typeSamples, elements, broken) {
		f.Add(c.src)
	}
	for _, s := range []string{"<", "<a", "a=<a{", "a=<a>{b", "`${", "/", "/*", "class{", "function(", "a?b:", "x=<a b={<c>{d}</c>}/>", "@", "export", "import", "a<b<c<d>", "({[(<", "#!", "\ufeffa()", "<script lang=ts>a()</script>", "---\na()\n---\n<script>b()", "A=function(.A=function", "A=()=> "} {
		f.Add(s)
	}
	langtest.Fuzz(f, readers)
}

// TestLinear reads what a reader that looks ahead would read again and again.
func TestLinear(t *testing.T) {
	langtest.Linear(t, readers[:3], 20_000, "(", "[", "{", "a<", "a<b,", "let x:a<b ", "a=>", "a?", "a?(b):", "`${", "if(a)", "else ", "x=<a>{", "x=<a b={", "f(()=>", "class A{x=", "a.b().", "@a ", "(a):", "case a:", "async ", "export ", "new ", "f<(a:b)=>c>(", "x:(a)=>", "x as a<b ", "type A=B<C ", "a=b=", "const {a=", "({a:", "/", "<!--", "//\nfunction a(){", "for(", "yield ", "class extends ", "x=class extends ", "a.b=class{", "let x:(", "function f<T ", "a=b??", "a=b?c:", "a=(", "a=((b)=>", "f((a)=>", "f({a(b){", "return{a:", "({a:{b:", "x:()=>()=>", "require('a').")
}

func BenchmarkRead(b *testing.B) {
	var js, ts strings.Builder
	for js.Len() < 1<<20 {
		for _, c := range scripts {
			js.WriteString(c.src + "\n;\n")
		}
	}
	for ts.Len() < 1<<20 {
		for _, c := range typeSamples {
			ts.WriteString(c.src + "\n;\n")
		}
	}
	b.Run("js", func(b *testing.B) { langtest.Benchmark(b, ReadJS, js.String()) })
	b.Run("ts", func(b *testing.B) { langtest.Benchmark(b, ReadTS, ts.String()) })
}
