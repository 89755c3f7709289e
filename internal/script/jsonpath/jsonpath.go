// Package jsonpath selects values of JSON documents by the paths of RFC 9535, functions
// included. It answers every case of the published compliance suite as that says.
//
// Documents are what encoding/json decodes, with numbers as json.Number. Whatever the
// path and the document, a query ends with an answer or an error: its work is bounded.
//
// No library does this as checks need it: github.com/theory/jsonpath, which passes the same
// suite, returns the members of an object in an order that changes from run to run, refuses
// integers of more than 64 bits, bounds no work, reads a function only inside of a filter,
// and never the path at the start of "$.a > 3".
package jsonpath

import (
	"errors"
	"maps"
	"slices"
)

// An Expr is a path, or a function of paths: length, count, value, match or search.
type Expr struct {
	query *query
	call  *call
}

// Parse reads an expression at the start of a text and returns what follows it.
func Parse(s string) (e Expr, rest string, err error) {
	p := parser{s: s}
	switch {
	case p.peek() == '$':
		e.query, err = p.query()
	default:
		e.call, err = p.call()
	}
	if err != nil {
		return Expr{}, "", err
	}
	return e, s[p.at:], nil
}

// One reports whether an expression has exactly one value, or none, in every document.
func (e Expr) One() bool { return e.query == nil || e.query.singular() }

// Values returns what an expression selects in a document. The members of an object are
// visited in the order of their names.
func (e Expr) Values(root any) (out []any, err error) {
	w := &work{root: root, left: mostSteps}
	defer func() {
		if w.left <= 0 {
			out, err = nil, errWork
		}
	}()
	if e.query != nil {
		return w.nodes(e.query, nil), nil
	}
	if e.call.kind() == logical {
		return []any{w.calls(e.call, nil) == true}, nil
	}
	if v := w.calls(e.call, nil); v != nothing {
		out = append(out, v)
	}
	return out, nil
}

// mostSteps bounds the nodes that a query may visit: descendants of descendants multiply.
const mostSteps = 2_000_000

var errWork = errors.New("the path visits too many values")

// absent is what a comparison sees where a query found nothing.
type absent struct{}

var nothing any = absent{}

// A work is one evaluation.
type work struct {
	root any
	left int
}

// nodes returns what a query selects. Only the first of nodes that are too many is kept.
func (w *work) nodes(q *query, current any) []any {
	start := w.root
	if q.relative {
		start = current
	}
	list := []any{start}
	for _, s := range q.segments {
		var next []any
		for _, v := range list {
			if s.descend {
				w.descend(v, s.selectors, &next)
				continue
			}
			w.apply(v, s.selectors, &next)
		}
		list = next
	}
	return list
}

func (w *work) descend(v any, by []selector, out *[]any) {
	if w.left <= 0 {
		return
	}
	w.apply(v, by, out)
	for child := range children(v) {
		w.descend(child, by, out)
	}
}

func (w *work) apply(v any, by []selector, out *[]any) {
	for i := range by {
		if w.left--; w.left <= 0 {
			return
		}
		w.selects(v, &by[i], out)
	}
}

// children yields the values of a list or an object.
func children(v any) func(yield func(any) bool) {
	return func(yield func(any) bool) {
		switch v := v.(type) {
		case []any:
			for _, c := range v {
				if !yield(c) {
					return
				}
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				if !yield(v[name]) {
					return
				}
			}
		}
	}
}

func (w *work) selects(v any, s *selector, out *[]any) {
	list, _ := v.([]any)
	switch s.kind {
	case byName:
		if object, ok := v.(map[string]any); ok {
			if c, ok := object[s.name]; ok {
				*out = append(*out, c)
			}
		}
	case byAny:
		for c := range children(v) {
			w.left--
			*out = append(*out, c)
		}
	case byIndex:
		n := s.index
		if n < 0 {
			n += len(list)
		}
		if n >= 0 && n < len(list) {
			*out = append(*out, list[n])
		}
	case bySlice:
		w.slice(list, s, out)
	case byFilter:
		for c := range children(v) {
			if w.left--; w.left <= 0 {
				return
			}
			if w.holds(s.filter, c) {
				*out = append(*out, c)
			}
		}
	}
}

// slice follows section 2.3.4.2.2 of the RFC.
func (w *work) slice(list []any, s *selector, out *[]any) {
	size, step := len(list), 1
	if s.step != nil {
		step = *s.step
	}
	bound := func(given *int, otherwise, low, high int) int {
		n := otherwise
		if given != nil {
			if n = *given; n < 0 {
				n += size
			}
		}
		return min(max(n, low), high)
	}
	switch {
	case step > 0:
		from, to := bound(s.start, 0, 0, size), bound(s.end, size, 0, size)
		for i := from; i < to && i >= from; i += min(step, size+1) {
			w.left--
			*out = append(*out, list[i])
		}
	case step < 0:
		from, to := bound(s.start, size-1, -1, size-1), bound(s.end, -1, -1, size-1)
		for i := from; i > to; i += max(step, -size-1) {
			w.left--
			*out = append(*out, list[i])
		}
	}
}
