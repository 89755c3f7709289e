package claims

import (
	"strings"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// hasFlag returns where the code declares a flag: one of several words has a name that
// nothing else has; a plain word has to be written as a flag, a key or a field.
func (k *known) hasFlag(name string) (Place, bool) {
	for _, n := range []string{name, strings.TrimPrefix(name, "no-"), strings.TrimPrefix(name, "[no-]")} {
		if strings.ContainsAny(n, "-_") {
			if p, ok := k.word(n); ok {
				return p, true
			}
			if k.spelt("--"+n) || k.joined(n) {
				return Place{k.a.Tree.Code[0].Path, 1}, true
			}
			continue
		}
		spot, ok := k.fold[fold2(n)]
		if !ok {
			continue
		}
		if k.a.ev.literal(n) || k.derived(n) {
			return k.place(spot), true
		}
	}
	return Place{}, false
}

// derived reports whether Rust makes a flag of a field by an attribute that says so.
func (k *known) derived(name string) bool {
	if k.fielded == nil {
		k.fielded = map[string]bool{}
		for i := range k.a.Tree.Code {
			if f := &k.a.Tree.Code[i]; spoken(f.Language) == "rust" {
				for _, m := range longField.FindAllSubmatch(f.Text, -1) {
					k.fielded[string(m[1])] = true
				}
			}
		}
	}
	return k.fielded[name]
}

var longField = lazy.Regexp(`#\[(?:clap|arg|structopt|argh|bpaf)\([^\]]*\blong\b[^\]=]*\)\](?:\s*(?:#\[[^\]]*\]|//[^\n]*))*\s*(?:pub(?:\([^)]*\))?\s+)?(\w+)\s*:`)

// joined reports whether the code has the end of a flag with its hyphen, to put it behind what it knows:
// "-help" for "--docker-help"; or its beginning, to put it before: "dt-" for "--dt-version".
func (k *known) joined(name string) bool {
	at := strings.LastIndexByte(name, '-')
	if at <= 0 {
		return false
	}
	if _, ok := k.fold[fold2(name[:at])]; ok && k.spelt(`"`+name[at:]+`"`) {
		return true
	}
	first := strings.IndexByte(name, '-') + 1
	_, ok := k.fold[fold2(name[first:])]
	return (ok || len(name)-first < 3) && k.spelt(`"`+name[:first]+`"`)
}

// tagged reports whether a variable of the environment is put together of the tags of fields in Go: of those of
// what a field is in, and its own.
func (k *known) tagged(name string) bool {
	if k.tags == nil {
		k.tags = map[string]bool{}
		for i := range k.a.Tree.Code {
			if f := &k.a.Tree.Code[i]; f.Language == "go" {
				for _, m := range envTag.FindAllSubmatch(f.Text, -1) {
					k.tags[string(m[1])+string(m[2])] = true
				}
			}
		}
	}
	return k.ofTags(name, map[string]bool{})
}

// ofTags reports whether a name is tags with _ between them; none that was refused before is.
func (k *known) ofTags(name string, refused map[string]bool) bool {
	if refused[name] {
		return false
	}
	for at := range len(name) {
		if name[at] == '_' && k.tags["-namespace"+name[:at]] && (k.tags[name[at+1:]] || k.ofTags(name[at+1:], refused)) {
			return true
		}
	}
	refused[name] = true
	return false
}

var envTag = lazy.Regexp(`\benv(-namespace|):"(\w+)"`)
