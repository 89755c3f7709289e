package facts

import "slices"

// pathOfNamespaces returns the type that a chain begins with by its namespaces, as Library.Utility.Filter.Matches does, and the rest
// of the chain. Namespaces are named as from inside of those around the file.
func (p *Project) pathOfNamespaces(f *File, chain string) (vs []value, rest string) {
	around := p.namespacesAround(f)
	for end := partEnd(chain); end < len(chain) && chain[end] == '.'; {
		next := end + 1 + partEnd(chain[end+1:])
		for _, space := range around {
			docs := p.declaring(p.module(f.Doc, space+chain[:end]), chain[end+1:next])
			if vs = p.exported(docs, chain[end+1:next]); len(vs) > 0 {
				return vs, chain[next:]
			}
		}
		end = next
	}
	return nil, ""
}

// namespacesAround returns the namespaces that a file declares things in, with those around them, each with a dot behind it, and ""
// at last.
func (p *Project) namespacesAround(f *File) (out []string) {
	for _, space := range p.spaces(f) {
		for ; space != ""; space, _ = cutLast(space, ".") {
			if !slices.Contains(out, space+".") {
				out = append(out, space+".")
			}
		}
	}
	return append(out, "")
}

// isOutside reports whether values are nothing that the project has.
func isOutside(vs []value) bool {
	return !slices.ContainsFunc(vs, func(v value) bool { return v.kind != external })
}
