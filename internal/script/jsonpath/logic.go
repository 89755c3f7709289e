package jsonpath

// or reads a logical expression.
func (p *parser) or() (*expression, error) { return p.joined(isOr, "||", p.and) }

func (p *parser) and() (*expression, error) { return p.joined(isAnd, "&&", p.basic) }

func (p *parser) joined(kind expressionKind, op string, part func() (*expression, error)) (*expression, error) {
	first, err := part()
	if err != nil {
		return nil, err
	}
	e := &expression{kind: kind, parts: []*expression{first}}
	for {
		end := p.at
		p.blanks()
		if !p.take(op) {
			p.at = end
			return e, nil
		}
		p.blanks()
		next, err := part()
		if err != nil {
			return nil, err
		}
		e.parts = append(e.parts, next)
	}
}

// basic reads what stands between && and ||.
func (p *parser) basic() (*expression, error) {
	if p.depth++; p.depth > mostDepth {
		return nil, p.fail("it nests too deep")
	}
	defer func() { p.depth-- }()
	if p.take("!") {
		p.blanks()
		e, err := p.tested()
		if err != nil {
			return nil, err
		}
		return &expression{kind: isNot, parts: []*expression{e}}, nil
	}
	if p.peek() == '(' {
		return p.tested()
	}
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	end := p.at
	p.blanks()
	op := p.operator()
	if op == "" {
		p.at = end
		return p.test(left)
	}
	p.blanks()
	right, err := p.operand()
	if err != nil {
		return nil, err
	}
	for _, o := range []operand{left, right} {
		switch {
		case o.query != nil && !o.query.singular():
			return nil, p.fail("a comparison needs a path to one value")
		case o.call != nil && o.call.kind() != value:
			return nil, p.fail("%s() is true or false and cannot be compared", o.call.name)
		}
	}
	return &expression{kind: isComparison, op: op, left: left, right: right}, nil
}

// tested reads a test, or an expression in parentheses.
func (p *parser) tested() (*expression, error) {
	if !p.take("(") {
		o, err := p.operand()
		if err != nil {
			return nil, err
		}
		return p.test(o)
	}
	p.blanks()
	e, err := p.or()
	if err != nil {
		return nil, err
	}
	if p.blanks(); !p.take(")") {
		return nil, p.fail("expected )")
	}
	return e, nil
}

// test is an operand that stands alone: a query that finds something, or a function that
// is true or false.
func (p *parser) test(o operand) (*expression, error) {
	switch {
	case o.query == nil && o.call == nil:
		return nil, p.fail("a literal alone tests nothing")
	case o.call != nil && o.call.kind() != logical:
		return nil, p.fail("the result of %s() must be compared", o.call.name)
	}
	return &expression{kind: isTest, left: o}, nil
}

func (p *parser) operator() string {
	for _, op := range [...]string{"==", "!=", "<=", ">=", "<", ">"} {
		if p.take(op) {
			return op
		}
	}
	return ""
}

func (p *parser) operand() (o operand, err error) {
	if c := p.peek(); c == '@' || c == '$' {
		o.query, err = p.query()
		return o, err
	}
	v, ok, err := p.literal()
	if err != nil || ok {
		return operand{literal: v}, err
	}
	o.call, err = p.call()
	return o, err
}

// call reads a function and checks the types of its arguments.
func (p *parser) call() (*call, error) {
	if p.depth++; p.depth > mostDepth {
		return nil, p.fail("it nests too deep")
	}
	defer func() { p.depth-- }()
	start := p.at
	for c := p.peek(); c >= 'a' && c <= 'z' || p.at > start && (c == '_' || c >= '0' && c <= '9'); c = p.peek() {
		p.at++
	}
	c := &call{name: p.s[start:p.at]}
	kinds, known := functions[c.name]
	switch {
	case c.name == "":
		return nil, p.fail("expected a path that begins with $ or @, a literal or a function")
	case !known:
		return nil, p.fail("there is no function %s: length, count, value, match and search are there", c.name)
	case !p.take("("):
		return nil, p.fail("expected ( after %s", c.name)
	}
	for i, kind := range kinds {
		if p.blanks(); i > 0 && !p.take(",") {
			return nil, p.fail("%s() takes %d arguments", c.name, len(kinds))
		}
		p.blanks()
		o, err := p.operand()
		if err != nil {
			return nil, err
		}
		isQuery := o.query != nil
		switch {
		case kind == nodes && !isQuery:
			return nil, p.fail("%s() takes a path", c.name)
		case kind == value && (isQuery && !o.query.singular() || o.call != nil && o.call.kind() != value):
			return nil, p.fail("%s() takes a value, or a path to one value", c.name)
		}
		c.args = append(c.args, o)
	}
	if p.blanks(); !p.take(")") {
		return nil, p.fail("expected ) after the arguments of %s", c.name)
	}
	if c.kind() == logical {
		if pattern, ok := c.args[1].literal.(string); ok {
			c.pattern = compile(pattern, c.name == "match")
		}
	}
	return c, nil
}
