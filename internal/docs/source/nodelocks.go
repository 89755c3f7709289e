package source

import (
	"encoding/json"
	"slices"
	"strings"
)

// A nodeAsk is a package that a part of a workspace asks for.
type nodeAsk struct{ folder, member, name, asked string }

// A nodeLock is the lock file of a package manager of Node.
type nodeLock struct {
	file    string
	version func(nodeAsk) string // "" where it does not say
}

// maxTwins bounds the versions of one package that are looked through.
const maxTwins = 100

// npmLocks are the names of npm's lock file, nodeLockFiles those of all lock files of Node.
var (
	npmLocks      = []string{"npm-shrinkwrap.json", "package-lock.json"}
	nodeLockFiles = append([]string{"pnpm-lock.yaml", "yarn.lock", "bun.lock"}, npmLocks...)
)

// nodeLocks reads the lock files of a folder but npm's.
func (p *project) nodeLocks() (out []nodeLock) {
	for _, l := range []struct {
		file string
		read func(text string) func(nodeAsk) string
	}{{"pnpm-lock.yaml", pnpmLock}, {"yarn.lock", yarnLock}, {"bun.lock", bunLock}} {
		if text := p.read(l.file); text != nil {
			out = append(out, nodeLock{l.file, l.read(string(text))})
		}
	}
	return out
}

// npmLock reads npm-shrinkwrap.json or package-lock.json: the versions by the folder of each package.
func (p *project) npmLock() map[string]string {
	out := map[string]string{}
	for _, file := range npmLocks {
		var lock struct {
			Packages, Dependencies map[string]struct{ Version string }
		}
		_ = json.Unmarshal(p.read(file), &lock)   // a broken one locks nothing
		for name, at := range lock.Dependencies { // as npm wrote it before 7
			out["node_modules/"+name] = at.Version
		}
		for folder, at := range lock.Packages {
			out[folder] = at.Version
		}
	}
	return out
}

// pnpmLock reads pnpm-lock.yaml of version 5 and later: each part of a workspace has the versions of its dependencies.
func pnpmLock(text string) func(nodeAsk) string {
	locked := map[string]string{}
	for f := range indented(text) {
		keys := f.keys
		if keys[0] == "packages" || keys[0] == "snapshots" {
			break // and all that these have is of no part of the workspace
		}
		folder := "."
		if keys[0] == "importers" && len(keys) > 1 {
			folder, keys = keys[1], keys[2:]
		}
		if len(keys) == 2 || len(keys) == 3 && keys[2] == "version" {
			if v := pnpmVersion(f.value); v != "" && strings.HasSuffix(strings.ToLower(keys[0]), "dependencies") {
				locked[folder+"\x00"+keys[1]] = v
			}
		}
	}
	return func(a nodeAsk) string { return locked[a.folder+"\x00"+a.name] }
}

// pnpmVersion returns the version of "1.2.3(react@18.0.0)", "1.2.3_react@18.0.0", "/@scope/name/1.2.3" and "other@1.2.3".
func pnpmVersion(s string) string {
	s, _, _ = strings.Cut(s, "(")
	if strings.Contains(s, ":") {
		return "" // a link or a file
	}
	if s != "" && !isDigit(s[0]) {
		s = s[strings.LastIndexAny(s, "@/")+1:]
	}
	s, _, _ = strings.Cut(s, "_")
	return exactVersion(s)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// exactVersion returns a version, "" of anything else.
func exactVersion(s string) string {
	if s == "" || !isDigit(s[0]) || !nugetExact.MatchString(s) {
		return ""
	}
	return s
}

// yarnLock reads yarn.lock of Yarn 1 and later: versions by the package and the range that is asked for.
func yarnLock(text string) func(nodeAsk) string {
	locked, versions := map[string]string{}, map[string][]string{}
	for f := range indented(text) {
		if len(f.keys) != 2 || f.keys[1] != "version" || exactVersion(f.value) == "" || strings.HasSuffix(f.value, "-use.local") {
			continue
		}
		for key := range strings.SplitSeq(f.keys[0], ",") {
			key = strings.Trim(key, ` "'`)
			name, asked := key, ""
			if i := strings.LastIndexByte(key, '@'); i > 0 {
				name, asked = key[:i], key[i+1:]
			}
			// "foo@npm:^1.0.0", and "foo@npm:bar@^1.0.0" of a package that is renamed
			if alias, of, ok := strings.Cut(key, "@npm:"); ok && alias != "" {
				name, asked = alias, of
			}
			locked[name+"\x00"+asked] = f.value
			if n := len(versions[name]); n < maxTwins && !slices.Contains(versions[name], f.value) {
				versions[name] = append(versions[name], f.value)
			}
		}
	}
	return func(a nodeAsk) string {
		if v := locked[a.name+"\x00"+strings.TrimPrefix(a.asked, "npm:")]; v != "" {
			return v
		}
		if all := versions[a.name]; len(all) == 1 { // whatever range it was locked for
			return all[0]
		}
		return ""
	}
}

// bunLock reads bun.lock, which is JSON with commas before closing brackets.
func bunLock(text string) func(nodeAsk) string {
	var lock struct{ Packages map[string][]json.RawMessage }
	_ = json.Unmarshal(withoutTrailingCommas(text), &lock) // a broken one locks nothing
	return func(a nodeAsk) string {
		for _, key := range []string{a.member + "/" + a.name, a.name} {
			var is string // "name@version"
			if of := lock.Packages[key]; len(of) > 0 && json.Unmarshal(of[0], &is) == nil {
				return exactVersion(is[strings.LastIndexByte(is, '@')+1:])
			}
		}
		return ""
	}
}

// withoutTrailingCommas removes the commas of JSON after which a bracket closes.
func withoutTrailingCommas(text string) []byte {
	out := make([]byte, 0, len(text))
	comma, inString := -1, false // comma: where the last one is in out, if nothing but space has followed
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inString && c == '\\' && i+1 < len(text):
			out = append(out, c)
			i++
		case c == '"':
			inString, comma = !inString, -1
		case inString:
		case c == ',':
			comma = len(out)
		case (c == '}' || c == ']') && comma >= 0:
			out[comma], comma = ' ', -1
		case c > ' ':
			comma = -1
		}
		out = append(out, text[i])
	}
	return out
}
