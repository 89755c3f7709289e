package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const (
	indexLimit = 20 * time.Minute
	queryLimit = time.Minute
)

// An asker runs one assay binary.
type asker struct {
	bin   string   // absolute
	extra []string // arguments added to each search
}

// index builds or refreshes the index of tree and returns how long that took.
func (a asker) index(ctx context.Context, tree string) (time.Duration, error) {
	_, took, err := a.run(ctx, indexLimit, tree, "index", "--quiet", "--root", tree)
	return took, err
}

// search returns the hits for q in tree, best first, the number of output lines
// that were no hit, and how long the process took.
func (a asker) search(ctx context.Context, tree, q string) (hits []hit, bad int, took time.Duration, err error) {
	args := append([]string{"search", "--jsonl", "--top-k", "10", "--root", tree}, a.extra...)
	out, took, err := a.run(ctx, queryLimit, tree, append(args, "--", q)...)
	hits, bad = parseHits(out, tree)
	return hits, bad, took, err
}

func (a asker) run(ctx context.Context, limit time.Duration, dir string, args ...string) ([]byte, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, a.bin, args...)
	var out, msg bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &msg
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if ctx.Err() != nil {
		err = fmt.Errorf("assay %s: gave up after %s", args[0], limit)
	} else if err != nil {
		tail := msg.String()
		err = fmt.Errorf("assay %s: %v: %s", args[0], err, strings.TrimSpace(tail[max(0, len(tail)-400):]))
	}
	return out.Bytes(), took, err
}

// parseHits reads assay's JSONL; tree is the folder searched.
func parseHits(out []byte, tree string) (hits []hit, bad int) {
	for line := range bytes.Lines(out) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var o struct {
			Path string `json:"path"`
			Span struct {
				Start int `json:"line_start"`
				End   int `json:"line_end"`
			} `json:"span"`
		}
		if err := json.Unmarshal(line, &o); err != nil || o.Path == "" {
			bad++
			continue
		}
		hits = append(hits, hit{relative(o.Path, tree), o.Span.Start, o.Span.End})
	}
	return hits, bad
}

// copyTree copies the folder from to to unless it is there already. It appears
// under its name only when it is whole, so an interrupted copy is never reused.
func copyTree(from, to string) error {
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(to), ".copy-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	err = filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		dst := filepath.Join(part, rel)
		switch {
		case d.IsDir():
			return os.MkdirAll(dst, 0o755)
		case d.Type()&fs.ModeSymlink != 0:
			link, err := os.Readlink(path)
			if err != nil {
				return err
			}
			return os.Symlink(link, dst)
		case !d.Type().IsRegular():
			return nil
		}
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(dst, raw, 0o644)
	})
	if err != nil {
		return fmt.Errorf("copy %s: %w", from, err)
	}
	return os.Rename(part, to)
}
