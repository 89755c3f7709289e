// Package template renders Jinja templates: the language of Jinja2 with the
// output of minijinja. What is undefined prints as nothing, nothing is escaped
// unasked, and true prints as true.
//
// Whatever a template says, rendering ends, and within its limits: output and
// values have a size, calls a depth, and Poll is asked every few steps.
package template

import (
	"errors"
	"fmt"
	"strings"
)

// Options are what a template may use.
type Options struct {
	Load  func(name string) (string, error) // the source of another template; nil: there is none
	Poll  func() error                      // asked now and then; an error ends the rendering
	Limit int                               // bytes of the output and of any value; 0: 16 MiB
}

const (
	defaultLimit = 16 << 20
	maxSource    = 1 << 20
	maxNesting   = 100     // of expressions and statements in the source, and of calls
	maxRange     = 100_000 // elements of range()
)

// An Error is why a template cannot be rendered.
type Error struct {
	Name    string
	Line    int
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Message) }

// Render renders src, which errors call name, with vars: nil, bool, int64,
// float64, string, []any and map[string]any. The error is an *Error, or Poll's.
func Render(name, src string, vars map[string]any, o Options) (string, error) {
	if o.Limit <= 0 {
		o.Limit = defaultLimit
	}
	r := &renderer{o: o, out: &strings.Builder{}, parsed: map[string]*source{}}
	t, err := r.parse(name, src)
	if err != nil {
		return "", err
	}
	err = r.guard(func() { r.render(t, newScope(newScope(nil, vars), nil)) })
	if err != nil {
		return "", err
	}
	return r.out.String(), nil
}

// guard runs f and returns what it failed with.
func (r *renderer) guard(f func()) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case *Error:
			err = x
		case stopped:
			err = x.err
		default:
			panic(x)
		}
	}()
	f()
	return nil
}

// stopped is what Poll said, on its way out.
type stopped struct{ err error }

func (r *renderer) parse(name, src string) (t *source, err error) {
	if t := r.parsed[name]; t != nil {
		return t, nil
	}
	if len(src) > maxSource {
		return nil, &Error{name, 1, fmt.Sprintf("larger than %d bytes", maxSource)}
	}
	err = r.guard(func() {
		p := &parser{name: name, src: strings.ReplaceAll(src, "\r\n", "\n"), line: 1, blocks: map[string]*block{}}
		p.src = strings.TrimSuffix(p.src, "\n")
		t = p.template()
	})
	if err != nil {
		return nil, err
	}
	r.parsed[name] = t
	return t, nil
}

var errNoLoader = errors.New("there are no other templates")

// load returns another template.
func (r *renderer) load(name string) (*source, error) {
	if t := r.parsed[name]; t != nil {
		return t, nil
	}
	if r.o.Load == nil {
		return nil, errNoLoader
	}
	src, err := r.o.Load(name)
	if err != nil {
		return nil, err
	}
	return r.parse(name, src)
}
