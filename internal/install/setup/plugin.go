package setup

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
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

// enabledPlugin returns the settings of Claude Code that enable assay's plugin, which starts a server; "" if none do.
func (f *Feature) enabledPlugin(project bool) string {
	_, user := f.claudeFiles(false)
	files := []string{user}
	if project {
		_, own := f.claudeFiles(true)
		files = append(files, own, filepath.Join(filepath.Dir(own), "settings.local.json"))
	}
	for _, path := range slices.Backward(files) { // the last has the last word
		c, err := f.read(target{path: path}, project && path != user)
		d, flaw := parseJSON(c.text, false)
		if err != nil || flaw != nil {
			continue // it is reported where the file is to be changed
		}
		plugins, _ := d.root.get("enabledPlugins")
		for _, p := range plugins.items {
			if strings.HasPrefix(p.key, "assay@") {
				if string(d.text[p.val.start:p.val.end]) == "true" {
					return path
				}
				return ""
			}
		}
	}
	return ""
}
