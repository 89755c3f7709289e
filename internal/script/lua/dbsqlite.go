//go:build !slim

package lua

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/base/store" // whose driver is the one named sqlite
)

// connectSQLite opens sqlite::memory: and sqlite:path?mode=rwc. The file must be there unless the mode says otherwise.
func (vm *VM) connectSQLite(ctx context.Context, dsn string) (database, error) {
	path, query, _ := strings.Cut(strings.TrimPrefix(dsn, "//"), "?")
	opts, err := url.ParseQuery(query)
	if err != nil {
		return nil, err
	}
	mode := cmp.Or(opts.Get("mode"), "rw")
	inMemory := path == "" || path == ":memory:" || mode == "memory"
	if vm.o.Policy.confines() && inMemory {
		if vm.databases.Add(1) > maxDatabases {
			return nil, fmt.Errorf("the policy permits no more than %d databases", maxDatabases)
		}
		db, err := store.OpenBounded(ctx, vm.memory/maxDatabases)
		if err != nil {
			return nil, err
		}
		return &sqlDatabase{DB: db, cell: sqliteCell}, nil
	}
	source := "file:" + (&url.URL{Path: filepath.ToSlash(vm.path(path))}).EscapedPath() + "?mode=" + mode
	switch {
	case inMemory:
		source = "file::memory:"
	case vm.o.Policy.confines():
		return nil, errors.New("the policy permits no database but sqlite::memory: here")
	case mode != "ro" && mode != "rw" && mode != "rwc":
		return nil, fmt.Errorf("unknown mode %q: it is ro, rw, rwc or memory", mode)
	}
	readOnly := !inMemory && !vm.o.Policy.permitsDBWrites()
	if readOnly {
		source = strings.TrimSuffix(source, mode) + "ro"
	}
	db, err := sql.Open("sqlite", source)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	db.SetMaxIdleConns(1)
	if _, err := db.ExecContext(ctx, "PRAGMA busy_timeout = 5000"); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &sqlDatabase{DB: db, cell: sqliteCell, server: readOnly}, nil
}

func sqliteCell(v any, kind string) any {
	switch v := v.(type) {
	case []byte:
		return string(v)
	case int64:
		if kind == "BOOLEAN" || kind == "BOOL" {
			return v != 0
		}
	case time.Time: // the driver parses the text of columns that are declared so
		layout := "2006-01-02 15:04:05.999999999"
		if _, offset := v.Zone(); offset != 0 {
			layout += "-07:00"
		} else if h, m, s := v.Clock(); kind == "DATE" && h+m+s+v.Nanosecond() == 0 {
			layout = time.DateOnly
		}
		return v.Format(layout)
	}
	return v
}
