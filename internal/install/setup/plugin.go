package setup

import (
	"bytes"
	"encoding/json"
	"path/filepath"
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
	f := found{state: ours, command: []string{""}, memory: true}
	for line := range bytes.Lines(text) {
		if v, ok := bytes.CutPrefix(line, []byte("const ASSAY = ")); ok {
			_ = json.Unmarshal(bytes.TrimSpace(v), &f.command[0]) // a line that somebody changed has no name
			break
		}
	}
	return f, nil
}

func (p plugin) private(text []byte) ([]span, error) { return foreignAll(p, text) }

// ourPlugin is how Claude Code names assay's plugin: another marketplace may have one of that name.
const ourPlugin = "assay@assay"

// enabledPlugin returns the settings of Claude Code that enable assay's plugin, which starts a server; "" if none do. byAll says
// that this holds for all who use the same file of servers: in a project, if the settings that they share do.
func (f *Feature) enabledPlugin(project bool) (path string, byAll bool) {
	_, user := f.claudeFiles(false)
	files := []string{user}
	byAll = !project
	if project {
		_, shared := f.claudeFiles(true)
		files = []string{filepath.Join(filepath.Dir(shared), "settings.local.json"), shared, user}
		byAll = f.pluginIn(shared, true) == "true"
	}
	for _, path := range files { // the first has the last word
		if is := f.pluginIn(path, path != user); is != "" {
			if is != "true" {
				path = ""
			}
			return path, byAll
		}
	}
	return "", byAll
}

// pluginIn returns the value that settings give to assay's plugin, "" if none: settings that cannot be read are reported where they
// are to be changed.
func (f *Feature) pluginIn(path string, project bool) string {
	c, err := f.read(target{path: path}, project)
	d, flaw := parseJSON(c.text, false)
	if err != nil || flaw != nil {
		return ""
	}
	is, ok := d.root.get("enabledPlugins", ourPlugin)
	if !ok {
		return ""
	}
	return string(d.text[is.start:is.end])
}
