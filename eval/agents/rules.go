package main

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/assay-dev/assay/internal/base/file"
	"github.com/assay-dev/assay/internal/base/safe"
)

// assayCommands are those that look into a tree.
func assayCommands() []string {
	return []string{"search", "show", "callers", "callees", "refs", "def", "impact", "map", "brief", "inventory", "imports",
		"importers", "implementers", "hierarchy", "path", "functions", "similar"}
}

// assayDenied are options that leave the tree, change what is indexed, or need history.
func assayDenied() []string {
	return []string{"root", "repo", "workspace", "index-dir", "no-ignore", "embed", "diff", "patch", "issue", "trace",
		"agent", "intent", "rationale", "expect"}
}

// rgDenied are options of ripgrep that run programs, read patterns from files or follow links.
func rgDenied() []string {
	return []string{"pre", "pre-glob", "hostname-bin", "search-zip", "follow", "file", "ignore-file"}
}

// findDenied are options of find that run programs, write or delete files, or follow links.
func findDenied() []string {
	return []string{"exec", "execdir", "ok", "okdir", "delete", "fprint", "fprint0", "fprintf", "fls", "files0-from", "L", "H", "follow"}
}

func allowedCommands(arm string) string {
	if arm == textArm {
		return "rg, ls, find, sed -n A,Bp FILE and cat FILE"
	}
	return strings.Join(assayCommands(), ", ") + " and sed -n A,Bp FILE"
}

// refusal returns the reason why a command is not run, or "".
func (l *looker) refusal(args []string) string {
	name, rest := args[0], args[1:]
	isText := l.arm == textArm
	var denied string
	switch {
	case name == "sed" || name == "cat" && isText:
		_, _, err := parseRead(name, rest)
		if err != nil {
			return err.Error()
		}
	case isText && name == "rg":
		denied = deniedRg(rest)
	case isText && name == "find":
		denied = deniedOption(rest, findDenied())
	case isText && name == "ls":
	case !isText && slices.Contains(assayCommands(), name):
		denied = deniedOption(rest, assayDenied())
	default:
		return name + " is not allowed: only " + allowedCommands(l.arm)
	}
	if denied != "" {
		return "option " + denied + " of " + name + " is not allowed"
	}
	for _, a := range rest {
		if l.isOutside(a) {
			return a + " is outside the tree"
		}
	}
	return ""
}

// isOutside reports whether an argument, or the value of an option, names an existing place that is not in the tree, or
// assay's index. An argument that names nothing may be a pattern with slashes.
func (l *looker) isOutside(arg string) bool {
	if strings.HasPrefix(arg, "-") {
		if _, value, ok := strings.Cut(arg, "="); ok {
			return l.isOutside(value)
		}
		return false
	}
	if strings.HasPrefix(arg, "~") {
		return true
	}
	if !filepath.IsAbs(arg) {
		arg = filepath.Join(l.tree, arg)
	}
	target, err := filepath.EvalSymlinks(arg)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(l.tree, target)
	if err != nil || !filepath.IsLocal(rel) {
		return true
	}
	first, _, _ := strings.Cut(filepath.ToSlash(rel), "/")
	return first == ".assay"
}

// deniedOption returns the first argument that is one of the denied options.
func deniedOption(args, denied []string) string {
	for _, a := range args {
		if a == "--" {
			break
		}
		name, _, _ := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if strings.HasPrefix(a, "-") && slices.Contains(denied, name) {
			return a
		}
	}
	return ""
}

// deniedRg is deniedOption with ripgrep's short options, of which several may stand together.
func deniedRg(args []string) string {
	const takesValue, denied = "ABCEMTdegjmrt", "fLz"
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		a := args[i]
		if len(a) < 2 || a[0] != '-' || a[1] == '-' {
			continue
		}
		for at, c := range a[1:] {
			if strings.ContainsRune(denied, c) {
				return a
			}
			if strings.ContainsRune(takesValue, c) {
				if at+2 == len(a) {
					i++ // the next argument is its value
				}
				break
			}
		}
	}
	return deniedOption(args, rgDenied())
}

// A lineRange is of lines of a file, both included.
type lineRange struct{ first, last int }

var errReadUsage = errors.New("files are read only as sed -n 'A,Bp;C,Dp' FILE... (and cat FILE... in the arm text)")

var sedRange = regexp.MustCompile(`^\s*(\d+)(?:\s*,\s*(\+?)(\d+|\$))?\s*p\s*$`)

// parseRead reads the arguments of sed -n A,Bp FILE... or cat FILE....
func parseRead(name string, args []string) (ranges []lineRange, files []string, err error) {
	script, names := "1,$p", args
	if name == "sed" {
		if len(args) < 3 || args[0] != "-n" {
			return nil, nil, errReadUsage
		}
		script, names = args[1], args[2:]
	}
	for part := range strings.SplitSeq(strings.Trim(script, "; "), ";") {
		m := sedRange.FindStringSubmatch(part)
		if m == nil {
			return nil, nil, errReadUsage
		}
		r := lineRange{first: parseNumber(m[1])}
		switch r.last = max(r.first, parseNumber(m[3])); {
		case m[3] == "$":
			r.last = 1 << 30
		case m[2] == "+":
			r.last = r.first + parseNumber(m[3])
		}
		ranges = append(ranges, r)
	}
	if len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, "-") }) {
		return nil, nil, errReadUsage
	}
	return ranges, names, nil
}

// parseNumber reads digits; too many of them are a huge number.
func parseNumber(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil && digits != "" && digits != "$" {
		return 1 << 30
	}
	return n
}

// readLines returns lines of files, of which each is numbered from 1.
func (l *looker) readLines(name string, args []string) ([]byte, error) {
	ranges, names, err := parseRead(name, args)
	if err != nil {
		return nil, err
	}
	tree, err := safe.OpenRoot(l.tree)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	var out bytes.Buffer
	for _, n := range names {
		data, err := readTree(tree, path.Clean(filepath.ToSlash(n)))
		if err != nil {
			return out.Bytes(), fmt.Errorf("%s: %w", name, err)
		}
		at := 0
		for line := range bytes.Lines(data) {
			at++
			for _, r := range ranges {
				if at >= r.first && at <= r.last {
					out.Write(line)
				}
			}
		}
	}
	return out.Bytes(), nil
}

// readTree reads a file of a tree, through links that stay below it.
func readTree(tree *safe.Root, rel string) ([]byte, error) {
	f, err := tree.OpenLinked(rel)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return file.ReadUpTo(f, maxRunFile)
}
