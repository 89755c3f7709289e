package named

import (
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/corpus"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// ownerOf returns the name before the dot or the colons that end a text, or "".
func ownerOf(before string) string {
	before = strings.TrimRight(before, ".:")
	from := len(before)
	for from > 0 && isWordByte(before[from-1]) {
		from--
	}
	if from > 0 && strings.IndexByte(".:>)]", before[from-1]) >= 0 {
		return "" // it is taken from something itself
	}
	return before[from:]
}

// memberLevel returns how sure it is that a name which no code has would be one of the project's own: it is taken from a package or a type of
// the project. It is "" if that is not known.
func (c *checker) memberLevel(p *page, owner, name string) Level {
	if len(owner) < minPart || len(name) < minNear || p.shown[owner] || isStandard(owner) || isStandard(name) || exampled.MatchString(owner) {
		return ""
	}
	if c.isOwnModule(p, owner) && name[0] >= 'A' && name[0] <= 'Z' {
		return Error
	}
	isType := owner[0] >= 'A' && owner[0] <= 'Z'
	if !isType || !isCompound(name) {
		return ""
	}
	return c.typeLevel(owner)
}

// isOwnModule reports whether a name is that of a module of the project which a page imports.
func (c *checker) isOwnModule(p *page, name string) bool {
	return slices.ContainsFunc(c.own.modules, func(module string) bool {
		return strings.HasSuffix(majorVersion.ReplaceAllString(module, ""), "/"+name) && strings.Contains(string(p.file.Text), module)
	})
}

// typeLevel returns how sure it is that all members of a type are in the code: an error where the program declares it once, and nothing is
// added to it from elsewhere.
func (c *checker) typeLevel(owner string) Level {
	found := Level("")
	for _, d := range c.declarations(owner) {
		switch {
		case d.Kind != corpus.Class && d.Kind != corpus.Struct && d.Kind != corpus.Interface && d.Kind != corpus.Enum && d.Kind != corpus.Type:
			continue
		case found != "" || len(d.Bases)+len(d.Marks) > 0:
			return Unsure // because a base, or what a mark adds, may have the member
		}
		found = Error
	}
	return found
}

// declarations returns how the program declares a name.
func (c *checker) declarations(name string) (out []corpus.Decl) {
	for i := range c.Code {
		f := &c.Code[i]
		if !isProgram(f) || !strings.Contains(string(f.Text), name) {
			continue
		}
		for _, d := range syntax.Facts(f.Path, f.Language, f.Text).Decls {
			if d.Name == name {
				out = append(out, d)
			}
		}
	}
	return out
}

// exampleMember reports a name that an example takes from a package or a type of the project, and that no code has.
func (c *checker) exampleMember(p *page, owner, name string, line int) {
	if level := c.memberLevel(p, owner, name); level != "" {
		c.checked++
		c.report(p, Finding{Kind: Name, Level: level, Name: name, Why: "no code has " + name + ", and " + owner + " is the project's"}, line)
	}
}
