package swift

import (
	"bytes"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/growth"
)

// check fails where what was read breaks the promise of the package.
func check(t *testing.T, src []byte) {
	t.Helper()
	f := Read(src)
	var around []corpus.Span
	last := 0
	for _, d := range f.Decls {
		s := d.Span
		if s.Start < last || s.End > len(src) || d.NameAt < s.Start || d.NameAt+len(d.Name) > d.Body || d.Body > s.End {
			t.Fatalf("%q: %s %q has span %v, name at %d, body at %d", src, d.Kind, d.Name, s, d.NameAt, d.Body)
		}
		if string(src[d.NameAt:d.NameAt+len(d.Name)]) != d.Name || d.Name == "" {
			t.Fatalf("%q: at %d is not %q", src, d.NameAt, d.Name)
		}
		last = s.Start
		for len(around) > 0 && around[len(around)-1].End <= s.Start {
			around = around[:len(around)-1]
		}
		if n := len(around); n > 0 && s.End > around[n-1].End {
			t.Fatalf("%q: %s %q at %v crosses %v", src, d.Kind, d.Name, s, around[n-1])
		}
		around = append(around, s)
	}
	last = 0
	for _, c := range f.Calls {
		if c.Callee == "" || c.At < last || c.At >= len(src) {
			t.Fatalf("%q: a call of %q at %d", src, c.Callee, c.At)
		}
		last = c.At
	}
	last = 0
	for _, b := range f.Bindings {
		if b.Name == "" || b.At < last || b.At >= len(src) {
			t.Fatalf("%q: a binding of %q at %d", src, b.Name, b.At)
		}
		last = b.At
	}
	for _, m := range f.Imports {
		if m.Path == "" || m.At < 0 || m.At >= len(src) {
			t.Fatalf("%q: an import of %q at %d", src, m.Path, m.At)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range cases {
		f.Add([]byte(c.src))
	}
	for _, s := range []string{"let A=000){willSet", "class A{var A=}{willSet", " enum A func\nsubscript("} {
		f.Add([]byte(s)) // crossed once
	}
	f.Fuzz(check)
}

// Every beginning and every end of a text is a text too.
func TestReadCut(t *testing.T) {
	for _, c := range cases {
		for i := range c.src {
			check(t, []byte(c.src[:i]))
			check(t, []byte(c.src[i:]))
		}
	}
}

// However deep or long something is, it takes time linear in the text.
func TestReadLinear(t *testing.T) {
	for _, s := range []string{
		"a<",
		"(",
		"{",
		"[",
		"a {",
		"a.b { }",
		"\"\\(",
		"func f() {",
		"func f(a: Int = ",
		"class A {",
		"let a = ",
		"var a: A { ",
		"if a ",
		"case .a(",
		"@a(",
		"@a ",
		"-> (",
		"a?",
		".a",
		"x = {",
		"#if a\n",
		"`",
		"/a",
		"foo<A,",
		"switch a { case ",
		"private ",
		"a: ",
		"#\"",
		"guard let ",
	} {
		if err := growth.Linear(400_000, func(n int) { Read([]byte(strings.Repeat(s, n/len(s)))) }); err != nil {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	var one bytes.Buffer
	for _, c := range cases {
		if c.name != "broken" {
			one.WriteString(c.src)
		}
	}
	src := bytes.Repeat(one.Bytes(), 100)
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		Read(src)
	}
}
