package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/assay-dev/assay/internal/base/sorting"
)

func versionOf(ctx context.Context, q Querier) (version int, err error) {
	err = q.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	if err == nil && version < 0 {
		err = fmt.Errorf("%w: schema version %d", ErrDamaged, version)
	}
	return version, fromHeader(err)
}

// checkNotEmpty returns os.ErrNotExist for a database without any content.
func checkNotEmpty(ctx context.Context, q Querier, path string) error {
	version, err := versionOf(ctx, q)
	if err != nil || version > 0 {
		return err
	}
	if have, err := objects(ctx, q); err != nil || len(have) > 0 {
		return err
	}
	return &os.PathError{Op: "open", Path: path, Err: os.ErrNotExist}
}

// fromHeader is Classify for statements that every database answers: SQLite has no code of
// its own for a header that names a format which it does not know.
func fromHeader(err error) error {
	if code(err) == generic {
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	return Classify(err)
}

// An object is a row of sqlite_schema.
type object struct {
	key
	table, text string
}

// A trigger may have the name of a table.
type key struct{ kind, name string }

func objects(ctx context.Context, q Querier) (map[key]object, error) {
	rows, err := q.QueryContext(ctx, "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL")
	if err != nil {
		return nil, fromHeader(err)
	}
	defer rows.Close()
	out := map[key]object{}
	for rows.Next() {
		var o object
		if err := rows.Scan(&o.kind, &o.name, &o.table, &o.text); err != nil {
			return nil, Classify(err)
		}
		out[o.key] = o
	}
	return out, fromHeader(rows.Err())
}

// check compares the schema with the one that the steps make in an empty
// database, and returns its layout. A file from elsewhere could lack a table, or carry
// triggers and views that run when it is read.
func check(ctx context.Context, q Querier, s Schema) (layout string, err error) {
	version, err := versionOf(ctx, q)
	if err != nil {
		return "", err
	}
	name, steps := s.Name, s.Steps
	if version > len(steps) {
		return "", fmt.Errorf("%s has schema version %d, this program knows %d: %w", name, version, len(steps), ErrNewer)
	}
	if version < len(steps) && version > 0 {
		if _, err := check(ctx, q, Schema{Name: name, Steps: steps[:version]}); err != nil {
			return "", err
		}
		return "", fmt.Errorf("%w: %s has schema version %d, this program has %d", ErrOther, name, version, len(steps))
	}
	if version != len(steps) {
		return "", fmt.Errorf("%w: %s has schema version %d, not %d", ErrDamaged, name, version, len(steps))
	}
	have, err := objects(ctx, q)
	if err != nil {
		return "", err
	}
	if layout = layoutOf(have); layout == s.Layout {
		return layout, nil
	}
	return layout, compare(ctx, name, have, steps)
}

// layoutOf returns the digest of a schema. It is one that nobody finds another schema for.
func layoutOf(have map[key]object) string {
	h := sha256.New()
	keys := slices.Collect(maps.Keys(have))
	sorting.Stable(keys, func(a, b key) int { return cmp.Or(strings.Compare(a.kind, b.kind), strings.Compare(a.name, b.name)) })
	for _, k := range keys {
		o := have[k]
		fmt.Fprintf(h, "%q %q %q %q\n", o.kind, o.name, o.table, o.text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// compare compares the schema of a database with the one that the steps create.
func compare(ctx context.Context, name string, have map[key]object, steps []string) error {
	want, shadows, err := twin(ctx, steps)
	if err != nil {
		return fmt.Errorf("steps of %s: %w", name, err)
	}
	for _, o := range have {
		w, ok := want[o.key]
		delete(want, o.key)
		switch {
		case ok && o == w:
		// The tables behind a virtual one are worded by SQLite, not by us.
		case ok && shadows[o.name] && o.kind == "table" && strings.HasPrefix(o.text, "CREATE TABLE "):
		// Tables of ANALYZE.
		case !ok && o.kind == "table" && strings.HasPrefix(o.name, "sqlite_stat"):
		default:
			return fmt.Errorf("%w: %s contains %q, which this program did not create", ErrDamaged, name, o.name)
		}
	}
	for missing := range want {
		return fmt.Errorf("%w: %s has no %q", ErrDamaged, name, missing.name)
	}
	return nil
}

// twin returns the schema that the steps make, and which of its tables belong to
// virtual ones.
func twin(ctx context.Context, steps []string) (want map[key]object, shadows map[string]bool, err error) {
	want, shadows = map[key]object{}, map[string]bool{}
	if len(steps) == 0 {
		return want, shadows, nil
	}
	db, err := sql.Open("sqlite", "file:twin?mode=memory")
	if err != nil {
		return nil, nil, err
	}
	defer db.Close()
	conn, err := db.Conn(ctx) // another one would be another database
	if err != nil {
		return nil, nil, err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, strings.Join(steps, ";\n")); err != nil {
		return nil, nil, err
	}
	if want, err = objects(ctx, conn); err != nil {
		return nil, nil, err
	}
	var s string
	err = Each(ctx, conn, []any{&s}, func() error {
		shadows[s] = true
		return nil
	}, "SELECT name FROM pragma_table_list WHERE type = 'shadow'")
	return want, shadows, err
}
