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

// reads defines an operation that changes nothing, by its name, what it does and an example.
func reads[In any, R Result](name, brief, example string, run func(context.Context, In) (R, error)) Op {
	return define(Op{Name: name, Brief: brief, Example: example}, run)
}

// writes defines an operation that changes files.
func writes[In any, R Result](name, brief, example string, run func(context.Context, In) (R, error)) Op {
	return define(Op{Name: name, Brief: brief, Example: example, Effect: Writes}, run)
}

// executes defines an operation that runs code it is given.
func executes[In any, R Result](name, brief, example string, run func(context.Context, In) (R, error)) Op {
	return define(Op{Name: name, Brief: brief, Example: example, Effect: Executes}, run)
}

// streams defines an operation that emits records until it is interrupted.
func streams[In, E any](name, brief, example string, watch func(context.Context, In, func(E) error) error) Op {
	o := Op{Name: name, Brief: brief, Example: example, Records: true, In: reflect.TypeFor[In]()}
	o.Run = func(ctx context.Context, in any, out Out) (Result, error) {
		arg, ok := in.(In)
		if !ok {
			return nil, fmt.Errorf("%s was given a %T", name, in)
		}
		ctx = work.With(ctx, work.Report{Progress: out.Progress, Note: out.Note})
		return nil, watch(ctx, arg, func(e E) error { return out.Emit(e) })
	}
	return o
}

// with is the operation with tools.
func (o Op) with(tools ...Tool) Op {
	o.Tools = tools
	return o
}

// reportingTo lends an operation, through its context, the ways in which its presenter tells more than the answer.
func reportingTo(ctx context.Context, out Out) context.Context {
	return work.With(ctx, work.Report{
		Progress: out.Progress, Note: out.Note, Client: out.Client, Document: out.Document, Data: out.Data, TextAlone: out.TextAlone, Command: out.Command,
	})
}

// finished guards the outputs of operations, and gives their errors about what is not there their next step.
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
