package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// noCache keeps Python from writing beside its programs.
var noCache = []string{"PYTHONDONTWRITEBYTECODE=1"}

// truth returns the file that a program of truth/ prints for a package, whose judgement it is, and the version of what ran that has none fixed.
func (l *lab) truth(s subject, root string) (file, by, ran string, err error) {
	var env, args []string
	program := filepath.Join(l.module, "eval", "structure", "truth", s.language)
	name := map[string]string{"ecma": "node", "python": "python3", "java": "java"}[s.language]
	switch s.language {
	case "ecma":
		tools, err := l.npmTool(typescript)
		if err != nil {
			return "", "", "", err
		}
		by, env, args = typescript.name+" "+typescript.version, []string{"NODE_PATH=" + tools}, []string{filepath.Join(program, "facts.mjs")}
	case "python":
		by = fmt.Sprintf("mypy %s, %s %s", mypy[0].version, pyright.name, pyright.version)
		if name, env, args, err = l.pythonCalls(s, program); err != nil {
			return "", "", "", err
		}
	case "java":
		by, args = "javac", []string{filepath.Join(program, "Facts.java")}
	default:
		return "", "", "", fmt.Errorf("no program tells the calls of %s", s.language)
	}
	if s.language != "python" {
		args = append(args, "--edges")
	}
	fmt.Fprintf(l.w, "asking %s about %s ...\n", by, s.name)
	out, err := client(l.dir, env, name, append(args, root)...)
	if err != nil {
		return "", "", "", err
	}
	file = filepath.Join(l.dir, "truth", s.name+".jsonl")
	return file, by, l.version(name), os.WriteFile(file, out, 0o644)
}

// npmTool returns the node_modules folder of a program.
func (l *lab) npmTool(p pin) (string, error) {
	dir, err := l.into(p, func(tmp string) error {
		_, err := client(tmp, nil, "npm", "install", "--prefix", ".", "--no-audit", "--no-fund", "--ignore-scripts", "--silent", p.name+"@"+p.version)
		return err
	})
	return filepath.Join(dir, "node_modules"), err
}

// pythonCalls returns how edges.py is run: by an interpreter that mypy, a compiled
// package, is built for.
func (l *lab) pythonCalls(s subject, program string) (name string, env, args []string, err error) {
	node, err := l.npmTool(pyright)
	if err != nil {
		return "", nil, nil, err
	}
	libraries := func(pins []pin) (dirs []string) {
		for _, p := range pins {
			dir, e := l.debian(p)
			err = errors.Join(err, e)
			dirs = append(dirs, filepath.Join(dir, filepath.FromSlash(debianPython)))
		}
		return dirs
	}
	env = []string{noCache[0], "PYTHONPATH=" + strings.Join(libraries(mypy), string(filepath.ListSeparator))}
	args = []string{filepath.Join(program, "edges.py"), "--pyright", filepath.Join(node, pyright.name)}
	for _, d := range libraries(s.site) {
		args = append(args, "--site", d)
	}
	if err != nil {
		return "", nil, nil, err
	}
	for _, name := range []string{"/usr/bin/python3", "python3.11", "python3"} {
		if _, err := client(l.dir, env, name, "-c", "import mypy.build"); err == nil {
			return name, env, args, nil
		}
	}
	return "", nil, nil, missing("no python3 is one that Debian's mypy " + mypy[0].version + " runs in")
}

// version returns what a program says of itself, "" where it says nothing.
func (l *lab) version(name string) string {
	out, err := client(l.dir, nil, name, "--version")
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err == nil && filepath.Base(name) == "node" {
		first = "node " + first
	}
	return first
}
