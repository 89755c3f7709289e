// Package op is the catalogue: everything assay can do, each thing described once. Package cli presents an operation as a command
// and package mcp as tools; a presenter knows only what the Op says, so the two cannot drift apart.
package op

import (
	"context"
	"encoding/json"
	"io"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-dev/assay/internal/base/fault"
)

// An Effect says what an operation may change.
type Effect uint8

// The effects, weakest first. An index that refreshes itself is not an effect.
const (
	Reads    Effect = iota // changes nothing but a disposable index
	Writes                 // changes files
	Executes               // runs code it is given
)

// An Op is one operation.
type Op struct {
	Name    string   // the words of the command: "search", "docs query"
	Aliases []string // other words for it
	Brief   string   // one line: a verb, no full stop
	Example string   // one command line to paste
	Effect  Effect
	Hidden  bool
	Always  bool         // it runs although the settings cannot be read
	Records bool         // the answer can be had as JSONL
	Tabular bool         // the answer can be had as a table
	Piped   bool         // a program is given JSON unless it asks for a table
	In      reflect.Type // a struct; its tags describe the arguments
	Tools   []Tool
	Run     func(ctx context.Context, in any, out Out) (Result, error)
}

// A Tool is an operation as a model sees it.
type Tool struct {
	Name   string
	Brief  string
	Schema func() *jsonschema.Schema                     // made when it is first asked for: a command asks for none
	Decode func(raw json.RawMessage) (in any, err error) // checks raw against Schema's rules; in is of type Op.In

	Reads bool // it changes nothing, although the operation may

	// Plain: the answer is the text alone, byte for byte and without notes, because the tool's clients know its form from elsewhere.
	Plain bool
	// Apart is what is between the parts of the text, where it has some that answers have in common; or "".
	Apart string
	// Say returns what the tool answers to an error of Run, where that is an answer
	// like others and not a failure; false where it is a failure. May be nil.
	Say func(error) (string, bool)

	// Heavy reports whether a call takes a processor for long, by its arguments; nil: none does. A server of
	// many has few such calls run at once.
	Heavy func(raw json.RawMessage) bool

	Prompts []Prompt // calls of the tool that a person picks by name
	Views   []View   // calls of the tool whose answers have a URI

	args func() ([]Arg, error) // its error is why the tool cannot be: Check tells
}

// An Offer returns values that begin with prefix. It reads only indexes that exist.
type Offer func(ctx context.Context, prefix string) ([]string, error)

// A Prompt is a call of a tool by the name that a person picks in a client.
type Prompt struct {
	Name, Title, Brief string
	Args               []PromptArg
	Head               string                            // one line above the answer; %s is the first argument
	Call               func(given map[string]string) any // the tool's arguments, written as JSON
}

// A PromptArg is an argument of a prompt. Offer may be nil.
type PromptArg struct {
	Name, Brief string
	Required    bool
	Offer       Offer
}

// A View is a call of a tool by a URI that begins with Base; the rest is its argument, which is called Variable.
// Without a Variable, Base is the whole URI.
type View struct {
	Base, Variable, Title, Brief, MIME string
	Offer                              Offer                  // may be nil
	Call                               func(value string) any // the tool's arguments, written as JSON
}

// A Result is an answer. Its JSON form is the value itself; WriteText gives the form that people and models read. One that also
// has WriteLines can be asked for as JSONL.
type Result interface {
	WriteText(w io.Writer, colour bool) error
}

// Lines is a Result of many records.
type Lines interface {
	WriteLines(w io.Writer) error
}

// Judged is a Result that says yes or no: where it is no, Verdict is the error with which
// the command ends after it has written the whole answer.
type Judged interface{ Verdict() error }

// Drawn is a Result that may be a drawing: then its text is the answer, and it has no JSON.
type Drawn interface{ Drawing() bool }

// Texted is a Result that may be text to read: a program is given that too, unless it asks for JSON.
type Texted interface{ IsText() bool }

// Noted is a Result with notes for which its text, or its lines, have no place: they are for the person.
type Noted interface{ Untold(lines bool) []string }

// Exact is a Result whose text may be data for another program: it is then written byte for byte, control characters too.
type Exact interface{ Verbatim(terminal bool) bool }

// Out is where an operation sends what is not its answer. No function is nil.
type Out struct {
	Emit      func(v any) error                     // one record of a stream, now
	Progress  func(stage string, done, total int64) // how far it is; total 0 when unknown
	Note      func(format string, args ...any)      // one line for the person
	Client    string                                // what the program that calls says it is; may be empty
	Document  bool                                  // the answer is printed as one document: nothing else may be
	Data      bool                                  // the answer is written as JSON or JSONL alone: its text is not read
	TextAlone bool                                  // the answer is written as text alone
	Command   func(fault.Fix) string                // how the caller runs an operation, "" where it cannot
}
