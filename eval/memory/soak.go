package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	feature "github.com/assay-dev/assay/internal/feature/memory"
)

// A soak lets many processes loose on one vault, and kills others in the middle of
// what they do.
type soak struct {
	w         io.Writer
	processes int
	last      time.Duration
	kills     int

	dir  string
	mu   sync.Mutex
	said []string // what was acknowledged
}

func (s *soak) run(ctx context.Context) error {
	for _, part := range []func(context.Context) error{s.together, s.killed} {
		dir, err := os.MkdirTemp("", "assay-memory-")
		if err != nil {
			return err
		}
		s.dir, s.said = dir, nil
		if err := part(ctx); err != nil {
			return fmt.Errorf("%w\nleft for a look: %s", err, dir)
		}
		if err := s.check(ctx); err != nil {
			return fmt.Errorf("%w\nleft for a look: %s", err, dir)
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	return nil
}

// A run is a process under way.
type run struct {
	cmd   *exec.Cmd
	stdin io.Closer
	errs  strings.Builder
	heard sync.WaitGroup
}

// start starts a driver and listens to what it acknowledges.
func (s *soak) start(ctx context.Context, args ...string) (*run, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	r := &run{cmd: exec.CommandContext(ctx, exe, append([]string{"driver", s.dir}, args...)...)}
	r.cmd.Stderr = &r.errs
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if r.stdin, err = r.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := r.cmd.Start(); err != nil {
		return nil, err
	}
	r.heard.Go(func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			s.mu.Lock()
			s.said = append(s.said, lines.Text())
			s.mu.Unlock()
		}
	})
	return r, nil
}

// together has processes store and search at once. None may fail.
func (s *soak) together(ctx context.Context) error {
	var all []*run
	for i := range s.processes {
		r, err := s.start(ctx, "crowd", "p"+string(rune('a'+i%26))+string(rune('a'+i/26)))
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	time.Sleep(s.last)
	var errs []error
	for _, r := range all {
		r.stdin.Close()
	}
	for _, r := range all {
		r.heard.Wait()
		if err := r.cmd.Wait(); err != nil {
			errs = append(errs, fmt.Errorf("%w: %s", err, r.errs.String()))
		}
	}
	fmt.Fprintf(s.w, "%d processes for %s: %d acknowledgements, %d failed\n", s.processes, s.last, len(s.said), len(errs))
	return errors.Join(errs...)
}

// killed kills processes that store and rebuild, at random moments.
func (s *soak) killed(ctx context.Context) error {
	rng := rand.New(rand.NewPCG(3, uint64(time.Now().UnixNano())))
	landed := 0
	for done := 0; done < s.kills; {
		var all []*run
		for _, args := range [][]string{{"store", fmt.Sprintf("k%d", done)}, {"store", fmt.Sprintf("l%d", done)}, {"rebuild"}} {
			r, err := s.start(ctx, args...)
			if err != nil {
				return err
			}
			all = append(all, r)
		}
		time.Sleep(time.Duration(50+rng.IntN(700)) * time.Millisecond)
		for _, r := range all {
			if err := r.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
				return err
			}
			r.heard.Wait()
			var exit *exec.ExitError
			err := r.cmd.Wait()
			switch {
			case errors.As(err, &exit) && exit.ExitCode() < 0:
				landed++
			default:
				return fmt.Errorf("it ended by itself: %v: %s", err, r.errs.String())
			}
			done++
		}
	}
	fmt.Fprintf(s.w, "%d processes killed: %d acknowledgements before that\n", landed, len(s.said))
	return nil
}

// check holds that each note that was acknowledged lies under its path, that none is
// there twice, and that the index is sound and finds them.
func (s *soak) check(ctx context.Context) error {
	want := map[string]string{}
	for _, l := range s.said {
		path, text, ok := strings.Cut(l, "\t")
		if have := want[text]; !ok || have != "" && have != path {
			return fmt.Errorf("acknowledged as %q, before as %q", l, have)
		}
		want[text] = path
	}
	have := map[string]string{}
	notes := 0
	vault := filepath.Join(s.dir, "vault")
	err := filepath.WalkDir(vault, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".md") {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		notes++
		_, body, _ := strings.Cut(string(b), "# Crowd\n\n")
		body = strings.TrimSuffix(body, "\n")
		if other := have[body]; other != "" {
			return fmt.Errorf("%s and %s both say %q", other, path, body)
		}
		rel, err := filepath.Rel(vault, path)
		have[body] = filepath.ToSlash(rel)
		return err
	})
	if err != nil {
		return err
	}
	for text, path := range want {
		if have[text] != path {
			return fmt.Errorf("%q was acknowledged as %s, and lies in %q", text, path, have[text])
		}
	}
	f := feature.New(config(s.dir))
	defer func() { _ = f.Close() }()
	if _, err := f.Import(ctx, feature.ImportInput{}); err != nil {
		return err
	}
	d, err := f.Doctor(ctx, feature.DoctorInput{})
	if err != nil {
		return err
	}
	if d.Indexed != notes || len(d.Problems) > 0 {
		return fmt.Errorf("%d notes, %d indexed; %v", notes, d.Indexed, d.Problems)
	}
	asked := 0
	for text, path := range want {
		if asked++; asked > 200 {
			break
		}
		r, err := f.Search(ctx, feature.SearchInput{Query: text, Max: 3})
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(r.Hits, func(h feature.Remembered) bool { return h.Path == path || slices.Contains(h.Also, path) }) {
			return fmt.Errorf("%q does not find %s", text, path)
		}
	}
	damaged, err := filepath.Glob(filepath.Join(s.dir, "*.corrupt-*"))
	if err != nil || len(damaged) > 0 {
		return fmt.Errorf("damaged: %v %w", damaged, err)
	}
	fmt.Fprintf(s.w, "  %d notes, each acknowledged one in its place, none twice; the index is sound\n", notes)
	return nil
}
