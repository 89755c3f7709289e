package git

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"time"
)

// ErrLarge says that a remote repository is larger than any that is read.
var ErrLarge = errors.New("it is too large")

// A size bounds what a clone may bring: a few hundred kilobytes of a repository can be of any number of files, since
// folders may have the same content.
type size struct {
	files int
	bytes int64 // of all below its folder
}

var mostCloned = size{1 << 20, 16 << 30}

// countable fails where a commit of the clone in dir is of more files than most.
func (most size) countable(ctx context.Context, dir, commit string) error {
	// Folders without files are no names, and may be as many.
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	cmd := command(ctx, dir, nil, "ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	n := 0
	for r := bufio.NewReader(out); n <= most.files; n++ {
		if err := toNull(r); err != nil {
			break
		}
	}
	if n > most.files {
		cancel()
		_ = cmd.Wait() // it was stopped
		return fmt.Errorf("%w: it has more than %d files", ErrLarge, most.files)
	}
	err = cmd.Wait()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%w: its files cannot be counted in %s", ErrLarge, lookTime)
	}
	if err != nil {
		return fmt.Errorf("count its files: %w", err)
	}
	return nil
}

func toNull(r *bufio.Reader) error {
	for {
		switch _, err := r.ReadSlice(0); {
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			return err
		}
	}
}

// watched returns a context that ends when the folder dir has grown too large, with the reason as its cause. stop ends the
// watching.
func (most size) watched(ctx context.Context, dir string, every time.Duration) (within context.Context, stop func()) {
	within, cancel := context.WithCancelCause(ctx)
	go func() {
		for wait := every; ; {
			select {
			case <-within.Done():
				return
			case <-time.After(wait):
			}
			begin := time.Now()
			if err := most.holds(dir); err != nil {
				cancel(err)
				return
			}
			wait = max(every, 10*time.Since(begin)) // a tenth of the time at most
		}
	}()
	return within, func() { cancel(nil) }
}

// holds fails where what is below dir is more than most.
func (most size) holds(dir string) error {
	n, held := 0, int64(0)
	return filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // git makes and removes files meanwhile
		}
		if n++; d.Type().IsRegular() {
			if st, err := d.Info(); err == nil {
				held += st.Size()
			}
		}
		if held > most.bytes || n > 2*most.files+1<<16 { // folders count, and what git keeps
			return fmt.Errorf("%w: it has more than %d GB or %d files", ErrLarge, most.bytes>>30, most.files)
		}
		return nil
	})
}
