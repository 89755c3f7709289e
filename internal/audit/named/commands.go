package named

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/base/text"
)

// A commandChecker checks commands: scripts of the project, and its own programs.
type commandChecker struct{ *checker }

// command checks a line that runs a program: scripts of the project and flags of its own programs.
func (c commandChecker) command(p *page, line string, at int) {
	m := prompted.FindStringSubmatch(line)
	if m == nil {
		return
	}
	rest, _, _ := strings.Cut(m[2], " #")
	switch m[1] {
	case "npm", "yarn", "pnpm", "bun":
		if name := scriptIn(rest); name != "" && c.own.scripts != nil && c.isForContributors(p) {
			c.script(p, name, "package.json", c.own.scripts, at)
		}
		return
	case "make":
		if name := targetIn(rest); name != "" && c.own.targets != nil && c.isForContributors(p) {
			c.script(p, name, "Makefile", c.own.targets, at)
		}
		return
	}
	if first, others, _ := strings.Cut(strings.TrimSpace(rest), " "); c.own.programs[m[1]+"-"+first] {
		m[1], rest = m[1]+"-"+first, " "+others // of a program that another starts by a word
	}
	if !c.own.programs[m[1]] {
		c.misspelledProgram(p, m[1], rest, at)
		return
	}
	rest, _, _ = strings.Cut(rest, " -- ")
	rest, _, _ = strings.Cut(rest, " | ")
	c.subcommand(p, rest, at)
	for _, flag := range flagOf.FindAllStringSubmatch(quotedArgument.ReplaceAllString(rest, ""), -1) {
		c.checked++
		c.flag(p, flag[1], at, claim{run: true})
	}
}

// subcommand reports the first argument of a program of the project if nothing has it, and a command of nearly the name is defined.
func (c commandChecker) subcommand(p *page, args string, line int) {
	words := strings.Fields(args)
	if len(words) == 0 || !commandName.MatchString(words[0]) || len(words[0]) < minNear || c.words.has(words[0]) {
		return
	}
	for _, near := range c.words.within(words[0], 1, program) {
		if c.options.commands[near] && !p.says(near, line) {
			c.report(p, Finding{Kind: Name, Level: Error, Name: words[0], Meant: near, At: c.words.place(near), Fix: near, Why: "no command is called " + words[0]}, line)
			return
		}
	}
}

// quotedArgument is what one program hands to another.
var quotedArgument = lazy.Regexp(`'[^']*'|"[^"]*"`)

var commandName = lazy.Regexp(`^[a-z][a-z-]+$`)

// misspelledProgram reports a command whose program is nearly called as one of the project, if no text has the word.
func (c commandChecker) misspelledProgram(p *page, name, args string, line int) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(args), " ")
	if len(name) < minNear || c.words.has(name) || p.shown[name] || !c.words.has(strings.TrimLeft(first, "-")) {
		return false
	}
	for program := range c.own.programs {
		if text.DistanceWithin(program, name, 2) == 1 && !differsInNumber(program, name) {
			c.report(p, Finding{Kind: Name, Level: Error, Name: name, Meant: program, Why: "no program is called " + name}, line)
			return true
		}
	}
	return false
}

// scriptIn returns the script that the arguments of a package manager run in this folder, or "".
func scriptIn(args string) string {
	m := runScript.FindStringSubmatch(args)
	if m == nil || strings.Contains(args, "-w") || strings.Contains(args, "--filter") {
		return "" // of another package of a workspace
	}
	return m[1]
}

// targetIn returns the only target that the arguments of make name, or "".
func targetIn(args string) string {
	words := strings.Fields(args)
	if len(words) != 1 || !identifier.MatchString(words[0]) || strings.ContainsAny(words[0], "=-$<[") {
		return ""
	}
	return words[0]
}

// isForContributors reports whether a page speaks of this tree and not of its reader's.
func (c commandChecker) isForContributors(p *page) bool {
	dir := path.Dir(p.file.Path)
	switch {
	case p.file.Flags&corpus.Example != 0:
		return false
	case dir == ".":
		return true
	case !isReadme(p.file.Path) || strings.Contains(dir, "/"):
		return false
	}
	return !c.Exists(dir+"/package.json") && !c.Exists(dir+"/Makefile")
}

// commandSpan checks a span that runs a script of the project or one of its programs.
func (c commandChecker) commandSpan(p *page, span string, line int, _ group) bool {
	first, rest, ok := strings.Cut(span, " ")
	if ok && c.misspelledProgram(p, first, rest, line) {
		return true
	}
	if !ok || rest == "" || !c.own.programs[first] && !slices.Contains([]string{"npm", "yarn", "pnpm", "bun", "make"}, first) {
		return false
	}
	c.command(p, span, line)
	return true
}

// script checks the name of a script or of a target.
func (c commandChecker) script(p *page, name, file string, has map[string]bool, line int) {
	c.checked++
	if has[name] || file == "package.json" && c.own.others[name] {
		return
	}
	f := Finding{Kind: Script, Level: Warning, Name: name, Why: file + " has no " + name}
	for other := range has {
		if foldName(other) == foldName(name) || strings.HasPrefix(other, name+":") || strings.HasPrefix(other, name+"-") {
			f.Meant, f.Level = max(f.Meant, other), Error
		}
	}
	if at := slices.IndexFunc(c.Code, func(code File) bool { return code.Path == file }); f.Meant != "" && at >= 0 {
		text := c.Code[at].Text
		f.At = &Place{file, 1 + bytes.Count(text[:max(0, bytes.Index(text, []byte(f.Meant)))], []byte("\n"))}
	}
	c.report(p, f, line)
}
