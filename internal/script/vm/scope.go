package vm

// resolve returns the meaning of a name in the scope that is parsed.
func (p *parser) resolve(name string) expr {
	if e := p.find(p.scope, name); e != nil {
		return e
	}
	return &indexExpr{obj: p.find(p.scope, "_ENV"), key: &stringExpr{name}, line: p.lastLine}
}

// find returns a local or an upvalue of s, or nil: a global.
func (p *parser) find(s *scope, name string) expr {
	for i := len(s.actives) - 1; i >= 0; i-- {
		if v := s.actives[i]; v.name == name {
			if v.constant != nil {
				return v.constant
			}
			return &localExpr{v}
		}
	}
	for i, u := range s.f.upvalues {
		if u.name == name {
			return &upvalExpr{name, i}
		}
	}
	if s.parent == nil {
		return nil
	}
	u := upvalue{name: name}
	switch e := p.find(s.parent, name).(type) {
	case nil:
		return nil
	case *localExpr:
		e.v.captured = true
		u.local, u.attrib = e.v, e.v.attrib
	case *upvalExpr:
		u.index, u.attrib = e.index, s.parent.f.upvalues[e.index].attrib
	default:
		return e // a constant
	}
	s.f.upvalues = append(s.f.upvalues, u)
	p.limit(len(s.f.upvalues), maxUpvalues, "upvalues")
	return &upvalExpr{name, len(s.f.upvalues) - 1}
}
