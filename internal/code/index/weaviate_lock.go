//go:build team

package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/assay-dev/assay/internal/base/work"
	"github.com/assay-dev/assay/internal/code/weaviate"
)

const (
	// lockLasts is how long the holder of a lock may take, by its own clock. Others take it for
	// dead when they have seen one lock for lockDead, by theirs.
	lockLasts = 20 * time.Second
	lockDead  = 45 * time.Second
)

// errTaken says that somebody else was first: the change is tried again on what they made.
var errTaken = errors.New("somebody else has changed the index meanwhile")

// locked calls f while nobody else commits. f asks held whether the lock is still its own
// just before it writes.
//
// The lock is a class, which is made and removed by consensus of the nodes: of several only
// one makes it. Its description says whose it is. Who finds one that stays breaks it; who does
// so makes a class for that first, so that nobody breaks the lock of the next holder.
func (x *Weaviate) locked(ctx context.Context, f func(held func() error) error) error {
	lock, mine := x.class+"Lock", fmt.Sprintf("%016x", nonce())
	if err := x.acquire(ctx, lock, mine); err != nil {
		return err
	}
	began := time.Now()
	err := f(func() error {
		says, _, err := x.c.Class(ctx, lock)
		if err == nil && (says != mine || time.Since(began) > lockLasts) {
			err = errTaken
		}
		return err
	})
	// Also when the caller gives up, and when the server is away for a while: others would wait
	// until the lock is taken for dead.
	release, stop := context.WithTimeout(context.WithoutCancel(ctx), lockDead)
	defer stop()
	if gone := trying(release, weaviatePasses(release), func() error {
		says, have, err := x.c.Class(release, lock)
		if err == nil && have && says == mine {
			err = x.c.Drop(release, lock)
		}
		return err
	}); err == nil && gone != nil && !weaviatePasses(context.WithoutCancel(ctx))(gone) {
		return gone
	}
	return err
}

// acquire makes the lock.
func (x *Weaviate) acquire(ctx context.Context, lock, mine string) error {
	class := weaviate.Class{Class: lock, Description: mine, Vectors: map[string]any{"skip": true}}
	var seen string
	var since time.Time
	for wait := 5 * time.Millisecond; ; wait = min(2*wait, 200*time.Millisecond) {
		made, err := x.c.Create(ctx, class)
		if err == nil && made {
			return nil
		}
		var says string
		var have bool
		if err == nil {
			says, have, err = x.c.Class(ctx, lock)
		}
		switch {
		case err != nil && !weaviatePasses(ctx)(err):
			return err
		case err != nil: // it may have been made nevertheless: whose it is will show
		case have && says == mine:
			return nil
		case have && says != seen:
			seen, since = says, time.Now()
		case have && time.Since(since) > x.dead:
			if err := x.unlock(ctx, lock, seen); err != nil && !weaviatePasses(ctx)(err) {
				return err
			}
		}
		if err := work.Sleep(ctx, wait); err != nil {
			return fmt.Errorf("the lock of the index is held by others: %w", err)
		}
	}
}

// unlock breaks the lock of one who is dead.
func (x *Weaviate) unlock(ctx context.Context, lock, whose string) error {
	sum := sha256.Sum256([]byte(whose)) // as it may have what no name of a class has
	breaking := weaviate.Class{Class: x.class + "Unlock" + hex.EncodeToString(sum[:8]), Vectors: map[string]any{"skip": true}}
	made, err := x.c.Create(ctx, breaking)
	if err != nil || !made {
		return err
	}
	says, have, err := x.c.Class(ctx, lock)
	if err == nil && have && says == whose {
		err = x.c.Drop(ctx, lock)
	}
	return errors.Join(err, x.c.Drop(ctx, breaking.Class))
}
