package git

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// FindRemoved searches the history of a work tree, newest commit first, for names that commits removed: names on removed
// lines of files with one of some endings (".go"), and paths of deleted files. Names are words of letters, digits,
// underscores and hyphens, or paths below root. It reads most bytes of patches and for patience at most. A name on a line
// only counts if has(path, line, name) is true. The keys of removed are the names that were found; the value is true if a
// document, by the end of its path, contained the name when the commit removed it; that search takes patience again at
// most. complete reports whether a longer search could not change the answer: all names were found or the whole history was
// read, and the documents of each commit were searched.
func FindRemoved(ctx context.Context, root string, names map[string]bool, endings, documents []string, most int, patience time.Duration,
	has func(path string, line []byte, name string) bool,
) (removed map[string]bool, complete bool, err error) {
	commit, ok := Head(ctx, root)
	if !ok {
		return nil, false, ErrNone
	}
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	a, err := newShadowRepo(ctx, root, commit, false)
	if err != nil {
		return nil, false, err
	}
	defer a.close()
	args := []string{"log", "--no-merges", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules", "--submodule=short", "--no-show-signature", "--no-color",
		"--src-prefix=a/", "--dst-prefix=b/", "--format=%x00%H", "-p", "-U0", "--relative", commit, "--"}
	for _, end := range endings {
		args = append(args, ":(glob)**/*"+end)
	}
	cmd := a.command(ctx, root, args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, false, err
	}
	if err := cmd.Start(); err != nil {
		return nil, false, err
	}
	removed = map[string]bool{}
	by := map[string][]string{} // the names that each commit removed
	var before []byte           // the path of the patched file
	at := ""                    // the commit
	take := func(name string) {
		if !removed[name] {
			removed[name], by[at] = true, append(by[at], name)
		}
	}
	s := bufio.NewReaderSize(out, 1<<16)
	ended := false
	for read := 0; len(removed) < len(names); {
		line, more, err := s.ReadLine()
		if err != nil {
			ended = err == io.EOF // otherwise the time is over
			break
		}
		switch file, of := bytes.CutPrefix(line, []byte("--- a/")); {
		case len(line) > 0 && line[0] == 0:
			at = string(line[1:])
		case of:
			before = append(before[:0], file...)
		case bytes.Equal(line, []byte("+++ /dev/null")):
			if names[string(before)] {
				take(string(before))
			}
		case len(line) > 1 && line[0] == '-':
			line = line[1:]
			eachWord(line, func(w []byte) {
				if names[string(w)] && !removed[string(w)] && has(string(before), line, string(w)) {
					take(string(w))
				}
			})
		}
		read += len(line)
		for more && err == nil { // skip the rest of a generated line
			_, more, err = s.ReadLine()
		}
		if read > most {
			break
		}
	}
	if !ended {
		cancel()
	}
	err = cmd.Wait() // if it was not stopped, nil means that the whole history was read
	documented, all := a.findDocumented(outer, root, by, documents, patience)
	for name := range removed {
		removed[name] = documented[name]
	}
	return removed, all && (len(removed) == len(names) || ended && err == nil), nil
}

// findDocumented returns the names that documents contained before the commits that removed them from the code, and whether
// the time was enough to search for all of them.
func (a *shadowRepo) findDocumented(ctx context.Context, root string, by map[string][]string, documents []string, patience time.Duration) (out map[string]bool, whole bool) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out = map[string]bool{}
	if len(documents) == 0 {
		return out, true
	}
	for _, commit := range slices.Sorted(maps.Keys(by)) { // sorted, so that a search that runs out of time always covers the same commits
		names := by[commit]
		args := []string{"grep", "-I", "-h", "-o", "-w", "-F", "--no-color", "--no-line-number", "--no-column", "--no-recurse-submodules"}
		for _, name := range names {
			args = append(args, "-e", name)
		}
		args = append(args, commit+"^", "--")
		for _, end := range documents {
			args = append(args, ":(glob)**/*"+end)
		}
		// The exit status is 1 if nothing is found, and if there is no parent commit.
		text, _, err := runToEnd(a.command(ctx, root, args...))
		if ctx.Err() != nil {
			return out, false
		}
		if err != nil {
			continue
		}
		for name := range strings.Lines(string(text)) {
			out[strings.TrimSpace(name)] = true
		}
	}
	return out, true
}

// eachWord calls f with each word of a line, and with the parts of words with hyphens.
func eachWord(line []byte, f func([]byte)) {
	for len(line) > 0 {
		at := bytes.IndexFunc(line, isWordRune)
		if at < 0 {
			return
		}
		line = line[at:]
		end := bytes.IndexFunc(line, func(r rune) bool { return !isWordRune(r) })
		if end < 0 {
			end = len(line)
		}
		w := bytes.Trim(line[:end], "-")
		f(w)
		if bytes.IndexByte(w, '-') >= 0 {
			for part := range bytes.SplitSeq(w, []byte("-")) {
				f(part)
			}
		}
		line = line[end:]
	}
}

func isWordRune(r rune) bool {
	switch {
	case r == '_', r == '-', r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
		return true
	}
	return false
}
