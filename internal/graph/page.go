package graph

import (
	"cmp"
	"encoding/base64"
	"encoding/json"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/code/workspace"
)

// A Page says how to go on, where an answer is not all.
type Page struct {
	Cursor string `json:"cursor"`
	More   bool   `json:"has_more"`
	Total  int    `json:"total_available"`
}

// A position is what a cursor holds: a question and how much of its answer was
// shown, of which state of the tree. It gives nobody more than asking does.
type position struct {
	Op     string          `json:"q"`
	In     json.RawMessage `json:"i"`
	Offset int             `json:"o"`
	Sum    uint64          `json:"s"`
}

// A resumed is where an answer begins.
type resumed struct {
	op     string
	in     json.RawMessage
	offset int
	sum    uint64
}

func badCursor() error {
	return fault.New(fault.Usage, "the cursor is not one that this question gave").Or("omit it to start at the first page")
}

func open(cursor string) (p position, err error) {
	squeezed, err := base64.RawURLEncoding.DecodeString(cursor)
	raw, ok := workspace.Unsqueeze(squeezed)
	if err != nil || !ok || len(cursor) > 1<<16 || json.Unmarshal(raw, &p) != nil || p.Offset <= 0 {
		return p, badCursor()
	}
	return p, nil
}

// resume returns the question of a cursor, or the one that was asked where there
// is none. filter finds what the question says of files and pages.
func resume[In any](op string, in In, filter func(*In) *Filter) (In, resumed, error) {
	f := filter(&in)
	if f.Cursor == "" {
		return in, resumed{op: op}, nil
	}
	p, err := open(f.Cursor)
	if err != nil {
		return in, resumed{}, err
	}
	var was In
	if p.Op != op || codec.Unmarshal(p.In, &was) != nil {
		return in, resumed{}, badCursor()
	}
	filter(&was).tool = f.tool
	return was, resumed{op: op, in: p.In, offset: p.Offset, sum: p.Sum}, nil
}

func (r resumed) stale(tool bool) error {
	e := fault.New(fault.Stale, "the tree has changed since the page before")
	var fields map[string]any
	if json.Unmarshal(r.in, &fields) != nil {
		return e.Or("ask again without the cursor")
	}
	for _, name := range []string{"pattern", "module", "function", "target", "name", "type", "symbol"} {
		if v, ok := fields[name].(string); ok {
			return again(e, r.op, tool, v)
		}
	}
	return again(e, r.op, tool, "")
}

// again suggests a question: to a program as a call of the tool, to a person as a
// command.
func again(e *fault.Error, op string, tool bool, about string) error {
	var args []fault.Arg
	if tool {
		args = []fault.Arg{{Name: "query_type", Value: op}}
		if about != "" {
			args = append(args, fault.Arg{Name: "pattern", Value: about})
		}
		return e.Try("structure", args...)
	}
	name := map[string]string{"inventory": "pattern", "functions": "pattern", "imports": "module", "importers": "module", "impact": "target", "dead": "pattern", "def": "name", "implementers": "type", "hierarchy": "type", "path": "from", "refs": "symbol"}[op]
	name = cmp.Or(name, "function")
	switch {
	case op == "show":
		args = []fault.Arg{{Name: "places", Value: []string{about}}}
	case about != "":
		args = []fault.Arg{{Name: name, Value: about}}
	}
	return e.Try(op, args...)
}

// paged returns which of n entries to show, and how to go on after them.
func paged[In any](s *session, n int, in In, filter func(*In) *Filter) (from, to int, p *Page, err error) {
	to = n
	if s.limit > 0 {
		to = s.offset + s.limit
	}
	return pagedTo(s, n, to, in, filter)
}

// pagedTo is paged for a page that ends before an entry.
func pagedTo[In any](s *session, n, end int, in In, filter func(*In) *Filter) (from, to int, p *Page, err error) {
	from, to = min(s.offset, n), min(n, end)
	if to == n {
		return from, to, nil, nil
	}
	filter(&in).Cursor = ""
	raw, err := codec.Marshal(in)
	if err != nil {
		return 0, 0, nil, err
	}
	b, err := json.Marshal(position{s.op, raw, to, s.state()})
	if err != nil {
		return 0, 0, nil, err
	}
	return from, to, &Page{base64.RawURLEncoding.EncodeToString(workspace.Squeeze(b)), true, n}, nil
}
