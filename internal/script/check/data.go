package check

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/assay-dev/assay/internal/base/text"
)

// mostPasses bounds how often the checks of a file run one after another.
const mostPasses = 100_000

// A table is where the rows of a suite are: in a file, or in the file of checks itself.
type table struct {
	file string
	rows []map[string]string
}

func (t *table) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode {
		t.file = n.Value
		return nil
	}
	var rows []map[string]any
	if err := n.Decode(&rows); err != nil {
		return errors.New("data must be a file, or a list of maps")
	}
	var err error
	t.rows, err = rowTexts(rows)
	return err
}

// rowTexts writes the values of rows: a text as it is, null as nothing, another as JSON.
func rowTexts(rows []map[string]any) ([]map[string]string, error) {
	out := make([]map[string]string, len(rows))
	for i, row := range rows {
		out[i] = map[string]string{}
		for name, v := range row {
			var err error
			if out[i][name], err = valueText(v); err != nil {
				return nil, fmt.Errorf("data: row %d: %w", i+1, err)
			}
		}
	}
	return out, nil
}

func valueText(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	}
	return encode(v)
}

// prepare reads what the checks of a suite take from files, and returns the rows: one without values where there is no table.
func (r *Runner) prepare(s *Suite) ([]map[string]string, error) {
	r.vars = maps.Clone(s.Vars)
	if r.vars == nil {
		r.vars = map[string]string{}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Secrets)) {
		if _, given := r.Secrets[name]; given {
			continue // the command line has another
		}
		b, err := r.File(s.Secrets[name])
		if err != nil {
			return nil, fmt.Errorf("the secret %s: failed to read %q: %w", name, s.Secrets[name], err)
		}
		v := strings.TrimRight(string(b), "\r\n")
		r.vars[name] = v
		if err := r.hidden.hide(name, v); err != nil {
			return nil, err
		}
	}
	maps.Copy(r.vars, r.Vars)
	maps.Copy(r.vars, r.Secrets)
	for _, name := range slices.Sorted(maps.Keys(r.Secrets)) {
		if err := r.hidden.hide(name, r.Secrets[name]); err != nil {
			return nil, err
		}
	}
	rows := s.Rows
	if s.Data != "" {
		b, err := r.File(s.Data)
		if err != nil {
			return nil, fmt.Errorf("failed to read the data %q: %w", s.Data, err)
		}
		if rows, err = readRows(s.Data, b); err != nil {
			return nil, fmt.Errorf("the data %q: %w", s.Data, err)
		}
	}
	switch {
	case rows == nil:
		rows = []map[string]string{nil}
	case len(rows) == 0:
		return nil, errors.New("the data has no rows: no check would run")
	}
	if s.Duration == 0 && len(rows)*max(s.Repeat, 1) > mostPasses {
		return nil, fmt.Errorf("%d rows, %d times each: at most %d passes", len(rows), max(s.Repeat, 1), mostPasses)
	}
	return rows, nil
}

// readRows reads CSV with a header, a JSON list of objects, or an object a line (.jsonl).
func readRows(name string, b []byte) ([]map[string]string, error) {
	b = bytes.TrimPrefix(b, []byte("\uFEFF"))
	switch ext := strings.ToLower(filepath.Ext(name)); ext {
	case ".csv":
		return readCSV(b)
	case ".json":
		v, err := decode(string(b))
		list, ok := v.([]any)
		if err != nil || !ok {
			return nil, errors.Join(errors.New("it is not a JSON list of objects"), err)
		}
		return objects(list)
	case ".jsonl", ".ndjson":
		var list []any
		for line := range strings.Lines(string(b)) {
			if strings.TrimSpace(line) == "" {
				continue
			}
			v, err := decode(line)
			if err != nil {
				return nil, fmt.Errorf("row %d: %w", len(list)+1, err)
			}
			list = append(list, v)
		}
		return objects(list)
	default:
		return nil, fmt.Errorf("rows are read from .csv, .json and .jsonl, not from %q", ext)
	}
}

func objects(list []any) ([]map[string]string, error) {
	rows := make([]map[string]any, len(list))
	for i, v := range list {
		var ok bool
		if rows[i], ok = v.(map[string]any); !ok {
			return nil, fmt.Errorf("row %d is not an object", i+1)
		}
	}
	return rowTexts(rows)
}

func readCSV(b []byte) ([]map[string]string, error) {
	r := csv.NewReader(bytes.NewReader(b))
	r.TrimLeadingSpace = true
	records, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, errors.New("it has no header: the first line names the columns")
	}
	rows := []map[string]string{}
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, v := range record {
			row[strings.TrimSpace(records[0][i])] = v
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// Assignments reads NAME=VALUE, one an entry.
func Assignments(list []string) (map[string]string, error) {
	out := map[string]string{}
	for _, entry := range list {
		name, v, ok := strings.Cut(entry, "=")
		if !ok || !text.Identifier(name) {
			return nil, fmt.Errorf("%q is not NAME=VALUE", name) // without the value, which may be secret
		}
		out[name] = v
	}
	return out, nil
}

// SecretLines reads a file of secrets: NAME=VALUE a line, comments after #.
func SecretLines(b []byte) (map[string]string, error) {
	var list []string
	for line := range strings.Lines(strings.TrimPrefix(string(b), "\uFEFF")) {
		if line = strings.TrimRight(line, "\r\n"); line != "" && !strings.HasPrefix(line, "#") {
			list = append(list, line)
		}
	}
	out, err := Assignments(list)
	if err != nil {
		return nil, errors.New("it has a line that is not NAME=VALUE")
	}
	return out, nil
}
