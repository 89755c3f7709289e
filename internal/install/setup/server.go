package setup

import "slices"

// A jsonServer is the entry of a server among those of a JSON file.
type jsonServer struct {
	key    string // of the object that holds the servers
	name   string
	exe    string
	form   form // how the command is written
	strict bool // no comments
}

func (s jsonServer) entry(command []string) object {
	if s.form == local {
		return object{{"type", "local"}, {"command", stringList(command)}, {"enabled", true}}
	}
	out := object{{"command", command[0]}, {"args", stringList(command[1:])}}
	switch s.form {
	case typed:
		out = append(object{{"type", "stdio"}}, out...)
	case tooled:
		out = append(append(object{{"type", "local"}}, out...), object{{"tools", list{"*"}}}...)
	case custom:
		out = append(object{{"source", "custom"}}, out...)
	}
	return out
}

func stringList(words []string) list {
	out := list{}
	for _, w := range words {
		out = append(out, w)
	}
	return out
}

// open returns the document and the objects on the way to our entry that exist.
func (s jsonServer) open(text []byte) (d *jsonDoc, servers, entry node, err error) {
	if d, err = parseJSON(text, s.strict); err != nil {
		return nil, servers, entry, err
	}
	servers, ok := d.root.get(s.key)
	if ok && servers.kind != '{' {
		return nil, servers, entry, flawAt(servers.start, "%q is not an object", s.key)
	}
	entry, _ = servers.get(s.name)
	return d, servers, entry, nil
}

func (s jsonServer) look(text []byte) (found, error) {
	d, _, entry, err := s.open(text)
	if err != nil || entry.kind == 0 {
		return found{}, err
	}
	command := s.command(d, entry)
	if !isServer(command, s.exe) {
		return found{state: foreign, at: entry.start}, nil
	}
	return found{state: ours, at: entry.start, command: command}, nil
}

// command returns the command of an entry, or nil.
func (s jsonServer) command(d *jsonDoc, entry node) []string {
	c, _ := entry.get("command")
	if s.form == local {
		words, _ := d.words(c)
		return words
	}
	first := d.word(c)
	args, _ := entry.get("args")
	words, ok := d.words(args)
	if first == "" || !ok {
		return nil
	}
	return append([]string{first}, words...)
}

func (s jsonServer) put(text []byte, command []string) ([]byte, error) {
	was, err := s.look(text)
	if err != nil {
		return nil, err
	}
	d, servers, entry, err := s.open(text)
	want := s.entry(command)
	switch {
	case err != nil:
		return nil, err
	case servers.kind == 0:
		return d.add(d.root, s.key, object{{s.name, want}}), nil
	case was.state == none:
		return d.add(servers, s.name, want), nil
	case was.state == foreign:
		return d.set(entry, want), nil
	}
	// Keep members that somebody added to our entry.
	for _, p := range want {
		v, ok := entry.get(p.key)
		switch {
		case !ok:
			text = d.add(entry, p.key, p.val)
		case !d.equal(v, p.val):
			text = d.set(v, p.val)
		default:
			continue
		}
		if d, _, entry, err = s.open(text); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// equal reports whether a value is equal to the one that setup would write.
func (d *jsonDoc) equal(n node, v any) bool {
	if l, ok := v.(list); ok {
		words, ok := d.words(n)
		return ok && slices.EqualFunc(words, l, func(a string, b any) bool { return a == b })
	}
	if s, ok := v.(string); ok {
		return n.kind == '"' && d.word(n) == s
	}
	return string(d.text[n.start:n.end]) == quoted(v)
}

func (s jsonServer) cut(text []byte) ([]byte, error) {
	d, servers, entry, err := s.open(text)
	if err != nil {
		return nil, err
	}
	if len(servers.items) == 1 && !d.hasComment(servers, entry) {
		return d.drop(d.root, d.root.find(s.key)), nil
	}
	return d.drop(servers, servers.find(s.name)), nil
}

// hasComment reports whether a container has a comment outside one of its items.
func (d *jsonDoc) hasComment(c, except node) bool {
	return slices.ContainsFunc(d.comments, func(s span) bool {
		return c.start < s.start && s.end < c.end && (s.start < except.start || except.end < s.end)
	})
}

func (s jsonServer) private(text []byte) ([]span, error) {
	was, err := s.look(text)
	if err != nil {
		return nil, err
	}
	d, _, entry, err := s.open(text)
	if err != nil || was.state != ours {
		return d.private(), err
	}
	var shown []span
	for _, p := range s.entry([]string{""}) {
		if v, ok := entry.get(p.key); ok {
			shown = append(shown, v.span)
		}
	}
	return omitShown(d.private(), shown), nil
}

// omitShown omits the spans that lie in one of those shown.
func omitShown(spans, shown []span) []span {
	return slices.DeleteFunc(spans, func(p span) bool {
		return slices.ContainsFunc(shown, func(s span) bool { return s.start <= p.start && p.end <= s.end })
	})
}

func (s jsonServer) bare(text []byte) bool {
	d, err := parseJSON(text, s.strict)
	return err == nil && d.bare()
}

// bare reports whether a document is empty except for the name of its schema.
func (d *jsonDoc) bare() bool {
	return len(d.comments) == 0 && !slices.ContainsFunc(d.root.items, func(it item) bool { return it.key != "$schema" })
}
