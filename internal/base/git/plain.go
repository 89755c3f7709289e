package git

import (
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// maxEntries bounds the entries of a repository that are checked before git opens it.
const maxEntries = 1 << 20

var errTooManyFiles = fmt.Errorf("the repository has more than %d files", maxEntries)

// checkPlain returns an error if a repository's folder contains a pipe or device, because git would wait for it forever or
// write to it. Links are followed, except in a repository of our own (own), which must have none.
func checkPlain(dir string, own bool) error {
	seen := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if seen++; seen > maxEntries {
			return errTooManyFiles
		}
		odd := err == nil && !d.IsDir() && !d.Type().IsRegular() // git reports unreadable files itself
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
		return fmt.Errorf("%w; remove it", err)
	}
	return err
}

// checkAddress returns an error for an invalid address, and for a local repository that git could not read to its end.
func checkAddress(address string) error {
	if err := checkWord(address); err != nil || !isPath(address) {
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
	return checkPlain(dir, false)
}
