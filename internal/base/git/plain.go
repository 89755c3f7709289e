package git

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// maxPlain bounds how many entries of a repository are looked at before git opens them.
const maxPlain = 1 << 20

var errMany = errors.New("it has too many files")

// plain fails where a repository's folder has what git would wait for without end, or write
// through: git opens whatever is at a name. Links are followed where somebody else may have
// made them; a repository of our own has none.
func plain(dir string, own bool) error {
	seen := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if seen++; seen > maxPlain {
			return errMany
		}
		odd := err == nil && !d.IsDir() && !d.Type().IsRegular() // git says what it cannot read
		if odd && d.Type()&fs.ModeSymlink != 0 && !own {
			st, err := os.Stat(path)
			odd = err == nil && !st.IsDir() && !st.Mode().IsRegular()
		}
		if !odd {
			return nil
		}
		return fmt.Errorf("%s is neither a file nor a folder", path)
	})
	if own && err != nil {
		return fmt.Errorf("%w; remove that", err)
	}
	return err
}

// reachable refuses what is no address, and a repository on this machine that git cannot read
// to the end.
func reachable(address string) error {
	if err := sane(address); err != nil || !isPath(address) {
		return err
	}
	dir := address
	if rest, ok := strings.CutPrefix(address, "file://"); ok {
		if dir = rest; strings.Contains(rest, "%") {
			if text, err := url.PathUnescape(rest); err == nil {
				dir = text
			}
		}
	}
	if own, ok := gitDir(dir); ok {
		dir = own
	}
	return plain(dir, false)
}
