package op

import (
	"context"
	"fmt"
	"reflect"

	"github.com/assay-dev/assay/internal/base/work"
)

// define makes an Op of a function that takes an In.
func define[In any, R Result](o Op, run func(context.Context, In) (R, error)) Op {
	o.In = reflect.TypeFor[In]()
	o.Records = reflect.TypeFor[R]().Implements(reflect.TypeFor[Lines]())
	o.Run = func(ctx context.Context, in any, out Out) (Result, error) {
		arg, ok := in.(In)
		if !ok {
			return nil, fmt.Errorf("%s was given a %T", o.Name, in)
		}
		r, err := run(reportingTo(ctx, out), arg)
		if err != nil {
			return nil, err // a nil R in a Result would not be nil
		}
		return r, nil
	}
	return o
}

// reportingTo lends an operation, through its context, the ways in which its presenter tells more than the answer.
func reportingTo(ctx context.Context, out Out) context.Context {
	return work.With(ctx, work.Report{
		Progress: out.Progress, Note: out.Note, Client: out.Client, Document: out.Document, Data: out.Data, TextAlone: out.TextAlone, Command: out.Command,
	})
}

// finished guards the outputs of operations, and gives their errors about what is not there
// their next step.
func finished(ops []Op) []Op {
	for i, o := range ops {
		o = guarded(o)
		ops[i].Run = func(ctx context.Context, in any, out Out) (Result, error) {
			r, err := o.Run(ctx, in, out)
			if err != nil {
				err = missing(o, in, err)
			}
			return r, err
		}
	}
	return ops
}
