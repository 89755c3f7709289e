package setup

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// A yamlServer is the entry of a server in a block mapping of a YAML file, like the extensions of Goose. It keeps all other
// text line by line.
type yamlServer struct {
	key  string // of the mapping that holds the servers
	name string
	exe  string
}

// A yamlDoc is a text with the nodes of the servers and of assay's entry.
type yamlDoc struct {
	text    []byte
	lines   []int // where each begins, and one past the last
	key     *yaml.Node
	servers *yaml.Node // nil: there is none
	at      *yaml.Node // the key of our entry; nil: there is none
	entry   *yaml.Node
}

// open reads a text.
func (s yamlServer) open(text []byte) (*yamlDoc, error) {
	d := &yamlDoc{text: text, lines: []int{0}}
	for i, b := range text {
		if b == '\n' && i+1 < len(text) {
			d.lines = append(d.lines, i+1)
		}
	}
	d.lines = append(d.lines, len(text))
	var root yaml.Node
	in := yaml.NewDecoder(bytes.NewReader(text))
	if err := in.Decode(&root); errors.Is(err, io.EOF) {
		return d, nil
	} else if err != nil {
		return nil, flawAt(0, "invalid YAML, or a form of it that setup cannot read")
	}
	if err := in.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, flawAt(0, "the file has more than one document")
	}
	top := root.Content[0]
	if empty(top) {
		return d, nil
	}
	if top.Kind != yaml.MappingNode || top.Style&yaml.FlowStyle != 0 {
		return nil, flawAt(d.start(top), "the document is not a block mapping")
	}
	if d.key, d.servers = member(top, s.key); d.servers == nil || empty(d.servers) {
		return d, nil
	}
	if d.servers.Kind != yaml.MappingNode || d.servers.Style&yaml.FlowStyle != 0 {
		return nil, flawAt(d.start(d.servers), "%s is not a block mapping, so setup cannot add to it", s.key)
	}
	d.at, d.entry = member(d.servers, s.name)
	return d, nil
}

// empty reports whether a node is null, or nothing.
func empty(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null" && n.Value == ""
}

// member returns the key and the value of a member of a mapping.
func member(n *yaml.Node, key string) (k, v *yaml.Node) {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// start returns where a node begins, in bytes.
func (d *yamlDoc) start(n *yaml.Node) int {
	line := d.lines[min(n.Line-1, len(d.lines)-1)]
	at := line
	for range n.Column - 1 { // columns are characters
		_, size := utf8.DecodeRune(d.text[at:])
		at += size
	}
	return min(at, len(d.text))
}

// block returns the lines of a member of a block mapping: from that of its key, to before
// the first that is not indented deeper, empty ones at the end left out.
func (d *yamlDoc) block(key *yaml.Node) (from, to int) {
	from, to = key.Line-1, key.Line
	for n := key.Line; n < len(d.lines)-1; n++ {
		line := strings.TrimRight(string(d.text[d.lines[n]:d.lines[n+1]]), "\r\n \t")
		if line == "" {
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if indent < key.Column-1 || indent == key.Column-1 && !strings.HasPrefix(line[indent:], "- ") {
			break
		}
		to = n + 1
	}
	return from, to
}

func (s yamlServer) look(text []byte) (found, error) {
	d, err := s.open(text)
	if err != nil || d.entry == nil {
		return found{}, err
	}
	if command := s.command(d.entry); isServer(command, s.exe) {
		return found{state: ours, at: d.start(d.at), command: command}, nil
	}
	return found{state: foreign, at: d.start(d.at)}, nil
}

// command returns the command of an entry, or nil.
func (s yamlServer) command(entry *yaml.Node) []string {
	_, cmd := member(entry, "cmd")
	_, args := member(entry, "args")
	var words []string
	if cmd == nil || cmd.Kind != yaml.ScalarNode || args == nil || args.Decode(&words) != nil {
		return nil
	}
	return append([]string{cmd.Value}, words...)
}

func (s yamlServer) put(text []byte, command []string) ([]byte, error) {
	d, err := s.open(text)
	if err != nil {
		return nil, err
	}
	nl := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		nl = "\r\n"
	}
	cmd, args := "cmd: "+quoted(command[0]), "args: "+layout{}.render(stringList(command[1:]), "", false)
	if was := s.command(d.entry); isServer(was, s.exe) {
		var edits []edit
		for _, m := range []struct{ key, line, was, want string }{
			{"cmd", cmd, was[0], command[0]},
			{"args", args, strings.Join(was[1:], "\x00"), strings.Join(command[1:], "\x00")},
		} {
			if m.was == m.want {
				continue
			}
			k, v := member(d.entry, m.key)
			if d.entry.Style&yaml.FlowStyle != 0 || v.Anchor != "" {
				return nil, flawAt(d.start(k), "%s of %s has a form that setup cannot change", m.key, s.name)
			}
			from, to := d.block(k)
			edits = append(edits, edit{span{d.lines[from] + k.Column - 1, d.lines[to]}, m.line + nl})
		}
		return apply(text, edits...), nil
	}
	if d.entry != nil { // the entry of somebody else
		if text, err = s.cut(text); err != nil {
			return nil, err
		}
		if d, err = s.open(text); err != nil {
			return nil, err
		}
	}
	return d.insert(s, []string{"type: stdio", "name: " + quoted(s.name), "enabled: true", cmd, args, "timeout: 300"}, nl), nil
}

// insert returns the text with an entry of these lines after the others.
func (d *yamlDoc) insert(s yamlServer, lines []string, nl string) []byte {
	at, indent, header := len(d.text), 2, s.key+":"+nl
	if d.key != nil {
		_, to := d.block(d.key)
		at, indent, header = d.lines[to], d.key.Column+1, ""
	}
	if d.servers != nil && len(d.servers.Content) > 0 {
		indent = d.servers.Content[0].Column - 1
	}
	var b strings.Builder
	if at > 0 && d.text[at-1] != '\n' {
		b.WriteString(nl)
	}
	pad := strings.Repeat(" ", indent)
	b.WriteString(header + pad + s.name + ":" + nl)
	for _, line := range lines {
		b.WriteString(pad + "  " + line + nl)
	}
	return apply(d.text, edit{span{at, at}, b.String()})
}

func (s yamlServer) cut(text []byte) ([]byte, error) {
	d, err := s.open(text)
	if err != nil || d.at == nil {
		return text, err
	}
	key := d.at
	if len(d.servers.Content) == 2 {
		key = d.key // the mapping would be empty, so it is removed too
	}
	from, to := d.block(key)
	return apply(text, edit{span{d.lines[from], d.lines[to]}, ""}), nil
}

// private returns every line outside assay's entry, without its indentation.
func (s yamlServer) private(text []byte) ([]span, error) {
	was, err := s.look(text)
	if err != nil {
		return nil, err
	}
	d, err := s.open(text)
	if err != nil {
		return nil, err
	}
	var shown []int
	if d.key != nil {
		shown = append(shown, d.key.Line-1)
	}
	if was.state == ours {
		shown = append(shown, d.at.Line-1)
		for _, key := range []string{"type", "name", "enabled", "cmd", "args", "timeout"} {
			if k, _ := member(d.entry, key); k != nil {
				shown = append(shown, k.Line-1)
			}
		}
	}
	var out []span
	for n := range len(d.lines) - 1 {
		line := text[d.lines[n]:d.lines[n+1]]
		from, to := len(line)-len(bytes.TrimLeft(line, " ")), len(bytes.TrimRight(line, " \t\r\n"))
		if from < to && !slices.Contains(shown, n) {
			out = append(out, span{d.lines[n] + from, d.lines[n] + to})
		}
	}
	return out, nil
}

func (s yamlServer) bare(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }
