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

// Gone looks through the history of a work tree, newest commit first, for names on lines that
// commits took away from files of some endings (".go"), and for files that are no more: in so many
// bytes of patches and for so long at most. It returns those that it met where has, which is asked
// of each line with a name and of the file that it was in, says that the line had it. Names are words of letters, digits,
// underscores and hyphens, or paths below root. Of these it returns as values which documents, by the ends of
// their paths, had when the commit took them away, searched for as long again. It reports whether nothing that it
// did not come to could change that: all names were met, or git said all that it had, and the documents of each
// commit were searched.
func Gone(ctx context.Context, root string, names map[string]bool, endings, documents []string, most int, patience time.Duration, has func(path string, line []byte, name string) bool) (gone map[string]bool, whole bool, err error) {
	commit, ok := Head(ctx, root)
	if !ok {
		return nil, false, ErrNone
	}
	outer := ctx
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	a, err := newAside(ctx, root, commit, false)
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
	gone = map[string]bool{}
	by := map[string][]string{} // commits: the names that each took away
	var before []byte           // the path of the file that a patch is of
	at := ""                    // the commit
	take := func(name string) {
		if !gone[name] {
			gone[name], by[at] = true, append(by[at], name)
		}
	}
	s := bufio.NewReaderSize(out, 1<<16)
	ended := false
	for read := 0; len(gone) < len(names); {
		line, more, err := s.ReadLine()
		if err != nil {
			ended = err == io.EOF // or no more time
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
			words(line, func(w []byte) {
				if names[string(w)] && !gone[string(w)] && has(string(before), line, string(w)) {
					take(string(w))
				}
			})
		}
		read += len(line)
		for more && err == nil { // the rest of a line that nobody wrote
			_, more, err = s.ReadLine()
		}
		if read > most {
			break
		}
	}
	if !ended {
		cancel()
	}
	err = cmd.Wait() // where it was not stopped it says whether that was all
	told, all := a.told(outer, root, by, documents, patience)
	for name := range gone {
		gone[name] = told[name]
	}
	return gone, all && (len(gone) == len(names) || ended && err == nil), nil
}

// told returns which names documents had before the commits that took them out of the code, and whether
// the time was enough to look for all.
func (a *aside) told(ctx context.Context, root string, by map[string][]string, documents []string, patience time.Duration) (out map[string]bool, whole bool) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out = map[string]bool{}
	if len(documents) == 0 {
		return out, true
	}
	for _, commit := range slices.Sorted(maps.Keys(by)) { // the same ones, where not all have their time
		names := by[commit]
		args := []string{"grep", "-I", "-h", "-o", "-w", "-F", "--no-color", "--no-line-number", "--no-column", "--no-recurse-submodules"}
		for _, name := range names {
			args = append(args, "-e", name)
		}
		args = append(args, commit+"^", "--")
		for _, end := range documents {
			args = append(args, ":(glob)**/*"+end)
		}
		// It ends with 1 where it finds none, and where there is no commit before.
		text, _, err := answer(a.command(ctx, root, args...))
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

// words calls f with each word of a line, of one with hyphens also with its parts.
func words(line []byte, f func([]byte)) {
	for len(line) > 0 {
		at := bytes.IndexFunc(line, inWord)
		if at < 0 {
			return
		}
		line = line[at:]
		end := bytes.IndexFunc(line, func(r rune) bool { return !inWord(r) })
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

func inWord(r rune) bool {
	return r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
