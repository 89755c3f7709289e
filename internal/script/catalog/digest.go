package catalog

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/text"
)

// A digester reads the texts of modules, one after another, and keeps of each what it is found by and, unless it skims, what Parse
// takes something from. A question reads megabytes of code, and is to be answered at once.
type digester struct {
	skim  bool
	text  buffer
	out   []byte
	said  buffer
	names []string // of functions that have a quickref, in order

	ask *question                  // if any, terms are counted for it and not kept
	met *text.Vocabulary[[]string] // those terms of words
}

// digest returns what a module is found by, by its text: parts of it and memory of the
// digester, good until either is used again. It gives m its outline, unless it skims.
func (d *digester) digest(m *Module, src string) Fields {
	d.out, d.said, d.names = d.out[:0], d.said[:0], d.names[:0]
	var header, description, keywords, asked string
	eachTag(src, func(t tag) {
		if !d.skim {
			d.out = append(append(d.out, t.text...), '\n')
		}
		switch t.name {
		case "module":
			first(&header, strings.TrimPrefix(t.value, prefix))
		case "description":
			first(&description, t.value)
		case "keywords":
			if keywords != "" {
				d.add(t.value, "")
			}
			first(&keywords, t.value)
		case "asked":
			asked += " " + t.value
		case "synonyms":
			d.add(t.value, "")
		case "quickref":
			if q, ok := readQuickref(t.value); ok {
				name := nameOf(q.Signature)
				d.names = append(d.names, name)
				d.add(name, q.Description)
			}
		}
	})
	d.functions(src)
	if to := alias(src); to != "" && !d.skim {
		d.out = append(append(append(d.out, `return require("`...), to...), `")`...)
	}
	m.outline, m.skimmed = string(d.out), d.skim
	name := m.Short()
	if header != name && header != "" {
		name += " " + header
	}
	return Fields{name, description, keywords, d.said.view(), asked}
}

// find lets a module be found by fields, of which it keeps no part.
func (d *digester) find(m *Module, f Fields) {
	m.skimmed = d.skim
	if d.ask != nil {
		counted := d.ask.tally(&f, d.met)
		m.counted = &counted
		return
	}
	// One string holds all words: thousands of small ones would cost more to make.
	all := strings.Join([]string{f.Functions, f.Description, f.Keywords, f.Asked}, "")
	n, to := len(f.Functions), len(f.Functions)+len(f.Description)
	end := to + len(f.Keywords)
	m.fields = Fields{strings.Clone(f.Name), all[n:to], all[to:end], all[:n], all[end:]}
}

// functions keeps the heads of the functions, and the names of those that have no quickref.
func (d *digester) functions(src string) {
	next := 0 // of names: mostly they are in the order of the functions
	eachFunction(src, func(head string, _ int) {
		end := strings.IndexByte(head, ')')
		if end < 0 {
			return
		}
		if !d.skim {
			d.out = append(d.out, keyword...)
			for i := range end + 1 {
				c := head[i]
				if c == '\n' {
					c = ' '
				}
				d.out = append(d.out, c)
			}
			d.out = append(d.out, '\n')
		}
		_, _, name, _ := cutFunction(head)
		switch i := slices.Index(d.names[next:], name); {
		case name == "" || name[0] == '_':
		case i >= 0:
			next += i + 1
		case !slices.Contains(d.names[:next], name):
			d.add(name, "")
		}
	})
}

// add adds to the words of the functions.
func (d *digester) add(name, text string) {
	d.said = append(append(append(append(d.said, name...), ' '), text...), '\n')
}

// nameOf returns the name of a signature's function: "health" of "c:health()".
func nameOf(signature string) string {
	if i := strings.IndexByte(signature, '('); i >= 0 {
		signature = signature[:i]
	}
	return signature[separator(signature)+1:]
}

func (b *builtinModule) fields() Fields {
	var d digester
	for _, q := range b.Functions {
		d.add(nameOf(q.Signature), q.Description)
	}
	return Fields{b.Name, b.Description, b.Keywords, string(d.said), b.asked}
}
