package graph

import (
	"cmp"

	"github.com/assay-dev/assay/internal/base/lazy"
	"github.com/assay-dev/assay/internal/code/facts"
	"github.com/assay-dev/assay/internal/lang/syntax"
)

// joined finds the beginnings and ends of names that are put together when the program runs or is compiled:
// "matches_#{x}", `on${x}`, _omz::$x, "visit_%s", "visit_" + x, visit_##x, "#{x}_path", x + "_handler", x##_show.
var joined = lazy.Regexp("[\"'`:]([A-Za-z_]\\w+)(?:#\\{|\\$\\{|\\{|%s|[\"'] ?[+.] ?\\w)|([A-Za-z_]\\w+)(?: ?##|[:.-]*\\$)" +
	"|## ?(\\w{2,})|\\}(\\w{2,})[\"'`]|[+.] ?[\"'](\\w{2,})[\"']")

// minPart is how many bytes of a name say that it is put together though no word of it begins or ends there.
const minPart = 4

// composed returns the parts that files put names together from, as visit… and …_path, with the first file of each.
func (s *session) composed() map[string]string {
	out := map[string]string{}
	for doc := range s.p.Docs {
		d := &s.p.Docs[doc]
		if s.ctx.Err() != nil || !syntax.Source(d.Language) {
			continue
		}
		text, _ := s.v.Text(d.Path)
		for _, m := range joined.FindAllSubmatch(text, -1) {
			part := string(m[1]) + string(m[2]) + "…" + string(m[3]) + string(m[4]) + string(m[5])
			out[part] = cmp.Or(out[part], d.Path)
		}
	}
	return out
}

// composedFrom returns the part of a function's name that a file puts names together from; the longest says most.
func (s *session) composedFrom(parts map[string]string, r facts.Ref) []string {
	name := mention(s.p.Decl(r).Name)
	for n := len(name) - 1; n > 0; n-- {
		head, tail := name[:n]+"…", "…"+name[len(name)-n:]
		isLong := n >= minPart
		if in := parts[head]; in != "" && (isLong || isBetweenWords(name, n)) {
			return []string{head + " in " + in}
		}
		if in := parts[tail]; in != "" && (isLong || isBetweenWords(name, len(name)-n)) {
			return []string{tail + " in " + in}
		}
	}
	return nil
}

// isBetweenWords reports whether a name has the end of a word before an offset, as do_|it, on|Click and it|_op.
func isBetweenWords(name string, at int) bool {
	return name[at-1] == '_' || name[at] == '_' || name[at] >= 'A' && name[at] <= 'Z'
}
