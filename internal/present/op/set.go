package op

import "path"

// Set returns the name of the set of tools that an operation belongs to, as serve --tools takes it: the area that its input comes
// from. Scripts are the set "module", because settings of clients name it so.
func (o *Op) Set() string {
	if set := path.Base(o.In.PkgPath()); set != "script" {
		return set
	}
	return "module"
}
