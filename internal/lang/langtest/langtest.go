// Package langtest is the harness of the scanners' tests: facts as text that a table
// can hold, what must be true of the facts of any text, and time that is linear in it.
package langtest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/testaid"
)

// A Read is a scanner.
type Read func(src []byte) corpus.Facts

// A Reader is a scanner of one of the languages of a package.
type Reader struct {
	Name string
	Read Read
	// Before and Tail are put around what Linear repeats: what code begins with, and
	// what might end everything that is open.
	Before, Tail string
	Paths        bool // Import.At is where Path is written
	Apart        bool // Call.At may be where Callee is not written in one: ~ A(), new()
}

// A Sample is letters, a text, and the lines of its facts that begin with one of the
// letters; see Text.
type Sample [3]string

var (
	traits = []string{"async", "generator", "static", "abstract", "constructor", "accessor", "local", "extension", "pointer", "private", "open"}
	kinds  = []string{"reexport", "dynamic", "conditional", "typeonly", "relative", "system", "member", "offers"}
)

func bits[T ~uint8 | ~uint16](of T, names []string) string {
	var b strings.Builder
	for i, n := range names {
		if of&(1<<i) != 0 {
			b.WriteString(" " + n)
		}
	}
	return b.String()
}

func some(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

func names(list []corpus.Name) string {
	var b strings.Builder
	for _, n := range list {
		fmt.Fprintf(&b, " {%s}", strings.TrimSpace(n.Name+" "+n.Alias))
	}
	return b.String()
}

// Text returns facts one a line: M the module, D a declaration with the first and the
// last of its lines, d its comment, I an import, C a call, B a binding.
func Text(src string, f corpus.Facts) string {
	line := func(at int) int { return strings.Count(src[:at], "\n") + 1 }
	var b strings.Builder
	if f.Module != "" {
		b.WriteString("M " + f.Module + "\n")
	}
	for _, d := range f.Decls {
		fmt.Fprintf(&b, "D %s %s %d-%d", d.Kind, d.Qualified(), line(d.Span.Start), line(max(d.Span.End-1, 0)))
		if len(d.Params) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(d.Params, ", "))
		}
		b.WriteString(some(" -> ", d.Result) + some(" : ", strings.Join(d.Bases, ", ")) + some(" @", strings.Join(d.Marks, " @")))
		if d.Exported {
			b.WriteString(" +")
		}
		b.WriteString(bits(d.Traits, traits) + "\n")
		if d.Doc.Len() > 0 {
			fmt.Fprintf(&b, "d %s %q\n", d.Name, src[d.Doc.Start:d.Doc.End])
		}
	}
	for _, m := range f.Imports {
		b.WriteString("I " + m.Path + some(" as ", m.Alias) + names(m.Names) + bits(m.Kind, kinds) + "\n")
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
		b.WriteString("B " + v.Name + some(": ", v.Type) + some(" = ", v.Value))
		if v.Param > 0 {
			fmt.Fprintf(&b, " #%d", v.Param)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Long returns facts one a line with all that is known of them, bodies cut short.
func Long(src string, f corpus.Facts) string {
	var b strings.Builder
	if f.Module != "" {
		b.WriteString("of " + f.Module + "\n")
	}
	for _, d := range f.Decls {
		fmt.Fprintf(&b, "%s %s", d.Kind, d.Qualified())
		if d.Params != nil {
			fmt.Fprintf(&b, "(%s)", strings.Join(d.Params, " | "))
		}
		b.WriteString(some(" -> ", d.Result) + some(" : ", strings.Join(d.Bases, " | ")) + some(" @", strings.Join(d.Marks, " @")) + bits(d.Traits, traits))
		if d.Exported {
			b.WriteString(" exported")
		}
		if d.Doc.Len() > 0 {
			fmt.Fprintf(&b, " doc=%q", src[d.Doc.Start:d.Doc.End])
		}
		body := src[d.Body:d.Span.End]
		if len(body) > 24 {
			body = body[:16] + "…" + body[len(body)-4:]
		}
		fmt.Fprintf(&b, " body=%q\n", body)
	}
	for _, m := range f.Imports {
		b.WriteString("import " + m.Path + some(" as ", m.Alias) + names(m.Names) + strings.Replace(bits(m.Kind, kinds), "typeonly", "type", 1) + "\n")
	}
	for _, c := range f.Calls {
		fmt.Fprintf(&b, "call %s%s %d", c.Callee, some(" of ", c.Receiver), c.Args)
		if c.New {
			b.WriteString(" new")
		}
		b.WriteByte('\n')
	}
	for _, x := range f.Bindings {
		b.WriteString("bind " + x.Name)
		if x.Param > 0 {
			fmt.Fprintf(&b, "#%d", x.Param)
		}
		b.WriteString(some(": ", x.Type) + some(" = ", x.Value) + "\n")
	}
	if f.Missed > 0 {
		fmt.Fprintf(&b, "missed %d\n", f.Missed)
	}
	return b.String()
}

// Check compares the facts of a text, as Text has them, with the lines that are
// wanted, and holds them to the promise.
func Check(t *testing.T, read Read, src, letters string, want ...string) {
	t.Helper()
	f := read([]byte(src))
	var got []string
	for l := range strings.Lines(Text(src, f)) {
		if strings.IndexByte(letters, l[0]) >= 0 {
			got = append(got, strings.TrimSuffix(l, "\n"))
		}
	}
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("%s\n%s of it:\n%s\nwant:\n%s", src, letters, g, w)
	}
	Hold(t, Reader{Read: read}, src)
}

// Table is Check for samples whose texts and lines begin on a line of their own.
func Table(t *testing.T, read Read, samples []Sample) {
	t.Helper()
	for _, s := range samples {
		var want []string
		for l := range strings.Lines(strings.TrimSpace(s[2])) {
			want = append(want, strings.TrimSuffix(l, "\n"))
		}
		Check(t, read, strings.TrimPrefix(s[1], "\n"), s[0], want...)
	}
}

// Hold holds a scanner to the promise that all of them make.
func Hold(t testing.TB, r Reader, src string) {
	t.Helper()
	f := r.Read([]byte(src))
	err := holds(src, f)
	for _, m := range f.Imports {
		if r.Paths && err == nil && !strings.HasPrefix(src[m.At:], m.Path) {
			err = fmt.Errorf("an import of %q is not at %d", m.Path, m.At)
		}
	}
	for _, c := range f.Calls { // the = of a setter may be apart from its name, and a bare super of Ruby calls the method around
		isThere := strings.HasPrefix(src[c.At:], strings.TrimSuffix(c.Callee, "=")) || strings.HasPrefix(src[c.At:], c.Receiver) && c.Receiver == "super"
		if !r.Apart && err == nil && !isThere {
			err = fmt.Errorf("a call of %q is not at %d", c.Callee, c.At)
		}
	}
	if err != nil {
		t.Errorf("%s: %q: %v", r.Name, src, err)
	}
}

// holds says in what the facts of a text break the promise: declarations lie in the
// text, in order, and nest; names are where they are said to be; calls and bindings
// are in order.
func holds(src string, f corpus.Facts) error {
	var around []corpus.Span
	start := 0
	for _, d := range f.Decls {
		s := d.Span
		switch {
		case s.Start < start || s.End < s.Start || s.End > len(src):
			return fmt.Errorf("%s spans %v after %d", d.Name, s, start)
		case d.Name == "" || d.NameAt < s.Start || d.NameAt+len(d.Name) > s.End || src[d.NameAt:d.NameAt+len(d.Name)] != d.Name:
			return fmt.Errorf("%q is not at %d", d.Name, d.NameAt)
		case d.Body < d.NameAt+len(d.Name) || d.Body > s.End:
			return fmt.Errorf("the body of %s is at %d, not in %v", d.Name, d.Body, s)
		case d.Doc.Len() < 0 || d.Doc.End > len(src):
			return fmt.Errorf("the comment of %s is %v", d.Name, d.Doc)
		}
		start = s.Start
		for len(around) > 0 && around[len(around)-1].End <= s.Start {
			around = around[:len(around)-1]
		}
		if n := len(around); n > 0 && around[n-1].End < s.End {
			return fmt.Errorf("%s at %v crosses %v", d.Name, s, around[n-1])
		}
		around = append(around, s)
	}
	last := 0
	for _, c := range f.Calls {
		if c.Callee == "" || c.At < last || c.At >= len(src) {
			return fmt.Errorf("a call of %q at %d after %d", c.Callee, c.At, last)
		}
		last = c.At
	}
	last = 0
	for _, v := range f.Bindings {
		if v.At < last || v.At > len(src) || v.Name == "" {
			return fmt.Errorf("a binding of %q at %d after %d", v.Name, v.At, last)
		}
		last = v.At
	}
	for _, m := range f.Imports {
		if m.At < 0 || m.At > len(src) || m.Path == "" {
			return fmt.Errorf("an import of %q at %d", m.Path, m.At)
		}
	}
	return nil
}

// Fuzz holds scanners to their promise, whatever the text.
func Fuzz(f *testing.F, readers []Reader, seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		for _, r := range readers {
			Hold(t, r, src)
		}
	})
}

// Cut holds scanners to their promise for every beginning and every end of a text:
// they are texts too.
func Cut(t *testing.T, readers []Reader, texts ...string) {
	t.Helper()
	for _, src := range texts {
		for i := range src {
			for _, r := range readers {
				Hold(t, r, src[:i])
				Hold(t, r, src[i:])
			}
		}
	}
}

// Linear holds scanners to time that is linear in the text, whatever is repeated in
// it, n times, and left open.
func Linear(t *testing.T, readers []Reader, n int, pieces ...string) {
	t.Helper()
	holdLinear(t, testaid.Linear, readers, n, pieces...)
}

// LinearBeyond is Linear for texts that take linear time from n/8 pieces on only.
func LinearBeyond(t *testing.T, readers []Reader, n int, pieces ...string) {
	t.Helper()
	holdLinear(t, testaid.LinearBeyond, readers, n, pieces...)
}

func holdLinear(t *testing.T, linear func(int, func(int)) error, readers []Reader, n int, pieces ...string) {
	t.Helper()
	for _, piece := range pieces {
		for _, r := range readers {
			if err := linear(n, func(n int) { r.Read([]byte(r.Before + strings.Repeat(piece, n) + r.Tail)) }); err != nil {
				t.Errorf("%s: %q: %v", r.Name, piece, err)
			}
			Hold(t, r, r.Before+strings.Repeat(piece, 500)+r.Tail)
		}
	}
}

// Benchmark measures a scanner.
func Benchmark(b *testing.B, read Read, src string) {
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		read([]byte(src))
	}
}
