package work

import (
	"context"
	"fmt"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
)

func TestOf(t *testing.T) {
	nobody := FromContext(t.Context())
	nobody.Progress("stage", 1, 2)
	nobody.Note("%d", 1)
	if nobody.Client != "" || nobody.Document || nobody.Try("; ask ", "search") != "" {
		t.Errorf("%+v", nobody)
	}
	var said string
	ctx := With(t.Context(), Report{Note: func(format string, args ...any) { said += fmt.Sprintf(format, args...) }, Client: "x", Document: true})
	r := FromContext(context.WithoutCancel(ctx))
	r.Progress("stage", 1, 2)
	if r.Note("%d files", 2); said != "2 files" || r.Client != "x" || !r.Document {
		t.Errorf("%q, %+v", said, r)
	}
	ctx = With(ctx, Report{Command: func(f fault.Fix) string { return f.Op + "!" }})
	if said := FromContext(ctx).Try("; ask ", "search"); said != "; ask search!" {
		t.Errorf("%q", said)
	}
	var at int64
	FromContext(With(ctx, Report{Progress: func(_ string, done, _ int64) { at = done }})).Progress("s", 7, 9)
	if at != 7 {
		t.Errorf("at %d", at)
	}
}
