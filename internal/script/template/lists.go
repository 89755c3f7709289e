package template

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/slice"
	"github.com/assay-dev/assay/internal/base/sorting"
)

func listFilter(name string) filter {
	switch name {
	case "length", "count":
		return func(r *renderer, v any, _ values, line int) any {
			n, ok := length(v)
			if !ok {
				r.fail(line, "a %s has no length", kindOf(v))
			}
			return int64(n)
		}
	case "first", "last":
		return func(r *renderer, v any, _ values, line int) any {
			list := r.elements(v, line)
			switch {
			case len(list) == 0:
				return undefined
			case name == "first":
				return list[0]
			}
			return list[len(list)-1]
		}
	case "list":
		return func(r *renderer, v any, _ values, line int) any { return slices.Clone(r.elements(v, line)) }
	case "join":
		return filterJoin
	case "reverse":
		return func(r *renderer, v any, _ values, line int) any {
			list := slices.Clone(r.elements(v, line))
			slices.Reverse(list)
			if _, ok := v.(string); ok {
				return filterJoin(r, list, values{}, line)
			}
			return list
		}
	case "sort":
		return filterSort
	case "unique":
		return filterUnique
	case "sum":
		return func(r *renderer, v any, a values, line int) any {
			total := a.get(1, "start", int64(0))
			for _, x := range r.attrs(r.elements(v, line), a.get(0, "attribute", nil), line) {
				total = r.arith("+", total, x, line)
			}
			return total
		}
	case "min", "max":
		return func(r *renderer, v any, _ values, line int) any {
			var best any = undefined
			for _, x := range r.elements(v, line) {
				if best == any(undefined) || r.orders(map[string]string{"min": "lt", "max": "gt"}[name], x, best, line) {
					best = x
				}
			}
			return best
		}
	case "batch":
		return filterBatch
	case "slice":
		return filterSlice
	case "items", "dictsort":
		return filterItems
	case "chain":
		return func(r *renderer, v any, a values, line int) any {
			out := slices.Clone(r.elements(v, line))
			for _, x := range a.args {
				out = append(out, r.elements(x, line)...)
				r.size(16*len(out), line)
			}
			return out
		}
	case "zip":
		return filterZip
	case "groupby":
		return filterGroupby
	}
	return nil
}

func pickFilter(name string) filter {
	switch name {
	case "default", "d":
		return func(_ *renderer, v any, a values, _ int) any {
			if v == any(undefined) || truth(a.get(1, "boolean", false)) && !truth(v) {
				return a.get(0, "default_value", "")
			}
			return v
		}
	case "attr":
		return func(r *renderer, v any, a values, line int) any { return r.attr(v, text(a.get(0, "name", "")), line) }
	case "map":
		return filterMap
	case "select", "reject", "selectattr", "rejectattr":
		return func(r *renderer, v any, a values, line int) any { return r.choose(name, v, a, line) }
	}
	return nil
}

// path returns an attribute of v, or one of an attribute: a.b.0.
func (r *renderer) path(v, name any, line int) any {
	if n, ok := name.(int64); ok {
		return r.item(v, n, line)
	}
	for _, part := range strings.Split(text(name), ".") {
		if v == any(undefined) {
			return undefined
		}
		if n, ok := filterInt(r, part, values{args: []any{nil}}, line).(int64); ok {
			v = r.item(v, n, line)
		} else {
			v = r.attr(v, part, line)
		}
	}
	return v
}

// attrs returns an attribute of each element, or the elements where none is named.
func (r *renderer) attrs(list []any, name any, line int) []any {
	if name == nil {
		return list
	}
	out := make([]any, len(list))
	for i, v := range list {
		out[i] = r.path(v, name, line)
	}
	return out
}

func filterJoin(r *renderer, v any, a values, line int) any {
	sep := text(a.get(0, "d", ""))
	var b strings.Builder
	for i, x := range r.attrs(r.elements(v, line), a.get(1, "attribute", nil), line) {
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(text(x))
		r.size(b.Len(), line)
	}
	return b.String()
}

// lower is how values compare where case does not matter.
func lower(v any) any {
	if s, ok := v.(string); ok {
		return strings.ToLower(s)
	}
	return v
}

func filterSort(r *renderer, v any, a values, line int) any {
	list := slices.Clone(r.elements(v, line))
	keys := func(x any) []any {
		name := a.get(2, "attribute", nil)
		if name == nil {
			return []any{x}
		}
		return slice.Map(strings.Split(text(name), ","), func(n string) any { return r.path(x, n, line) })
	}
	sensitive := truth(a.get(1, "case_sensitive", false))
	sorting.Stable(list, func(x, y any) int {
		r.step()
		kx, ky := keys(x), keys(y)
		for i := range kx {
			p, q := kx[i], ky[i]
			if !sensitive {
				p, q = lower(p), lower(q)
			}
			n, ok := compare(p, q)
			if !ok {
				r.fail(line, "sort: cannot compare %s with %s", kindOf(p), kindOf(q))
			}
			if n != 0 {
				return n
			}
		}
		return 0
	})
	if truth(a.get(0, "reverse", false)) {
		slices.Reverse(list)
	}
	return list
}

func filterUnique(r *renderer, v any, a values, line int) any {
	sensitive := truth(a.get(0, "case_sensitive", false))
	seen := map[string]bool{}
	out := []any{}
	for _, x := range r.elements(v, line) {
		r.step()
		k := r.pathOf(x, a.get(1, "attribute", nil), line)
		if !sensitive {
			k = lower(k)
		}
		id := kindOf(k) + ":" + text(k)
		if !seen[id] {
			seen[id] = true
			out = append(out, x)
		}
	}
	return out
}

// pathOf is path where a name may be missing.
func (r *renderer) pathOf(v, name any, line int) any {
	if name == nil {
		return v
	}
	return r.path(v, name, line)
}

func filterBatch(r *renderer, v any, a values, line int) any {
	n := r.int(a.get(0, "linecount", int64(0)), line)
	r.failIf(n < 1, line, "batch: needs a positive number")
	var out []any
	for part := range slices.Chunk(r.elements(v, line), n) {
		row := slices.Clone(part)
		if fill := a.get(1, "fill_with", nil); fill != nil {
			r.size(16*n, line)
			for len(row) < n {
				row = append(row, fill)
			}
		}
		out = append(out, row)
	}
	return out
}

func filterSlice(r *renderer, v any, a values, line int) any {
	n := r.int(a.get(0, "slices", int64(0)), line)
	r.failIf(n < 1, line, "slice: needs a positive number")
	r.size(64*n, line)
	list := r.elements(v, line)
	each, extra := len(list)/n, len(list)%n
	var out []any
	at := 0
	for i := range n {
		size := each
		if i < extra {
			size++
		}
		part := slices.Clone(list[at : at+size])
		at += size
		if fill := a.get(1, "fill_with", nil); fill != nil && i >= extra && extra > 0 {
			part = append(part, fill)
		}
		out = append(out, part)
	}
	return out
}

func filterItems(r *renderer, v any, a values, line int) any {
	m, ok := v.(map[string]any)
	if !ok {
		r.fail(line, "a %s has no items", kindOf(v))
	}
	out := make([]any, 0, len(m))
	for _, k := range sortedKeys(m) {
		out = append(out, []any{k, m[k]})
	}
	if text(a.get(1, "by", "key")) == "value" {
		sorting.Stable(out, func(x, y any) int {
			n, _ := compare(lower(x.([]any)[1]), lower(y.([]any)[1]))
			return n
		})
	}
	if truth(a.get(2, "reverse", false)) {
		slices.Reverse(out)
	}
	return out
}

func filterZip(r *renderer, v any, a values, line int) any {
	lists := [][]any{r.elements(v, line)}
	for _, x := range a.args {
		lists = append(lists, r.elements(x, line))
	}
	n := len(lists[0])
	for _, l := range lists {
		n = min(n, len(l))
	}
	out := make([]any, n)
	for i := range out {
		row := make([]any, len(lists))
		for j, l := range lists {
			row[j] = l[i]
		}
		out[i] = row
	}
	return out
}

func filterGroupby(r *renderer, v any, a values, line int) any {
	name := a.get(0, "attribute", "")
	sorted, ok := filterSort(r, v, values{named: map[string]any{"attribute": name}}, line).([]any)
	if !ok {
		return nil
	}
	out := []any{}
	var last any
	var members []any
	flush := func() {
		if members != nil {
			out = append(out, []any{last, members})
		}
	}
	for _, x := range sorted {
		k := r.path(x, name, line)
		if k == any(undefined) {
			k = a.get(1, "default", any(undefined))
		}
		if members == nil || !equal(lower(k), lower(last)) {
			flush()
			last, members = k, nil
		}
		members = append(members, x)
	}
	flush()
	return out
}

func filterMap(r *renderer, v any, a values, line int) any {
	list := r.elements(v, line)
	out := make([]any, len(list))
	name, byAttr := a.named["attribute"]
	for i, x := range list {
		r.step()
		if byAttr {
			out[i] = r.path(x, name, line)
			if out[i] == any(undefined) {
				out[i] = a.get(len(a.args), "default", any(undefined))
			}
			continue
		}
		r.failIf(len(a.args) == 0, line, "map: needs a filter or an attribute")
		out[i] = r.filter(text(a.args[0]), x, values{args: a.args[1:]}, line)
	}
	return out
}

// choose keeps the elements that pass a test, or those that do not.
func (r *renderer) choose(name string, v any, a values, line int) any {
	want := strings.HasPrefix(name, "select")
	byAttr := strings.HasSuffix(name, "attr")
	args := a.args
	var attr any
	if byAttr {
		if len(args) == 0 {
			r.fail(line, "%s: needs an attribute", name)
		}
		attr, args = args[0], args[1:]
	}
	out := []any{}
	for _, x := range r.elements(v, line) {
		r.step()
		y := r.pathOf(x, attr, line)
		var ok bool
		if len(args) == 0 {
			ok = truth(y)
		} else {
			ok = r.test(text(args[0]), y, values{args: args[1:]}, line)
		}
		if ok == want {
			out = append(out, x)
		}
	}
	return out
}
