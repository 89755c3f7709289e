package ecma

import (
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/scan"
)

// maxElements bounds of how many elements of an array it is said what they are.
const maxElements = 64

// held is origin for what a name, a field or an element has: of an array that is written out it is
// "@7", by where that begins, and its elements are bound to "@7[]", the k-th one with "=k" as type.
func (r *reader) held(i, end int) (typ, value string) {
	if i < end && r.Sign(i, '[') {
		if k := r.Past(i); k == end || r.ts && r.key(k) == scan.KAs && r.Is(k+1, "const") && k+2 == end {
			return "", r.array(i)
		}
	}
	return r.origin(i, end)
}

// array binds the elements of the array at token i of which something is known, and returns its name;
// "" where nothing is known of any.
func (r *reader) array(i int) string {
	if !r.enter() {
		return ""
	}
	defer r.leave()
	name := "@" + strconv.Itoa(r.At(i))
	n, spread, any := 0, false, false
	r.Given(i, func(from, end int) string {
		if n++; n > maxElements || from >= end {
			return ""
		}
		b := corpus.Binding{Name: name + "[]", Type: "=" + strconv.Itoa(n-1), At: r.At(from)}
		switch {
		case r.Is(from, "..."):
			spread, b.Type = true, "=*"
			from++
		case spread:
			b.Type = "" // how many stand before it is not known
		}
		if _, b.Value = r.held(from, end); b.Value != "" && b.Value != object {
			r.bind(b)
			any = true
		}
		return ""
	})
	if !any {
		return ""
	}
	return name
}

// put binds what the = at token i assigns to an element, "a[7] = b", and returns the token after that;
// i where what is before the brackets has no name.
func (r *reader) put(x *expression, i int) int {
	open := r.Pair(i - 1)
	if open <= x.head || !r.enter() {
		return i
	}
	defer r.leave()
	of := r.Before(x.head, open)
	if of == "" {
		return i
	}
	b := corpus.Binding{Name: of + "[]", At: r.At(x.head)}
	switch key := r.Index(open); {
	case key[0] == '.':
		b.Name = of + key
	case key != "[]":
		b.Type = key[1 : len(key)-1]
	}
	at := len(r.Out.Bindings)
	r.bind(b)
	x.operator()
	x.assigns = true
	k := max(r.expr(i+1, x.end, x.how&^comma), i+1)
	if _, v := r.held(i+1, k); v != "" {
		r.Out.Bindings[at].Value = v
	} else {
		r.Out.Bindings = append(r.Out.Bindings[:at], r.Out.Bindings[at+1:]...)
	}
	x.value(i+1, false)
	return k
}

// quoted reports whether bracket i holds a name in quotes alone, and is called: a["b"](…).
func (r *reader) quoted(i int) bool {
	if i < 0 || !r.Sign(i, '[') || r.Kind(i+1) != scan.Text || !r.Sign(i+2, ']') || !r.Sign(i+3, '(') {
		return false
	}
	s := r.Str(i + 1)
	if len(s) < 3 || s[0] != '"' && s[0] != '\'' {
		return false
	}
	return strings.IndexFunc(s[1:len(s)-1], func(c rune) bool {
		return c != '_' && c != '$' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}) < 0
}

// keyed records such a call.
func (r *reader) keyed(from, i int) {
	of := r.Before(from, i)
	if of == "" {
		return
	}
	s := r.Str(i + 1)
	args := 0
	given := r.Given(i+3, func(from, end int) string { args++; return r.Value(from, end) })
	r.Out.Calls = append(r.Out.Calls, corpus.Call{Callee: s[1 : len(s)-1], Receiver: of, Given: given, At: r.At(i+1) + 1, Args: int16(min(args, 1000))})
}
