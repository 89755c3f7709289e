package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/audit/claims"
	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// A project is the texts of one, to be changed and written.
type project struct {
	code, docs map[string]string
	lang       map[string]string
	decls      []claims.Declaration
	first      string // the document that is read first
}

func load(t *claims.Tree, decls []claims.Declaration) *project {
	p := &project{code: map[string]string{}, docs: map[string]string{}, lang: map[string]string{}, decls: decls}
	for _, s := range t.Code {
		p.code[s.Path], p.lang[s.Path] = string(s.Text), s.Language
	}
	for _, s := range t.Docs {
		p.docs[s.Path] = string(s.Text)
		if p.first == "" || strings.Count(s.Path, "/") < strings.Count(p.first, "/") || strings.HasPrefix(strings.ToLower(s.Path), "readme") {
			p.first = s.Path
		}
	}
	return p
}

func (p *project) clone() *project {
	c := *p
	c.code, c.docs = map[string]string{}, map[string]string{}
	for k, v := range p.code {
		c.code[k] = v
	}
	for k, v := range p.docs {
		c.docs[k] = v
	}
	return &c
}

// write puts a project into a folder.
func (p *project) write(dir string) error {
	for _, m := range []map[string]string{p.code, p.docs} {
		for name, text := range m {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

func word(name string) *regexp.Regexp {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
}

// remove takes the implementation of a name out of the code: its declarations
// whole, and its name wherever else it stands.
func (p *project) remove(name string, k int) {
	re := word(name)
	for path, text := range p.code {
		if !re.MatchString(text) {
			continue
		}
		f := syntax.Facts(path, p.lang[path], []byte(text))
		var cut []corpus.Span
		for _, d := range f.Decls {
			if d.Name == name && (len(cut) == 0 || d.Span.Start >= cut[len(cut)-1].End) {
				cut = append(cut, d.Span)
			}
		}
		slices.Reverse(cut)
		for _, s := range cut {
			text = text[:s.Start] + text[s.End:]
		}
		p.code[path] = re.ReplaceAllString(text, fmt.Sprintf("x%d", k))
	}
}

// named are the declarations that only one place declares and whose names are no
// words of English.
func (p *project) named() []claims.Declaration {
	count := map[string]int{}
	for _, d := range p.decls {
		count[d.Name]++
	}
	var out []claims.Declaration
	for _, d := range p.decls {
		if count[d.Name] == 1 && len(d.Name) >= 4 && inner.MatchString(d.Name) {
			out = append(out, d)
		}
	}
	return out
}

var inner = regexp.MustCompile(`[a-z][A-Z]|_|\d`)

// A plant is a project with known ghosts.
type plant struct {
	*project
	removed  map[string]bool // names
	invented []string
}

// ghosts plants up to n removed implementations and m features that never were.
func (p *project) ghosts(r *rand.Rand, n, m int) *plant {
	out := &plant{project: p.clone(), removed: map[string]bool{}}
	var names []string
	for _, d := range p.named() {
		switch d.Kind {
		case "function", "method", "struct", "class", "interface", "type":
			for _, text := range p.docs {
				if strings.Contains(text, "`"+d.Name) || strings.Contains(text, d.Name+"(") {
					names = append(names, d.Name)
					break
				}
			}
		}
	}
	slices.Sort(names)
	// Where only another spelling of a name is left, so is what it does.
	names = slices.DeleteFunc(names, func(n string) bool {
		twin := regexp.MustCompile(`(?i)\b` + regexp.QuoteMeta(n) + `\b`)
		for _, text := range p.code {
			for _, found := range twin.FindAllString(text, -1) {
				if found != n {
					return true
				}
			}
		}
		return false
	})
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for k, name := range names[:min(n, len(names))] {
		out.removed[name] = true
		out.remove(name, k)
	}
	nouns := p.nouns(r)
	var b strings.Builder
	b.WriteString("\n\n## More features\n\n")
	bank := invented()
	for k, i := range r.Perm(len(bank))[:m] {
		text := bank[i]
		if strings.Contains(text, "%s") {
			text = fmt.Sprintf(text, nouns[k%len(nouns)])
		}
		out.invented = append(out.invented, text)
		switch k % 3 { // each as a document may have it
		case 0:
			b.WriteString("- " + text + "\n")
		case 1:
			b.WriteString("- [x] " + text + "\n")
		case 2:
			fmt.Fprintf(&b, "- **FR-%d**: %s\n", 900+k, text)
		}
	}
	out.docs[p.first] += b.String()
	return out
}

// nouns are words that the project's declarations are made of.
func (p *project) nouns(r *rand.Rand) []string {
	seen := map[string]bool{}
	var out []string
	for _, d := range p.decls {
		for _, w := range regexp.MustCompile(`[A-Z][a-z]{3,}`).FindAllString(d.Name, -1) {
			// "unsupported" and "deprecated" would make it no promise.
			if w = strings.ToLower(w); !seen[w] && !strings.HasPrefix(w, "un") && !strings.HasPrefix(w, "dep") {
				seen[w] = true
				out = append(out, w)
			}
		}
	}
	if len(out) == 0 {
		out = []string{"record", "message", "session"}
	}
	slices.Sort(out)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
