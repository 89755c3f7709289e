package team

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Each signal causes a fetch, an entry in the audit log, and a warning if the fetch fails.
func TestRefetchOnSignal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	audit, err := openJournal(file, nil, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	fetched, said := make(chan struct{}), make(chan string, 1)
	d := &gateway{audit: audit, now: time.Now, refresh: func(context.Context) error {
		fetched <- struct{}{}
		return errors.New("no such host")
	}}
	ctx, stop := context.WithCancel(t.Context())
	signals, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		d.refetchOnSignal(ctx, signals, func(_ string, args ...any) { said <- args[0].(error).Error() })
	}()
	for range 2 {
		signals <- struct{}{}
		<-fetched
		if got := <-said; got != "no such host" {
			t.Errorf("warning %q", got)
		}
	}
	stop()
	<-over
	if err := audit.close(); err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, dir: filepath.Dir(file)}
	if log := s.read("audit.jsonl"); strings.Count(log, `"holder":"signal"`) != 2 || !strings.Contains(log, `"outcome":"internal"`) {
		t.Errorf("audit log: %s", log)
	}
}
