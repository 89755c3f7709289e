package setup

import (
	"bytes"
	"errors"
	"slices"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// tomlServers is the table of Codex's servers.
const tomlServers = "mcp_servers"

// A tomlServer is the table of a server in Codex's config.toml.
type tomlServer struct{ name, exe string }

// An expression is a header or a key with its value, in a TOML text.
type expression struct {
	span
	header bool
	path   []string // from the root
	val    span     // of a key
}

// open reads a text as values and as expressions with their places.
func (s tomlServer) open(text []byte) (map[string]any, []expression, error) {
	var values map[string]any
	if err := toml.Unmarshal(text, &values); err != nil {
		return nil, nil, tomlFlaw(text, err)
	}
	var out []expression
	var p unstable.Parser
	p.Reset(text)
	var table []string
	for p.NextExpression() {
		n := p.Expression()
		if n.Kind != unstable.KeyValue && n.Kind != unstable.Table && n.Kind != unstable.ArrayTable {
			continue
		}
		var path []string
		from, to := -1, 0
		for it := n.Key(); it.Next(); {
			k := it.Node()
			path = append(path, string(k.Data))
			if from < 0 {
				from = int(k.Raw.Offset)
			}
			to = int(k.Raw.Offset + k.Raw.Length)
		}
		if n.Kind == unstable.KeyValue {
			e := expression{span: span{int(n.Raw.Offset), int(n.Raw.Offset + n.Raw.Length)}, path: slices.Concat(table, path)}
			at := to + bytes.IndexByte(text[to:], '=') + 1
			e.val = span{at + len(text[at:e.end]) - len(bytes.TrimLeft(text[at:e.end], " \t")), e.end}
			out = append(out, e)
			continue
		}
		table = path
		start := bytes.LastIndexByte(text[:from], '\n') + 1
		out = append(out, expression{span: span{start + bytes.IndexByte(text[start:], '['), to + bytes.IndexByte(text[to:], ']') + 1}, header: true, path: path})
	}
	if err := p.Error(); err != nil {
		return nil, nil, tomlFlaw(text, err)
	}
	return values, out, nil
}

// tomlFlaw returns an error of the TOML library without its quotes of the text, which may be secret.
func tomlFlaw(text []byte, err error) error {
	at := 0
	if e, ok := errors.AsType[*toml.DecodeError](err); ok {
		row, col := e.Position()
		for range row - 1 {
			at += bytes.IndexByte(text[at:], '\n') + 1
		}
		at = min(at+max(col-1, 0), len(text))
	}
	return flawAt(at, "invalid TOML, or a duplicate key")
}

// isOurs reports whether an expression is in assay's table or below it.
func (s tomlServer) isOurs(e expression) bool {
	return len(e.path) > 1 && e.path[0] == tomlServers && e.path[1] == s.name
}

func (s tomlServer) look(text []byte) (found, error) {
	values, all, err := s.open(text)
	if err != nil {
		return found{}, err
	}
	for _, e := range all {
		if len(e.path) == 1 && e.path[0] == tomlServers && !e.header {
			return found{}, flawAt(e.start, "%s is an inline table, so setup cannot add to it: write [%s.NAME] for each server", tomlServers, tomlServers)
		}
	}
	servers, _ := values[tomlServers].(map[string]any)
	entry, ok := servers[s.name].(map[string]any)
	i := slices.IndexFunc(all, s.isOurs)
	if !ok || i < 0 {
		if servers[s.name] != nil && i >= 0 {
			return found{state: foreign, at: all[i].start}, nil
		}
		return found{}, nil
	}
	first, _ := entry["command"].(string)
	command := []string{first}
	args, _ := entry["args"].([]any)
	for _, a := range args {
		w, ok := a.(string)
		if !ok {
			return found{state: foreign, at: all[i].start}, nil
		}
		command = append(command, w)
	}
	if !isServer(command, s.exe) {
		return found{state: foreign, at: all[i].start}, nil
	}
	return found{state: ours, at: all[i].start, command: command}, nil
}

func (s tomlServer) put(text []byte, command []string) ([]byte, error) {
	was, err := s.look(text)
	if err != nil {
		return nil, err
	}
	_, all, err := s.open(text)
	if err != nil {
		return nil, err
	}
	first, args := quoted(command[0]), layout{}.render(stringList(command[1:]), "", false)
	if was.state == ours {
		var edits []edit
		for _, e := range all {
			if !s.isOurs(e) || len(e.path) != 3 {
				continue
			}
			switch e.path[2] {
			case "command":
				if was.command[0] != command[0] {
					edits = append(edits, edit{e.val, first})
				}
			case "args":
				if !slices.Equal(was.command[1:], command[1:]) {
					edits = append(edits, edit{e.val, args})
				}
			}
		}
		if len(edits) > 0 || slices.Equal(was.command, command) {
			return apply(text, edits...), nil
		}
	}
	if was.state != none { // the table of somebody else, or assay's as an inline table
		if text, err = s.cut(text); err != nil {
			return nil, err
		}
	}
	nl := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		nl = "\r\n"
	}
	out := string(text)
	if out != "" {
		if text[len(text)-1] != '\n' {
			out += nl
		}
		out += nl
	}
	return []byte(out + "[" + tomlServers + "." + s.name + "]" + nl + "command = " + first + nl + "args = " + args + nl), nil
}

// cut removes assay's tables, each with the empty line before it. A comment after the last of them stays.
func (s tomlServer) cut(text []byte) ([]byte, error) {
	_, all, err := s.open(text)
	if err != nil {
		return nil, err
	}
	var edits []edit
	for i := 0; i < len(all); i++ {
		if !s.isOurs(all[i]) {
			continue
		}
		start := bytes.LastIndexByte(text[:all[i].start], '\n') + 1
		for header := all[i].header; header && i+1 < len(all) && !all[i+1].header; {
			i++
		}
		end := len(text)
		if n := bytes.IndexByte(text[all[i].end:], '\n'); n >= 0 {
			end = all[i].end + n + 1
		}
		switch blank := len(bytes.TrimRight(text[:start], "\r\n")); {
		case start == 0:
			for end < len(text) && (text[end] == '\n' || text[end] == '\r') {
				end++
			}
		case bytes.Count(text[blank:start], []byte("\n")) > 1:
			start = bytes.LastIndexByte(text[:start-1], '\n') + 1
		}
		edits = append(edits, edit{span{start, end}, ""})
	}
	return apply(text, edits...), nil
}

func (s tomlServer) private(text []byte) ([]span, error) {
	was, err := s.look(text)
	if err != nil {
		return nil, err
	}
	_, all, err := s.open(text)
	if err != nil {
		return nil, err
	}
	var out []span
	at := 0
	for _, e := range append(all, expression{span: span{len(text), len(text)}}) {
		// Only text between expressions that begins with # is a comment.
		for at < e.start {
			end := e.start
			if n := bytes.IndexByte(text[at:e.start], '\n'); n >= 0 {
				end = at + n + 1
			}
			if n := bytes.IndexByte(text[at:end], '#'); n >= 0 {
				out = append(out, span{at + n + 1, at + len(bytes.TrimRight(text[at:end], "\r\n"))})
			}
			at = end
		}
		at = e.end
		isCommand := len(e.path) == 3 && (e.path[2] == "command" || e.path[2] == "args")
		own := was.state == ours && s.isOurs(e)
		if e.val.end > 0 && !(own && isCommand) {
			out = append(out, e.val)
		}
	}
	return out, nil
}

func (s tomlServer) bare(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }
