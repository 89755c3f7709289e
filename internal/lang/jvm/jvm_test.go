package jvm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/growth"
)

var readers = map[string]func([]byte) corpus.Facts{"java": ReadJava, "kotlin": ReadKotlin, "scala": ReadScala}

var traits = []string{"async", "generator", "static", "abstract", "constructor", "accessor", "local", "extension"}

// render writes facts as lines: M module, D declaration, I import, C call, B binding.
func render(src string, f corpus.Facts) string {
	line := func(at int) int { return strings.Count(src[:at], "\n") + 1 }
	var b strings.Builder
	if f.Module != "" {
		fmt.Fprintf(&b, "M %s\n", f.Module)
	}
	for _, d := range f.Decls {
		fmt.Fprintf(&b, "D %s %s %d-%d", d.Kind, d.Qualified(), line(d.Span.Start), line(max(d.Span.End-1, 0)))
		if len(d.Params) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(d.Params, ", "))
		}
		if d.Result != "" {
			fmt.Fprintf(&b, " -> %s", d.Result)
		}
		if len(d.Bases) > 0 {
			fmt.Fprintf(&b, " : %s", strings.Join(d.Bases, ", "))
		}
		for _, m := range d.Marks {
			fmt.Fprintf(&b, " @%s", m)
		}
		if d.Exported {
			b.WriteString(" +")
		}
		for i, t := range traits {
			if d.Traits&(1<<i) != 0 {
				b.WriteString(" " + t)
			}
		}
		b.WriteByte('\n')
	}
	for _, m := range f.Imports {
		fmt.Fprintf(&b, "I %s", m.Path)
		if m.Alias != "" {
			fmt.Fprintf(&b, " as %s", m.Alias)
		}
		for i, k := range []string{"reexport", "dynamic", "conditional", "typeonly", "relative", "system", "member"} {
			if m.Kind&(1<<i) != 0 {
				b.WriteString(" " + k)
			}
		}
		b.WriteByte('\n')
	}
	for _, c := range f.Calls {
		b.WriteString("C ")
		if c.New {
			b.WriteString("new ")
		}
		if c.Receiver != "" {
			b.WriteString(c.Receiver + "|")
		}
		fmt.Fprintf(&b, "%s/%d\n", c.Callee, c.Args)
	}
	for _, v := range f.Bindings {
		fmt.Fprintf(&b, "B %s", v.Name)
		if v.Type != "" {
			fmt.Fprintf(&b, ": %s", v.Type)
		}
		if v.Value != "" {
			fmt.Fprintf(&b, " = %s", v.Value)
		}
		if v.Param > 0 {
			fmt.Fprintf(&b, " #%d", v.Param)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// A sample is a text and lines of its facts. What is wanted are all lines that
// begin with one of the letters.
type sample struct{ letters, src, want string }

func check(t *testing.T, language string, samples []sample) {
	t.Helper()
	for _, s := range samples {
		src := strings.TrimPrefix(s.src, "\n")
		var got strings.Builder
		for l := range strings.Lines(render(src, readers[language]([]byte(src)))) {
			if strings.IndexByte(s.letters, l[0]) >= 0 {
				got.WriteString(l)
			}
		}
		if want := strings.TrimPrefix(s.want, "\n"); strings.TrimSpace(got.String()) != strings.TrimSpace(want) {
			t.Errorf("%s of\n%s\nis\n%s\nwant\n%s", s.letters, src, got.String(), want)
		}
	}
}

// holds reports the first promise of the package that facts break.
func holds(src string, f corpus.Facts) error {
	var around []corpus.Span
	start := 0
	for _, d := range f.Decls {
		s := d.Span
		if s.Start < start || s.End < s.Start || s.End > len(src) {
			return fmt.Errorf("%s spans %v after %d", d.Name, s, start)
		}
		start = s.Start
		if d.NameAt < s.Start || d.NameAt+len(d.Name) > s.End || src[d.NameAt:d.NameAt+len(d.Name)] != d.Name || d.Name == "" {
			return fmt.Errorf("%q is not at %d", d.Name, d.NameAt)
		}
		if d.Body < d.NameAt+len(d.Name) || d.Body > s.End {
			return fmt.Errorf("body of %s is at %d, not in %v", d.Name, d.Body, s)
		}
		for len(around) > 0 && around[len(around)-1].End <= s.Start {
			around = around[:len(around)-1]
		}
		if len(around) > 0 && around[len(around)-1].End < s.End {
			return fmt.Errorf("%s %v crosses %v", d.Name, s, around[len(around)-1])
		}
		around = append(around, s)
	}
	at := 0
	for _, c := range f.Calls {
		if c.At < at || c.Callee == "" || !strings.HasPrefix(src[c.At:], c.Callee) {
			return fmt.Errorf("call of %q at %d after %d", c.Callee, c.At, at)
		}
		at = c.At
	}
	at = 0
	for _, b := range f.Bindings {
		if b.At < at || b.At > len(src) || b.Name == "" {
			return fmt.Errorf("binding of %q at %d after %d", b.Name, b.At, at)
		}
		at = b.At
	}
	for _, m := range f.Imports {
		if m.At < 0 || m.At > len(src) || m.Path == "" {
			return fmt.Errorf("import of %q at %d", m.Path, m.At)
		}
	}
	return nil
}

// FuzzRead holds the package's promise.
func FuzzRead(f *testing.F) {
	for _, list := range [][]sample{javaSamples, kotlinSamples, scalaSamples} {
		for _, s := range list {
			f.Add(s.src)
		}
	}
	f.Add("class A {\n<<<<<<< HEAD\n void f() {\n=======\n void g() {\n>>>>>>> x\n }\n}")
	f.Fuzz(func(t *testing.T, src string) {
		for language, read := range readers {
			if err := holds(src, read([]byte(src))); err != nil {
				t.Errorf("%s of %q: %v", language, src, err)
			}
		}
	})
}

// Whatever is repeated, reading it takes time linear in it.
func TestLinear(t *testing.T) {
	for _, part := range []string{
		"(", "{", "[", "a(", "a<", "a.b(", "class A ", "class A { ", "class A extends B ", "class A : B by ", "fun f() = ", "val x = ", "def f = ", "def f(", "case (", "case x if ",
		"new A() { ", "final ", "@A ", "@A(", "int f() ", "x = (", "() -> ", "x -> ", "a to b ", "for (x <- ", "x <- y ", "given A ", "extension (x: A) ", "import a.{b, ", "package a { ",
		"private ", "enum A { B(", "get() = ", "val x get() = ", "a ? b : ", "\"${", "s\"${", "type A = ", "where T : ", "/**/ def a;", ": a ", "=> ", "new A with ", "((A) x).f(", "catch (",
		"switch (x) { case A a -> ", "when (x) { is A -> ", "`a` ", "a@", "x: A => ", "int a, ", "int a = b, ", "var (a, b) = ", "object : A ", "companion object { ", "if (a) ",
	} {
		for language, read := range readers {
			n := 20000
			if part == "((A) x).f(" {
				// Brackets are paired to a certain depth. From there on this is one long chain,
				// of which a bounded part is read for each call: compare two sizes beyond it.
				n = 120_000
			}
			if err := growth.Linear(n, func(n int) { read([]byte(strings.Repeat(part, n))) }); err != nil {
				t.Errorf("%s: %q: %v", language, part, err)
			}
			small := strings.Repeat(part, 2000)
			if err := holds(small, read([]byte(small))); err != nil {
				t.Errorf("%s of many %q: %v", language, part, err)
			}
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for language, list := range map[string][]sample{"java": javaSamples, "kotlin": kotlinSamples, "scala": scalaSamples} {
		var all strings.Builder
		for _, s := range list {
			all.WriteString(s.src + "\n")
		}
		src := []byte(strings.Repeat(all.String(), 10))
		b.Run(language, func(b *testing.B) {
			b.SetBytes(int64(len(src)))
			for b.Loop() {
				readers[language](src)
			}
		})
	}
}
