package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A target is a system that the program is built for.
type target struct{ os, arch string }

var targets = []target{{"linux", "amd64"}, {"windows", "amd64"}, {"darwin", "arm64"}}

// A module is one that the program is linked from.
type module struct{ path, version, dir string }

// linked returns the modules that packages of cmd/assay are from, sorted by path.
func linked(root string, systems []target) (modules []module, err error) {
	for _, s := range systems {
		// Tests and measuring programs need more modules than the program does, so
		// go.mod would name too many.
		cmd := exec.Command("go", "list", "-tags=team", "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}", "./cmd/assay")
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+s.os, "GOARCH="+s.arch)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s/%s: %v\n%s", s.os, s.arch, err, stderr.String())
		}
		for line := range strings.Lines(string(out)) {
			f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
			if len(f) != 3 || f[1] == "" { // the standard library, or this module
				continue
			}
			if m := (module{f[0], f[1], f[2]}); !slices.Contains(modules, m) {
				modules = append(modules, m)
			}
		}
	}
	slices.SortFunc(modules, func(a, b module) int { return strings.Compare(a.path, b.path) })
	return modules, nil
}

// entry returns what NOTICE says of a module.
func entry(m module) (string, error) {
	files, err := licenceFiles(m.dir)
	if err != nil {
		return "", err
	}
	var licences, owners, others []string
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(m.dir, name))
		if err != nil {
			return "", err
		}
		// The notices of third parties also list what only the module's tests and
		// generators use.
		if strings.Contains(strings.ToUpper(name), "3RD-PARTY") {
			others = append(others, "Third parties: see "+name+" of the module")
			continue
		}
		owners = appendNew(owners, copyrights(text)...)
		if !strings.HasPrefix(strings.ToUpper(name), "NOTICE") {
			licences = appendNew(licences, licencesOf(text)...)
		}
	}
	if len(licences) == 0 {
		return "", fmt.Errorf("%s %s: no licence that is known in %q; name it in licenceMarks", m.path, m.version, files)
	}
	if len(owners) == 0 {
		if owners, err = ownersInSource(m.dir); err != nil {
			return "", err
		}
	}
	if owner, ok := unnamed[m.path]; ok && len(owners) == 0 {
		owners = []string{owner}
	}
	if len(owners) == 0 {
		return "", fmt.Errorf("%s %s: neither %q nor its sources have a copyright line", m.path, m.version, files)
	}
	return fmt.Sprintf("%s %s (%s)\n    %s\n\n", m.path, m.version, strings.Join(licences, ", "), strings.Join(append(owners, others...), "\n    ")), nil
}

// licenceFiles returns the names of the files in dir that have a licence or a notice.
func licenceFiles(dir string) (names []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		upper := strings.ToUpper(e.Name())
		// A logo is in the module and not in the program.
		if e.IsDir() || strings.Contains(upper, "LOGO") {
			continue
		}
		for _, prefix := range []string{"LICENSE", "LICENCE", "COPYING", "NOTICE"} {
			if strings.HasPrefix(upper, prefix) {
				names = append(names, e.Name())
				break
			}
		}
	}
	return names, nil
}

// licenceMarks are words that only one licence has, after runs of blanks became one.
var licenceMarks = []struct{ licence, words, without string }{
	{"Apache-2.0", "Apache License Version 2.0, January 2004", ""},
	{"Apache-2.0", "Licensed under the Apache License, Version 2.0", ""},
	{"MPL-2.0", "Mozilla Public License Version 2.0", ""},
	{"MIT", "Permission is hereby granted, free of charge, to any person obtaining a copy", ""},
	{"ISC", "Permission to use, copy, modify, and distribute this software for any purpose with or without fee is hereby granted", ""},
	{"BSD-3-Clause", "may be used to endorse or promote products derived from this software", ""},
	{"BSD-2-Clause", "Redistributions in binary form must reproduce the above copyright notice", "endorse or promote"},
	{"public domain", "dedicated to the public domain", ""},
}

// unnamed are the owners of modules whose licence has its words and names nobody.
var unnamed = map[string]string{"github.com/antchfx/xpath": "Copyright the authors of github.com/antchfx/xpath"}

// licencesOf returns the SPDX names of the licences whose text is in text.
func licencesOf(text []byte) (licences []string) {
	flat := strings.Join(strings.Fields(string(text)), " ")
	for _, m := range licenceMarks {
		if strings.Contains(flat, m.words) && (m.without == "" || !strings.Contains(flat, m.without)) {
			licences = appendNew(licences, m.licence)
		}
	}
	return licences
}

// copyrightLine matches a line that names an owner, but for the placeholder in the
// appendix of the Apache License.
var copyrightLine = regexp.MustCompile(`(?mi)^[ \t*/#>-]*(copyright[: ]+(?:\(c\)|©|&copy;|[0-9]{4})[^\r\n]*)`)

func copyrights(text []byte) (lines []string) {
	for _, m := range copyrightLine.FindAllSubmatch(text, -1) {
		lines = appendNew(lines, strings.Join(strings.Fields(string(m[1])), " "))
	}
	return lines
}

// ownersInSource returns the copyright lines at the head of a module's Go files, for
// licences that name nobody.
func ownersInSource(dir string) (owners []string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		head, _, _ := bytes.Cut(text, []byte("\npackage "))
		owners = appendNew(owners, copyrights(head)...)
	}
	slices.Sort(owners)
	return owners, nil
}

func appendNew(list []string, more ...string) []string {
	for _, s := range more {
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}
