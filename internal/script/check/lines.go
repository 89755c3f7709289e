package check

import (
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/lazy"
)

// readDocument reads the one document of a file. Its errors say the line.
func readDocument(src []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(strings.NewReader(string(src)))
	var doc, more yaml.Node
	switch err := dec.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, errors.New("the file is empty")
	case err != nil:
		return nil, syntax(src, err)
	}
	for {
		switch err := dec.Decode(&more); {
		case errors.Is(err, io.EOF):
			return &doc, nil
		case err != nil:
			return nil, syntax(src, err)
		case len(more.Content) > 0 && more.Content[0].Tag != "!!null":
			return nil, fmt.Errorf("line %d: a second YAML document: a file of checks is one, and nothing after it would run", more.Content[0].Line)
		}
	}
}

// The library puts the line before what it says.
var yamlLine = lazy.Regexp(`^yaml: (line \d+: )?`)

// syntax returns a syntax error of a file with the line at which the parser gave up. The library names the line at which the enclosing
// block began, which may be the first of the file. The parser reads no further than the error: so that is in the last line of the
// shortest part of the file that has the same error.
func syntax(src []byte, err error) error {
	lines := strings.SplitAfter(string(src), "\n")
	at := sort.Search(len(lines), func(n int) bool {
		dec := yaml.NewDecoder(strings.NewReader(strings.Join(lines[:n+1], "")))
		for {
			var doc yaml.Node
			if again := dec.Decode(&doc); again != nil {
				return again.Error() == err.Error()
			}
		}
	})
	return fmt.Errorf("line %d: %s", min(at+1, len(lines)), yamlLine.ReplaceAllString(err.Error(), ""))
}

// decoded puts the values of a node into v. Its errors are one line.
func decoded(n *yaml.Node, v any) error {
	err := n.Decode(v)
	if types, ok := errors.AsType[*yaml.TypeError](err); ok {
		return errors.New(strings.Join(types.Errors, "; "))
	}
	return err
}

// full returns an error for an item of a list that is empty: the library leaves it out, and what it should have said would be lost.
func full(n *yaml.Node, what string) error {
	if n = resolved(n); n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	for i, item := range n.Content {
		if item = resolved(item); item.Kind == yaml.ScalarNode && item.Tag == "!!null" {
			return fmt.Errorf("line %d: %s[%d] is empty", item.Line, what, i)
		}
	}
	return nil
}

// child returns the value of a key of a map, or nil.
func child(n *yaml.Node, key string) *yaml.Node {
	if n = resolved(n); n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return resolved(n.Content[i+1])
		}
	}
	return nil
}

// at returns an error with the line of a node, unless it has one or there is no node.
func at(n *yaml.Node, err error) error {
	if err == nil || n == nil || strings.HasPrefix(err.Error(), "line ") {
		return err
	}
	return fmt.Errorf("line %d: %w", n.Line, err)
}

// incomplete returns what a check lacks to be run.
func (c *Check) incomplete() error {
	switch {
	case c.Type == Script && c.File == "":
		return errors.New("script check requires a 'file' field")
	case c.Type == Script:
		return nil
	case c.URL == "":
		return fmt.Errorf("%s check requires a 'url' field", c.Type)
	case c.Type == GraphQL && c.Body == "", c.Type == Prometheus && c.Query == "":
		return fmt.Errorf("%s check requires a 'query' field", c.Type)
	}
	return nil
}

// A lasting error is of the file of checks: another attempt would have it too.
type lasting struct{ error }

func (e lasting) Unwrap() error { return e.error }

// Lasting marks an error as one that no further attempt can repair.
func Lasting(err error) error {
	if err == nil {
		return nil
	}
	return lasting{err}
}
