//go:build !slim

package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/fault"
)

// loaFiles are the settings files of an agent framework in a project. A file overrides those after it.
var loaFiles = [...]string{".claude/overrides/ck-config.yaml", ".loa.config.yaml", ".claude/mcp-registry.yaml"}

// A loaKey describes one setting of the framework.
type loaKey struct {
	name   string
	preset any
	only   string // the only file that may set it; empty: all
	unused string // why it has no effect here
	check  func(text string) (any, error)
	set    func(l *Loa, v float64)
}

func loaKeys() []loaKey {
	share := func(s string) (any, error) {
		n, err := strconv.ParseFloat(s, 64)
		if err != nil || !(n >= 0 && n <= 1) {
			return nil, fmt.Errorf("%q is not a number in 0..1", s)
		}
		return n, nil
	}
	word := func(s string) (any, error) { return s, nil }
	one := func(words ...string) func(string) (any, error) {
		return func(s string) (any, error) {
			if !slices.Contains(words, s) {
				return nil, fmt.Errorf("%q is not one of %s", s, strings.Join(words, ", "))
			}
			return s, nil
		}
	}
	return []loaKey{
		{name: "ck.thresholds.semantic", preset: .4, check: share, set: func(l *Loa, v float64) { l.Semantic = v }},
		{name: "ck.thresholds.hybrid", preset: .5, check: share, set: func(l *Loa, v float64) { l.Hybrid = v }},
		{name: "ck.thresholds.regex", preset: .7, check: share, unused: "every match of a pattern scores 1"},
		{name: "ck.model", preset: "", check: word, unused: "a project must not choose the model: set embed.model"},
		{name: "integrity_enforcement", preset: "", only: loaFiles[1], check: one("strict", "warn", "disabled")},
		{name: "grounding.threshold", preset: .95, only: loaFiles[1], check: share, set: func(l *Loa, v float64) { l.Grounding = v }},
		{name: "drift_resolution", preset: "code", only: loaFiles[1], check: one("code", "docs", "ask"), unused: "the code is always taken as right"},
		{name: "paths.grimoire", preset: "", only: loaFiles[1], check: word, unused: "the folder is grimoires/loa or loa-grimoire, the one that exists"},
		{name: "memory.trajectory_dir", preset: "", only: loaFiles[1], check: word, unused: "the trajectory is in the grimoire, or without one in .assay"},
	}
}

// loadLoa reads the framework's files. Errors in them are only reported as problems, because the files belong to another
// program.
func loadLoa(root string) Loa {
	var l Loa
	var docs [len(loaFiles)]*yaml.Node
	found := false
	for i, name := range loaFiles {
		if root == "" {
			break
		}
		text, err := readBelow(root, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		found = true
		if err == nil {
			docs[i], err = parseDocument(text)
		}
		if err != nil {
			l.problems = append(l.problems, readProblem(filepath.Join(root, filepath.FromSlash(name)), err))
		}
	}
	for _, k := range loaKeys() {
		value, origin := k.preset, "default"
		for i, name := range loaFiles {
			n := lookup(docs[i], strings.Split(k.name, "."))
			if n == nil || k.only != "" && k.only != name {
				continue
			}
			at := fmt.Sprintf("%s:%d", filepath.Join(root, filepath.FromSlash(name)), n.Line)
			v, err := k.read(n)
			if err != nil {
				l.problems = append(l.problems, fmt.Sprintf("%s: %s: %v", at, k.name, err))
				continue
			}
			value, origin = v, at
			break
		}
		if v, ok := value.(float64); ok && k.set != nil {
			k.set(&l, v)
		}
		if k.unused != "" && origin != "default" {
			origin += " (not used: " + k.unused + ")"
		}
		if found {
			l.settings = append(l.settings, Setting{Key: "loa." + k.name, Value: value, Origin: origin})
		}
	}
	return l
}

// readProblem returns the reason why a file could not be read, with its line if known.
func readProblem(file string, err error) string {
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err.Error()
	}
	return yamlError(file, err).Error()
}

func (k loaKey) read(n *yaml.Node) (any, error) {
	if n.Kind != yaml.ScalarNode {
		return nil, errors.New("it must be a single value")
	}
	return k.check(n.Value)
}

// parseDocument returns the root node of a YAML text, or nil if the text is empty.
func parseDocument(text []byte) (*yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&doc); err != nil {
		if len(bytes.TrimSpace(text)) == 0 {
			return nil, nil
		}
		return nil, err
	}
	if len(doc.Content) == 0 {
		return nil, nil
	}
	return doc.Content[0], nil
}

// lookup returns the value at a path of keys, or nil.
func lookup(n *yaml.Node, path []string) *yaml.Node {
	for _, name := range path {
		if n == nil || n.Kind != yaml.MappingNode {
			return nil
		}
		var next *yaml.Node
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == name {
				next = n.Content[i+1]
			}
		}
		n = next
	}
	if n != nil && isNull(n) {
		return nil
	}
	return n
}
