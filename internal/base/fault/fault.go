// Package fault adds to an error its kind and its remedy.
//
// A Fix names an operation rather than a command line, so the command line can
// print it as a command and the MCP server as a tool call, each only where it
// has that operation.
package fault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// A Kind groups errors by their remedy. The numbers are the exit statuses of the command line and must never change their
// meaning.
type Kind int

const (
	Negative    Kind = 1   // the answer is a verdict, and it is no
	Usage       Kind = 2   // the request makes no sense: change it
	NotFound    Kind = 3   // a sound request for something absent
	Stale       Kind = 4   // the index or the cursor is behind: start again
	Unavailable Kind = 5   // something needed is down, busy or forbidden
	Internal    Kind = 70  // a defect of assay: report it
	Interrupted Kind = 130 // stopped by the user
)

// A Fix is the next step: the operation to run, and its arguments.
type Fix struct {
	Op   string
	Args []Arg
}

// Values returns the arguments by their names.
func (f Fix) Values() map[string]any {
	out := make(map[string]any, len(f.Args))
	for _, a := range f.Args {
		out[a.Name] = a.Value
	}
	return out
}

// MarshalJSON writes the operation and its arguments by their names.
func (f Fix) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Operation string         `json:"operation"`
		Arguments map[string]any `json:"arguments"`
	}{f.Op, f.Values()})
}

// An Arg is one argument of a Fix: a field of the operation's input by its JSON
// name, and a string, bool, int, float64 or []string.
type Arg struct {
	Name  string
	Value any
}

// An Error is meant to be read by a person or a model.
type Error struct {
	Kind Kind
	Msg  string
	Hint string // the remedy in words, if no operation does it
	Fix  *Fix
	Err  error
}

func (e *Error) Error() string {
	if e.Err != nil {
		return e.Msg + ": " + e.Err.Error()
	}
	return e.Msg
}

func (e *Error) Unwrap() error { return e.Err }

func New(k Kind, format string, args ...any) *Error {
	return &Error{Kind: k, Msg: fmt.Sprintf(format, args...)}
}

// Because records the cause of e and returns e.
func (e *Error) Because(err error) *Error { e.Err = err; return e }

// Try records the operation that fixes it and returns e.
func (e *Error) Try(op string, args ...Arg) *Error { e.Fix = &Fix{op, args}; return e }

// Or records the remedy in words and returns e.
func (e *Error) Or(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// KindOf returns the kind of err: Internal unless an Error says otherwise.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Only returns the error of a call whose other result nobody needs, such as how much was written.
func Only[T any](_ T, err error) error { return err }

// Said reports whether an error has a remedy already, or means that the call was cancelled.
func Said(err error) bool {
	return KindOf(err) != Internal || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// Unwritten is the error of a file that could not be written.
func Unwritten(path string, err error) error {
	if Said(err) {
		return err
	}
	return New(Unavailable, "write %s", path).Because(err).Or("free some space on its disk, or name another place")
}

// FixOf returns the next step that err suggests, or nil.
func FixOf(err error) *Fix {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Fix
	}
	return nil
}

// HintOf returns the advice in words that err carries, or "".
func HintOf(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Hint
	}
	return ""
}
