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

// ErrLarge says that a remote repository exceeds the size limits of a clone.
var ErrLarge = errors.New("the repository is too large")

// cloneLimits bound the files and bytes of a clone. They are needed because a few hundred kilobytes of a repository can
// expand to any number of files: many folders may share one content.
type cloneLimits struct {
	files int
	bytes int64 // of all files below its folder
}

var defaultLimits = cloneLimits{1 << 20, 16 << 30}

// checkFileCount returns ErrLarge if a commit of the clone in dir has more files than the limit.
func (most cloneLimits) checkFileCount(ctx context.Context, dir, commit string) error {
	// Only files are listed and counted, but git also walks empty folders, so that the time must be bounded too.
	ctx, cancel := context.WithTimeout(ctx, lookUpTimeout)
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
		if err := skipToNull(r); err != nil {
			break
		}
	}
	if n > most.files {
		cancel()
		_ = cmd.Wait() // it was stopped, so its error says nothing
		return fmt.Errorf("%w: it has more than %d files", ErrLarge, most.files)
	}
	err = cmd.Wait()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%w: counting its files took longer than %s", ErrLarge, lookUpTimeout)
	}
	if err != nil {
		return fmt.Errorf("count its files: %w", err)
	}
	return nil
}

func skipToNull(r *bufio.Reader) error {
	for {
		switch _, err := r.ReadSlice(0); {
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			return err
		}
	}
}

// watchSize returns a context that ends when the folder dir has grown beyond the limits, with the reason as its cause. stop
// ends the watching.
func (most cloneLimits) watchSize(ctx context.Context, dir string, every time.Duration) (within context.Context, stop func()) {
	within, cancel := context.WithCancelCause(ctx)
	go func() {
		for wait := every; ; {
			select {
			case <-within.Done():
				return
			case <-time.After(wait):
			}
			begin := time.Now()
			if err := most.checkSize(dir); err != nil {
				cancel(err)
				return
			}
			wait = max(every, 10*time.Since(begin)) // spend at most a tenth of the time on watching
		}
	}()
	return within, func() { cancel(nil) }
}

// checkSize returns ErrLarge if the files below dir exceed the limits.
func (most cloneLimits) checkSize(dir string) error {
	n, held := 0, int64(0)
	return filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // git creates and removes files at the same time
		}
		if n++; d.Type().IsRegular() {
			if st, err := d.Info(); err == nil {
				held += st.Size()
			}
		}
		if held > most.bytes || n > 2*most.files+1<<16 { // the walk also counts folders and git's own files
			return fmt.Errorf("%w: it has more than %d GB or %d files", ErrLarge, most.bytes>>30, most.files)
		}
		return nil
	})
}
