package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/assay-dev/assay/internal/code/discover"
	"github.com/assay-dev/assay/internal/code/index"
	"github.com/assay-dev/assay/internal/code/regex"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// maxScan is the largest file that a pattern is looked for in.
const maxScan = 1 << 30

// A FileMatch is the matches of a pattern in one file, in order.
type FileMatch struct {
	Path     string
	Language string
	Text     []byte
	Encoding string // as text.Decode has it
	Matches  []regex.Match
}

// A Scan says what a pattern search covered.
type Scan struct {
	Files      int // read
	Candidates int // that the index proposed, or that it does not know
	Binary     int // omitted
	Unreadable int
	TooLarge   int // larger than a scan reads
}

// LeftOut says which files a pattern was not looked for in: "1 binary, 2 secret (.env, id_rsa)"; "" if there are none.
func (s *Scan) LeftOut(v *View) string {
	var parts []string
	for _, l := range []struct {
		n   int
		why string
	}{{s.Binary, "binary"}, {max(s.Unreadable, v.Unreadable), "unreadable"}, {s.TooLarge, "larger than 1 GB"}} {
		if l.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", l.n, l.why))
		}
	}
	if n := v.Secrets(); n > 0 {
		part := fmt.Sprintf("%d secret", n)
		if names := v.Tree.Secrets; len(names) > 0 {
			part += " (" + strings.Join(names, ", ")
			if n > len(names) {
				part += fmt.Sprintf(" and %d more", n-len(names))
			}
			part += ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

// Match finds every match of a pattern in the files whose path passes, and calls
// yield with each file that has one, in the order of paths, until it returns
// false. The index only says which files cannot match: what is answered is read
// from the files.
func (v *View) Match(ctx context.Context, p *regex.Pattern, pass func(index.DocInfo) bool, yield func(FileMatch) bool) (Scan, error) {
	var scan Scan
	files, err := v.candidates(ctx, p, pass)
	if err != nil {
		return scan, err
	}
	scan.Candidates = len(files)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	type result struct {
		m    FileMatch
		kind int
	}
	// The results wait in a ring so that files are answered in order while all
	// processors read ahead.
	ring := make([]chan result, 64)
	for i := range ring {
		ring[i] = make(chan result, 1)
	}
	room := make(chan struct{}, len(ring))
	var next atomic.Int64
	var group sync.WaitGroup
	defer group.Wait()
	defer stop()
	for range min(runtime.GOMAXPROCS(0), len(files)) {
		group.Go(func() {
			for {
				select {
				case room <- struct{}{}:
				case <-ctx.Done():
					return
				}
				i := int(next.Add(1)) - 1
				if i >= len(files) {
					return
				}
				m, kind := v.matchFile(p, files[i])
				ring[i%len(ring)] <- result{m, kind}
			}
		})
	}
	for i := range files {
		var r result
		select {
		case r = <-ring[i%len(ring)]:
			<-room
		case <-ctx.Done():
			return scan, ctx.Err()
		}
		switch r.kind {
		case scanned:
			scan.Files++
		case isBinary:
			scan.Binary++
		case unreadable:
			scan.Unreadable++
		case tooLarge:
			scan.TooLarge++
		}
		if len(r.m.Matches) > 0 && !yield(r.m) {
			return scan, nil
		}
	}
	return scan, ctx.Err()
}

// candidates returns the paths of the files that may match, in order.
func (v *View) candidates(ctx context.Context, p *regex.Pattern, pass func(index.DocInfo) bool) ([]string, error) {
	var files []string
	err := v.Snap.Matching(ctx, p.Query(), func(d index.DocInfo) bool {
		if pass(d) {
			files = append(files, d.Path)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	add := func(rel string) {
		if pass(index.DocInfo{Path: rel, Language: syntax.Language(rel, nil), Flags: discover.PathFlags(rel)}) {
			files = append(files, rel)
		}
	}
	for _, rel := range v.unread {
		add(rel)
	}
	if v.Tree == nil {
		left, err := v.left(ctx)
		if err != nil {
			return nil, err
		}
		for _, w := range left {
			if w.why == index.Oversize {
				add(path.Join(w.dir, w.name))
			}
		}
	} else {
		for _, d := range v.Tree.Dirs {
			for _, f := range d.Files {
				if f.Size > discover.MaxFile {
					add(path.Join(d.Path, f.Name))
				}
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

const (
	scanned = iota
	isBinary
	unreadable
	tooLarge
)

func (v *View) matchFile(p *regex.Pattern, rel string) (m FileMatch, kind int) {
	text, encoding, err := readText(v.e.root, rel, maxScan)
	if errors.Is(err, errTooLarge) {
		return m, tooLarge
	}
	if err != nil {
		return m, unreadable
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return m, isBinary
	}
	p.Each(text, func(one regex.Match) bool {
		m.Matches = append(m.Matches, one)
		return true
	})
	if len(m.Matches) > 0 {
		m.Path, m.Text, m.Encoding = rel, text, encoding
		m.Language = syntax.Language(rel, text[:min(len(text), 256)])
	}
	return m, scanned
}
