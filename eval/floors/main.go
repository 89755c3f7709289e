// Command floors says through how many packages a request goes from a presenter to what is
// stored, by the calls that assay itself finds in its own code.
//
//	go run ./eval/floors -assay ./assay [-root DIR]      # status 1 where one goes further than it may
//
// For a query, a note, a page and a module it joins the shortest calls of two legs: from the
// command line to where an operation is run, and from the feature's method to where the core or
// the store is read or written. Between the two is a function value that no call graph sees, made
// in package op, which counts as a stay. A stay is a package that is entered and left: calls
// within one are one stay. The way back is the same calls, and counts no further.
//
// It is the shortest way, and not all that happens on it: what a function calls besides, to cut a
// page, to redact a note, to parse a query, is not on the way to the store.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"slices"
)

// What the design allows.
const (
	mostStays    = 12
	mostPackages = 8
)

// A way is what is followed: from a method of a feature to where something is stored.
type way struct{ what, from, to string }

const (
	entry = "internal/present/cli/cli.go:Run"
	runs  = "internal/present/cli/cli.go:run"
	seam  = "internal/present/op"
)

var ways = []way{
	{"a query about code", "internal/code/search.go:Feature.Search", "internal/code/index/lexical.go:Snapshot.Lexical"},
	{"a note is stored", "internal/memory/write.go:Feature.Store", "internal/base/store/store.go:DB.Write"},
	{"a page is ingested", "internal/docs/ingest.go:Feature.Ingest", "internal/base/store/store.go:DB.Write"},
	{"a page is asked for", "internal/docs/ask.go:Feature.Query", "internal/base/store/store.go:OpenReadOnly"},
	{"a module is found", "internal/script/modules.go:Feature.Context", "internal/base/safe/safe.go:OpenNamed"},
}

func main() {
	assay := flag.String("assay", "assay", "the program")
	root := flag.String("root", ".", "the tree of its code")
	flag.Parse()
	ok, err := measure(os.Stdout, func(from, to string) ([]byte, error) {
		cmd := exec.Command(*assay, "path", "--json", "--no-tests", "--root", *root, from, to)
		cmd.Stderr = os.Stderr
		return cmd.Output()
	})
	if err != nil {
		fmt.Fprintf(os.Stderr, "floors: %v\n", err)
	}
	if err != nil || !ok {
		os.Exit(1)
	}
}

// measure writes a line for each way, and reports whether none goes further than it may.
func measure(w io.Writer, ask func(from, to string) ([]byte, error)) (ok bool, err error) {
	first, err := leg(ask, entry, runs)
	if err != nil {
		return false, err
	}
	ok = true
	for _, x := range ways {
		second, err := leg(ask, x.from, x.to)
		if err != nil {
			return false, err
		}
		calls := slices.Concat(first, []string{seam}, second)
		stays := slices.Compact(slices.Clone(calls))
		packages := slices.Compact(slices.Sorted(slices.Values(calls)))
		fmt.Fprintf(w, "%s: %d stays in %d packages, %d functions\n", x.what, len(stays), len(packages), len(calls))
		for _, s := range stays {
			fmt.Fprintf(w, "    %s\n", s)
		}
		ok = ok && len(stays) <= mostStays && len(packages) <= mostPackages
	}
	return ok, nil
}

// leg returns the packages of the functions on the shortest way from one to another.
func leg(ask func(from, to string) ([]byte, error), from, to string) (packages []string, err error) {
	out, err := ask(from, to)
	if err != nil {
		return nil, fmt.Errorf("ask for the way from %s to %s: %w", from, to, err)
	}
	var answer struct {
		Paths []struct {
			Calls []struct {
				File   string `json:"file"`
				Callee string `json:"callee_file"`
			} `json:"calls"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return nil, fmt.Errorf("read the way from %s to %s: %w", from, to, err)
	}
	if len(answer.Paths) == 0 || len(answer.Paths[0].Calls) == 0 {
		return nil, fmt.Errorf("no calls lead from %s to %s: a name or the code has changed", from, to)
	}
	calls := answer.Paths[0].Calls
	packages = append(packages, path.Dir(calls[0].File))
	for _, c := range calls {
		packages = append(packages, path.Dir(c.Callee))
	}
	return packages, nil
}
