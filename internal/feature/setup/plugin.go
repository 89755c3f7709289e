package setup

import (
	"bytes"
	_ "embed"
	"encoding/json"
)

// openCodePlugin is the plugin as it is in integrations/opencode.
//
//go:embed files/assay-memory.js
var openCodePlugin []byte

const (
	pluginMark = "// assay memory for OpenCode"
	pluginLine = `const ASSAY = "assay"`
)

// A plugin is a file that is ours as a whole, but for the line that names the
// program.
type plugin struct{}

func (plugin) put(_ []byte, command []string) ([]byte, error) {
	return bytes.Replace(openCodePlugin, []byte(pluginLine), []byte("const ASSAY = "+quoted(command[0])), 1), nil
}

func (plugin) look(text []byte) (found, error) {
	switch {
	case len(text) == 0:
		return found{}, nil
	case !bytes.HasPrefix(text, []byte(pluginMark)):
		return found{state: foreign}, nil
	}
	f := found{state: ours, command: []string{""}}
	for line := range bytes.Lines(text) {
		if v, ok := bytes.CutPrefix(line, []byte("const ASSAY = ")); ok {
			_ = json.Unmarshal(bytes.TrimSpace(v), &f.command[0]) // a line that somebody changed names nothing
			break
		}
	}
	return f, nil
}

func (plugin) cut([]byte) ([]byte, error) { return nil, nil }

func (p plugin) private(text []byte) ([]span, error) {
	if f, err := p.look(text); err != nil || f.state == ours {
		return nil, err
	}
	return []span{{0, len(text)}}, nil
}

func (plugin) bare(text []byte) bool { return len(text) == 0 }
