package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	indexLimit = 20 * time.Minute
	queryLimit = time.Minute
)

// An asker runs one assay binary.
type asker struct {
	bin        string   // absolute
	index, ask []string // arguments added to each run of index and of search
}

// A hit is lines of a file; Start is 0 where all of it is meant.
type hit struct {
	Path       string
	Start, End int
}

// build makes the index of tree from nothing.
func (a asker) build(ctx context.Context, tree string) error {
	_, err := a.run(ctx, indexLimit, tree, append([]string{"index", "--full", "--quiet", "--root", tree}, a.index...)...)
	return err
}

// search returns the best hits for q in tree, best first, and what assay says it
// could not look at, which is nothing if all is well.
func (a asker) search(ctx context.Context, tree, mode, q string) (hits []hit, degraded string, err error) {
	args := append([]string{"search", "--json", "--" + mode, "--top-k", strconv.Itoa(depth), "--root", tree}, a.ask...)
	out, err := a.run(ctx, queryLimit, tree, append(args, "--", q)...)
	if err != nil {
		return nil, "", err
	}
	return parse(out, tree)
}

func (a asker) run(ctx context.Context, limit time.Duration, dir string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, a.bin, args...)
	var out, msg bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &msg
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("assay %s: gave up after %s", args[0], limit)
	}
	if err != nil {
		tail := strings.TrimSpace(msg.String())
		return nil, fmt.Errorf("assay %s: %v: %s", args[0], err, tail[max(0, len(tail)-400):])
	}
	return out.Bytes(), nil
}

// parse reads the answer of assay search --json; tree is the folder searched.
func parse(out []byte, tree string) (hits []hit, degraded string, err error) {
	var answer struct {
		Degraded string
		Hits     []struct {
			Path string
			Span struct {
				Start int `json:"line_start"`
				End   int `json:"line_end"`
			}
		}
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return nil, "", fmt.Errorf("assay search: %v", err)
	}
	for _, h := range answer.Hits {
		path := h.Path
		if filepath.IsAbs(path) {
			if path, err = filepath.Rel(tree, path); err != nil {
				return nil, "", err
			}
		}
		hits = append(hits, hit{filepath.ToSlash(filepath.Clean(path)), h.Span.Start, h.Span.End})
	}
	return hits, answer.Degraded, nil
}
