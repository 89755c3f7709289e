package team

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What is told to fetch again fetches, is in the audit log, and says what went wrong.
func TestAgain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "audit.jsonl")
	audit, err := openJournal(file, nil, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	fetched, said := make(chan struct{}), make(chan string, 1)
	d := &door{audit: audit, now: time.Now, refresh: func(context.Context) error {
		fetched <- struct{}{}
		return errors.New("no such host")
	}}
	ctx, stop := context.WithCancel(t.Context())
	told, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		d.again(ctx, told, func(_ string, args ...any) { said <- args[0].(error).Error() })
	}()
	for range 2 {
		told <- struct{}{}
		<-fetched
		if got := <-said; got != "no such host" {
			t.Errorf("it says %q", got)
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
