// Package work passes the receiver of progress and notes of a call through its context.
package work

import (
	"context"

	"github.com/assay-dev/assay/internal/base/fault"
)

// A Report is where a call says so.
type Report struct {
	Progress func(stage string, done, total int64) // total 0 where it is unknown
	Note     func(format string, args ...any)      // one line for the person
	Client   string                                // the name that the calling program gives itself; may be empty
	Document bool                                  // the answer is printed as one document: nothing else may be
	Data     bool                                  // the answer is wanted as data alone: its text is not read
	// TextAlone says that the answer is wanted as text, beside which no data is read.
	TextAlone bool
	Command   func(fault.Fix) string // how the caller runs an operation, "" where it cannot
}

type key struct{}

// With returns ctx with a Report for the calls made with it. Its fields may be nil.
func With(ctx context.Context, r Report) context.Context {
	return context.WithValue(ctx, key{}, r)
}

// FromContext returns the Report of ctx, or one that discards everything. No field of it is nil.
func FromContext(ctx context.Context) Report {
	r, _ := ctx.Value(key{}).(Report)
	if r.Progress == nil {
		r.Progress = func(string, int64, int64) {}
	}
	if r.Note == nil {
		r.Note = func(string, ...any) {}
	}
	if r.Command == nil {
		r.Command = func(fault.Fix) string { return "" }
	}
	return r
}

// Try returns say followed by how the caller runs an operation; "" where it cannot.
func (r Report) Try(say, op string, args ...fault.Arg) string {
	line := r.Command(fault.Fix{Op: op, Args: args})
	if line == "" {
		return ""
	}
	return say + line
}

type besideKey struct{}

// Beside returns ctx for one of several parallel calls. Notes about finding nothing are discarded, because the other calls
// may find something.
func Beside(ctx context.Context) context.Context { return context.WithValue(ctx, besideKey{}, true) }

// IsBeside reports whether ctx is of such a call.
func IsBeside(ctx context.Context) bool { return ctx.Value(besideKey{}) != nil }
