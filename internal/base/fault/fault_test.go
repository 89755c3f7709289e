package fault

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"testing"
)

// What an error says of itself is found under whatever wraps it; another error is a defect.
func TestError(t *testing.T) {
	e := New(NotFound, "no %s", "thing").Because(io.EOF).Try("index", Arg{"path", "x"}).Or("or ask %d", 2)
	if e.Error() != "no thing: EOF" || !errors.Is(e, io.EOF) || New(Usage, "a").Error() != "a" {
		t.Errorf("%q", e)
	}
	for _, err := range []error{e, fmt.Errorf("while asking: %w", e), errors.Join(io.EOF, e)} {
		if KindOf(err) != NotFound || HintOf(err) != "or ask 2" || !reflect.DeepEqual(FixOf(err), &Fix{"index", []Arg{{"path", "x"}}}) {
			t.Errorf("%v: %v, %q, %v", err, KindOf(err), HintOf(err), FixOf(err))
		}
	}
	if KindOf(io.EOF) != Internal || HintOf(io.EOF) != "" || FixOf(io.EOF) != nil || FixOf(New(Usage, "a")) != nil {
		t.Error("an error of somebody else has a kind, a hint or a fix")
	}
}

// The numbers are exit statuses, which scripts know.
func TestKinds(t *testing.T) {
	if got := fmt.Sprint(int(Negative), int(Usage), int(NotFound), int(Stale), int(Unavailable), int(Internal), int(Interrupted)); got != "1 2 3 4 5 70 130" {
		t.Error(got)
	}
}
