package lua

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/assay-dev/assay/internal/base/store" // whose driver is the one named sqlite
)

// A sqlDatabase is one behind database/sql.
type sqlDatabase struct {
	*sql.DB
	cell func(v any, kind string) any
}

func (d *sqlDatabase) query(ctx context.Context, text string, params []any, h *holding) (*rows, error) {
	rs, err := d.QueryContext(ctx, text, params...)
	if err != nil {
		return nil, err
	}
	defer rs.Close()
	types, err := rs.ColumnTypes()
	if err != nil {
		return nil, err
	}
	out := &rows{}
	for _, t := range types {
		out.columns = append(out.columns, t.Name())
	}
	for rs.Next() {
		row := make([]any, len(types))
		ptrs := make([]any, len(types))
		for i := range row {
			ptrs[i] = &row[i]
		}
		if err := rs.Scan(ptrs...); err != nil {
			return nil, err
		}
		for i, v := range row {
			row[i] = d.cell(v, types[i].DatabaseTypeName())
		}
		if err := out.add(row, h); err != nil {
			return nil, err
		}
	}
	return out, rs.Err()
}

func (d *sqlDatabase) exec(ctx context.Context, text string, params []any) (int64, error) {
	r, err := d.ExecContext(ctx, text, params...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// connectSQLite opens sqlite::memory: and sqlite:path?mode=rwc. The file must be
// there unless the mode says otherwise.
func (vm *VM) connectSQLite(ctx context.Context, dsn string) (database, error) {
	path, query, _ := strings.Cut(strings.TrimPrefix(dsn, "//"), "?")
	opts, err := url.ParseQuery(query)
	if err != nil {
		return nil, err
	}
	mode := opts.Get("mode")
	if mode == "" {
		mode = "rw"
	}
	inMemory := path == "" || path == ":memory:" || mode == "memory"
	if vm.o.Policy != nil && inMemory {
		if vm.databases.Add(1) > maxDatabases {
			return nil, fmt.Errorf("the policy permits no more than %d databases", maxDatabases)
		}
		db, err := store.OpenBounded(ctx, vm.memory/maxDatabases)
		if err != nil {
			return nil, err
		}
		return &sqlDatabase{db, sqliteCell}, nil
	}
	source := "file:" + (&url.URL{Path: filepath.ToSlash(vm.path(path))}).EscapedPath() + "?mode=" + mode
	switch {
	case inMemory:
		source = "file::memory:"
	case vm.o.Policy != nil:
		return nil, errors.New("the policy permits no database but sqlite::memory: here")
	case mode != "ro" && mode != "rw" && mode != "rwc":
		return nil, fmt.Errorf("unknown mode %q: it is ro, rw, rwc or memory", mode)
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
	return &sqlDatabase{db, sqliteCell}, nil
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

// connectMySQL opens mysql://user:password@host:port/database?ssl-mode=….
func (vm *VM) connectMySQL(ctx context.Context, dsn string) (database, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return nil, errors.New("invalid URL")
	}
	port := u.Port()
	if port == "" {
		port = "3306"
	}
	cfg := mysql.NewConfig()
	cfg.Net, cfg.Addr = "tcp", net.JoinHostPort(u.Hostname(), port)
	cfg.User = u.User.Username()
	cfg.Passwd, _ = u.User.Password()
	cfg.DBName = strings.TrimPrefix(u.Path, "/")
	cfg.Timeout = connectTimeout
	cfg.Logger = &mysql.NopLogger{}
	mode := strings.ToUpper(u.Query().Get("ssl-mode"))
	tls, ok := map[string]string{
		"": "preferred", "PREFERRED": "preferred", "DISABLED": "false", "REQUIRED": "skip-verify",
		"VERIFY_CA": "true", "VERIFY_IDENTITY": "true",
	}[mode]
	if !ok {
		return nil, fmt.Errorf("unknown ssl-mode %q", mode)
	}
	cfg.TLSConfig = tls
	if err := vm.o.Policy.permitDB("mysql", cfg.Addr); err != nil {
		return nil, err
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(poolSize)
	db.SetMaxIdleConns(poolSize)
	if err := db.PingContext(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return &sqlDatabase{db, mysqlCell}, nil
}

// mysqlCell makes of what either protocol of MySQL sends what its type says.
func mysqlCell(v any, kind string) any {
	switch v := v.(type) {
	case uint64:
		if v > 1<<63-1 {
			return strconv.FormatUint(v, 10)
		}
		return int64(v)
	case float32:
		f, _ := strconv.ParseFloat(strconv.FormatFloat(float64(v), 'g', -1, 32), 64)
		return f
	case []byte:
		s := string(v)
		switch {
		case strings.HasSuffix(kind, "INT") || kind == "YEAR":
			if n, err := strconv.ParseInt(s, 10, 64); err == nil {
				return n
			}
		case kind == "FLOAT" || kind == "DOUBLE":
			if f, err := strconv.ParseFloat(s, 64); err == nil {
				return f
			}
		}
		return s
	case time.Time:
		return v.Format("2006-01-02 15:04:05.999999")
	}
	return v
}
