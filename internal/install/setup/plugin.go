package setup

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/assay-dev/assay/integrations/opencode"
)

const (
	pluginMark = "// assay memory for OpenCode"
	pluginLine = `const ASSAY = "assay"`
)

// A wholeFile is a file that setup writes as a whole.
type wholeFile struct{}

func (wholeFile) cut([]byte) ([]byte, error) { return nil, nil }

func (wholeFile) bare(text []byte) bool { return len(text) == 0 }

// foreignAll returns the whole text if setup did not write it.
func foreignAll(p interface{ look([]byte) (found, error) }, text []byte) ([]span, error) {
	if is, err := p.look(text); err != nil || is.state == ours {
		return nil, err
	}
	return []span{{0, len(text)}}, nil
}

// A plugin is the file of a plugin. Only the line with the name of the program differs between machines.
type plugin struct{ wholeFile }

func (plugin) put(_ []byte, command []string) ([]byte, error) {
	return []byte(strings.Replace(opencode.Plugin, pluginLine, "const ASSAY = "+quoted(command[0]), 1)), nil
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
			_ = json.Unmarshal(bytes.TrimSpace(v), &f.command[0]) // a line that somebody changed has no name
			break
		}
	}
	return f, nil
}

func (p plugin) private(text []byte) ([]span, error) { return foreignAll(p, text) }
