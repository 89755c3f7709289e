package pause

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// The clock is one that waits for nobody: For ends when it says, or when its context does.
func TestFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		if err := For(t.Context(), time.Hour); err != nil || time.Since(began) != time.Hour {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, cancel)
		if err := For(ctx, time.Hour); !errors.Is(err, context.Canceled) || time.Since(began) != time.Hour+time.Minute {
			t.Errorf("it ends with %v after %v", err, time.Since(began))
		}
	})
}
