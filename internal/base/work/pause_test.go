package work

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// For ends when it says, or when its context does: among alarms that ring just before and just
// behind. The clock of the bubble waits for nobody.
func TestFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rung atomic.Int32
		alarm := func(after time.Duration, adds int32) { time.AfterFunc(after, func() { rung.Add(adds) }) }
		alarm(time.Hour-1, 1)
		alarm(time.Hour+1, 10)
		err := Sleep(t.Context(), time.Hour)
		synctest.Wait()
		if got := rung.Load(); err != nil || got != 1 {
			t.Errorf("%v, alarms %d", err, got)
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Minute, cancel)
		alarm(time.Minute+1, 100)
		err = Sleep(ctx, time.Hour)
		synctest.Wait()
		if got := rung.Load(); !errors.Is(err, context.Canceled) || got != 11 {
			t.Errorf("it ends with %v, alarms %d", err, got)
		}
	})
}
