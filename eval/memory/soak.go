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

	feature "github.com/assay-dev/assay/internal/memory"
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

// killed kills processes that store, forget, capture sessions and rebuild, at random moments.
func (s *soak) killed(ctx context.Context) error {
	rng := rand.New(rand.NewPCG(3, uint64(time.Now().UnixNano())))
	landed := 0
	for done := 0; done < s.kills; {
		var all []*run
		for _, args := range [][]string{{"store", fmt.Sprintf("k%d", done)}, {"store", fmt.Sprintf("l%d", done)}, {"rebuild"},
			{"capture", fmt.Sprintf("c%d", done)}, {"forget", fmt.Sprintf("f%d", done)}} {
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

// acknowledged are what was acknowledged: paths by what notes say, and paths and texts of
// digests and of what was forgotten.
func (s *soak) acknowledged() (notes map[string]string, digests, gone [][2]string, err error) {
	notes = map[string]string{}
	for _, l := range s.said {
		path, text, ok := strings.Cut(l, "\t")
		if !ok {
			return nil, nil, nil, fmt.Errorf("acknowledged as %q", l)
		}
		if said, is := strings.CutPrefix(text, digested); is {
			digests = append(digests, [2]string{path, said})
		} else if said, is := strings.CutPrefix(text, forgotten); is {
			gone = append(gone, [2]string{path, said})
		} else if have := notes[text]; have != "" && have != path {
			return nil, nil, nil, fmt.Errorf("acknowledged as %q, before as %q", l, have)
		} else {
			notes[text] = path
		}
	}
	return notes, digests, gone, nil
}

// kept reads the notes of the vault: paths by what they say, and how many there are. None may
// say what another does, and no session may have two digests.
func (s *soak) kept() (have map[string]string, texts map[string]string, err error) {
	have, texts = map[string]string{}, map[string]string{}
	vault := filepath.Join(s.dir, "vault")
	err = filepath.WalkDir(vault, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".md") {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(vault, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		texts[rel] = string(b)
		_, body, own := strings.Cut(string(b), "# Crowd: ")
		_, body, _ = strings.Cut(body, "\n\n")
		body = strings.TrimSuffix(body, "\n")
		if !own { // a digest
			_, body, _ = strings.Cut(string(b), "\nsession: ")
			body, _, _ = strings.Cut(body, "\n")
		}
		if other := have[body]; body == "" || other != "" {
			return fmt.Errorf("%s and %s both say %q", other, path, body)
		}
		have[body] = rel
		return nil
	})
	return have, texts, err
}

// check holds that each note and digest that was acknowledged lies under its path, that none is
// there twice, that what was forgotten is gone, and that the index is sound and finds them.
func (s *soak) check(ctx context.Context) error {
	want, digests, gone, err := s.acknowledged()
	if err != nil {
		return err
	}
	have, texts, err := s.kept()
	if err != nil {
		return err
	}
	notes := len(texts)
	for text, path := range want {
		if have[text] != path {
			return fmt.Errorf("%q was acknowledged as %s, and lies in %q", text, path, have[text])
		}
	}
	for _, d := range digests {
		if !strings.Contains(texts[d[0]], d[1]) {
			return fmt.Errorf("%q was acknowledged as %s, which says\n%s", d[1], d[0], texts[d[0]])
		}
	}
	for _, g := range gone {
		if have[g[1]] != "" { // its path may be another one's by now
			return fmt.Errorf("%q was forgotten, and lies in %s", g[1], have[g[1]])
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
	if err := s.found(ctx, f, want, gone); err != nil {
		return err
	}
	damaged, err := filepath.Glob(filepath.Join(s.dir, "*.corrupt-*"))
	if err != nil || len(damaged) > 0 {
		return fmt.Errorf("damaged: %v %w", damaged, err)
	}
	fmt.Fprintf(s.w, "  %d notes; %d that were acknowledged in their places, none twice; what %d acknowledged captures wrote is there, %d forgotten are gone; the index is sound\n",
		notes, len(want), len(digests), len(gone))
	return nil
}

// found holds that searches find what was stored, and nothing of what was forgotten.
func (s *soak) found(ctx context.Context, f *feature.Feature, want map[string]string, gone [][2]string) error {
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
	for _, g := range gone[:min(len(gone), 200)] {
		r, err := f.Search(ctx, feature.SearchInput{Query: g[1], Max: 3})
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(r.Hits, func(h feature.Remembered) bool { return strings.Contains(h.Text, g[1]) }); i >= 0 {
			return fmt.Errorf("%q was forgotten, and is found in %s", g[1], r.Hits[i].Path)
		}
	}
	return nil
}
