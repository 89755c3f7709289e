package main

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	_ "github.com/assay-dev/assay/internal/base/store" // brings the driver of SQLite
)

// fixtures makes of what drive left below work one archive for each agent, small
// and without a word of this machine.
func fixtures(args []string) error {
	f := flag.NewFlagSet("fixtures", flag.ExitOnError)
	work := f.String("work", "", "the `folder` that drive worked in")
	out := f.String("out", "", "the `folder` for the archives")
	prefix := f.String("name", "", "what the archives' names begin with")
	if err := f.Parse(args); err != nil {
		return err
	}
	if *work == "" || *out == "" {
		return errors.New("fixtures needs -work and -out")
	}
	abs, err := filepath.Abs(*work)
	if err != nil {
		return err
	}
	made := 0
	for _, a := range all() {
		s := newScrubber(abs, a.name)
		files, err := s.archive(homeOf(abs, a.name))
		if err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		if len(files) == 0 {
			continue
		}
		text := txtar.Format(&txtar.Archive{Comment: []byte("Made by eval/agents from a run of the real program.\n"), Files: files})
		if leak := s.leak(text); leak != "" {
			return fmt.Errorf("%s: %q is still in the archive", a.name, leak)
		}
		if err := os.WriteFile(filepath.Join(*out, *prefix+a.name+".txtar"), text, 0o644); err != nil {
			return err
		}
		made++
	}
	if made == 0 {
		return errors.New("nothing to make fixtures of: run drive first")
	}
	return nil
}

// archive returns the sessions below a home.
func (s *scrubber) archive(home string) (files []txtar.File, err error) {
	for _, kind := range []struct {
		dir, suffix string
		scrub       func([]byte) ([]byte, error)
	}{
		{".claude/projects", ".jsonl", s.lines}, {".codex/sessions", ".jsonl", s.lines},
		{".local/share/opencode/storage/session", ".json", s.json}, {".local/share/opencode/storage/message", ".json", s.json}, {".local/share/opencode/storage/part", ".json", s.json},
	} {
		names, err := below(filepath.Join(home, kind.dir), kind.suffix)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			body, err := os.ReadFile(name)
			if err != nil {
				return nil, err
			}
			if body, err = kind.scrub(body); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			rel, err := filepath.Rel(home, name)
			if err != nil {
				return nil, err
			}
			files = append(files, txtar.File{Name: s.text(filepath.ToSlash(rel)), Data: append(bytes.TrimSpace(body), '\n')})
		}
	}
	db := filepath.Join(home, ".local/share/opencode/opencode.db")
	switch _, err := os.Stat(db); {
	case errors.Is(err, os.ErrNotExist):
		return files, nil
	case err != nil:
		return nil, err
	}
	dump, err := s.dump(db)
	return append(files, txtar.File{Name: "opencode.sql", Data: dump}), err
}

// tables are the ones whose schema is kept, and whether their rows are.
var tables = []struct {
	name string
	rows bool
}{{"session", true}, {"message", true}, {"part", true}, {"account", false}, {"control_account", false}, {"credential", false}}

// dump returns a database as statements that make it again.
func (s *scrubber) dump(path string) ([]byte, error) {
	ctx := context.Background()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?mode=ro")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	var out bytes.Buffer
	for _, t := range tables {
		rows, err := db.QueryContext(ctx, "SELECT sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type DESC, name", t.name)
		if err != nil {
			return nil, err
		}
		err = each(rows, func(row []any) error {
			_, err := fmt.Fprintf(&out, "%s;\n", strings.Join(strings.Fields(row[0].(string)), " "))
			return err
		})
		if err != nil {
			return nil, err
		}
		if !t.rows {
			continue
		}
		rows, err = db.QueryContext(ctx, "SELECT * FROM "+t.name+" ORDER BY id")
		if err != nil {
			return nil, err
		}
		err = each(rows, func(row []any) error {
			values := make([]string, len(row))
			for i, v := range row {
				if values[i], err = s.value(v); err != nil {
					return err
				}
			}
			_, err := fmt.Fprintf(&out, "INSERT INTO %s VALUES (%s);\n", t.name, strings.Join(values, ", "))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// each calls f with every row and closes them.
func each(rows *sql.Rows, f func([]any) error) error {
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	for rows.Next() {
		row := make([]any, len(columns))
		at := make([]any, len(columns))
		for i := range row {
			at[i] = &row[i]
		}
		if err := rows.Scan(at...); err != nil {
			return err
		}
		if err := f(row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// value returns a value as SQL has it.
func (s *scrubber) value(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "NULL", nil
	case int64, float64:
		return fmt.Sprint(v), nil
	case string:
		text := s.text(v)
		if strings.HasPrefix(v, "{") || strings.HasPrefix(v, "[") {
			clean, err := s.json([]byte(v))
			if err != nil {
				return "", err
			}
			text = string(clean)
		}
		return "'" + strings.ReplaceAll(text, "'", "''") + "'", nil
	}
	return "", fmt.Errorf("a value of type %T", v)
}

// lines scrubs a file of JSON lines and leaves out those that say nothing of the
// conversation.
func (s *scrubber) lines(body []byte) ([]byte, error) {
	var out bytes.Buffer
	for line := range bytes.Lines(body) {
		if slices.ContainsFunc(leftOut, func(part string) bool { return bytes.Contains(line, []byte(part)) }) {
			continue
		}
		clean, err := s.json(line)
		if err != nil {
			return nil, err
		}
		out.Write(clean)
		out.WriteByte('\n')
	}
	return out.Bytes(), nil
}

// leftOut are what lines have that hold an agent's own instructions and accounts.
var leftOut = []string{
	`"type":"api-request`, `"type":"prompt_snapshot"`, `"type":"skill_listing"`, `"type":"agent_listing_delta"`, `"type":"deferred_tools_delta"`,
	`"type":"remote_session_change"`, `"type":"session_context"`, `"type":"environment"`, `"type":"cost-state"`, `"type":"atis-latch"`,
	`"type":"world_state"`, `"type":"turn_context"`, `"type":"token_usage_record"`, `"type":"token_count"`, `"type":"thread_settings_applied"`,
}
