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

// loaFiles are the files of an agent framework in a project, those that win first.
var loaFiles = [...]string{".claude/overrides/ck-config.yaml", ".loa.config.yaml", ".claude/mcp-registry.yaml"}

// Loa is what the framework of a project asks of this program. Its files come with the
// project, so they tune a search and nothing else.
type Loa struct {
	Semantic, Hybrid float64 // thresholds of the search tools, where a call has none
	Grounding        float64 // the part of claims that audit check asks for, where a call does not say

	settings []Setting // what config show says; empty where there is no framework
	problems []string  // what could not be read, by file and line
}

// A loaKey is one of its settings.
type loaKey struct {
	name   string
	preset any
	only   string // the one file that has it; empty for all
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
		{name: "ck.model", preset: "", check: word, unused: "a project does not choose the model: embed.model does"},
		{name: "integrity_enforcement", preset: "", only: loaFiles[1], check: one("strict", "warn", "disabled")},
		{name: "grounding.threshold", preset: .95, only: loaFiles[1], check: share, set: func(l *Loa, v float64) { l.Grounding = v }},
		{name: "drift_resolution", preset: "code", only: loaFiles[1], check: one("code", "docs", "ask"), unused: "code is right, always"},
		{name: "paths.grimoire", preset: "", only: loaFiles[1], check: word, unused: "grimoires/loa or loa-grimoire, whichever is there"},
		{name: "memory.trajectory_dir", preset: "", only: loaFiles[1], check: word, unused: "the trajectory is in the grimoire, or else in .assay"},
	}
}

// loadLoa reads the framework's files. What is wrong with them is a problem to be told
// and never an error: they are not this program's.
func loadLoa(root string) Loa {
	var l Loa
	var docs [len(loaFiles)]*yaml.Node
	there := false
	for i, name := range loaFiles {
		if root == "" {
			break
		}
		text, err := readBelow(root, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		there = true
		if err == nil {
			docs[i], err = document(text)
		}
		if err != nil {
			l.problems = append(l.problems, unread(filepath.Join(root, filepath.FromSlash(name)), err))
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
		if there {
			l.settings = append(l.settings, Setting{Key: "loa." + k.name, Value: value, Origin: origin})
		}
	}
	return l
}

// unread says why a file is omitted, with the line where there is one.
func unread(file string, err error) string {
	if _, ok := errors.AsType[*fault.Error](err); ok {
		return err.Error()
	}
	return malformed(file, err).Error()
}

func (k loaKey) read(n *yaml.Node) (any, error) {
	if n.Kind != yaml.ScalarNode {
		return nil, errors.New("it must be a single value")
	}
	return k.check(n.Value)
}

// document returns what a text is, nil where it is nothing.
func document(text []byte) (*yaml.Node, error) {
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
	if n != nil && null(n) {
		return nil
	}
	return n
}
