// Command notice writes NOTICE: whose work the program contains, and under which licence; and
// licences.gz: the texts of these licences, which the program prints.
//
//	go run ./eval/notice          # write NOTICE and licences.gz
//	go run ./eval/notice -diff    # write nothing; status 1 if either is out of date
//	go run ./eval/notice -texts FILE                              # the licence texts of all modules
//	go run ./eval/notice -spdx FILE -version V -time RFC3339      # a bill of materials
//
// It lists the modules that cmd/assay is linked from on any of the systems that it is
// built for, with the copyright lines of each module's own licence files, and the data
// that is embedded in the program. The test holds NOTICE to the modules of the system
// that it runs on; .ci/run holds it to all of them.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const file = "NOTICE"

func main() {
	diff := flag.Bool("diff", false, "write nothing; status 1 if the file is out of date")
	textsTo := flag.String("texts", "", "write the licence texts of all modules to this file")
	spdxTo := flag.String("spdx", "", "write a bill of materials in SPDX's JSON to this file")
	version := flag.String("version", "0.0.0", "-spdx: of the program")
	time := flag.String("time", "1970-01-01T00:00:00Z", "-spdx: of the release")
	flag.Parse()
	var err error
	switch {
	case *textsTo != "":
		err = write(*textsTo, func() ([]byte, error) { return texts(".", targets) })
	case *spdxTo != "":
		err = write(*spdxTo, func() ([]byte, error) { return spdx(".", targets, *version, *time) })
	default:
		err = run(".", *diff)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "notice:", err)
		os.Exit(1)
	}
}

func write(path string, make func() ([]byte, error)) error {
	out, err := make()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, out, 0o644)
}

func run(root string, diff bool) error {
	want, err := render(root, targets)
	if err != nil {
		return err
	}
	path := filepath.Join(root, file)
	if !diff {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			return err
		}
		return packTexts(root)
	}
	have, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if bytes.Equal(have, want) {
		return compareTexts(root)
	}
	for _, line := range missing(want, have) {
		fmt.Printf("-%s\n", line)
	}
	for _, line := range missing(have, want) {
		fmt.Printf("+%s\n", line)
	}
	return fmt.Errorf("%s is out of date: go run ./eval/notice", file)
}

// missing returns the lines of have that are not in want.
func missing(want, have []byte) (lines []string) {
	known := strings.Split(string(want), "\n")
	for _, line := range strings.Split(string(have), "\n") {
		if !slices.Contains(known, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// render returns the text of NOTICE for the systems that the program is built for.
func render(root string, systems []target) ([]byte, error) {
	modules, err := linked(root, systems)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString(`assay

This program contains the work of others. This file names it; "assay licenses" prints
the licence texts. "go run ./eval/notice" writes this file.

== Go ==

The Go standard library and runtime (BSD-3-Clause)
    Copyright 2009 The Go Authors.

== Modules ==

`)
	for _, m := range modules {
		e, err := entry(m)
		if err != nil {
			return nil, err
		}
		b.WriteString(e)
	}
	if err := data(&b, root); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
