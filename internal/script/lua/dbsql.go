//go:build !slim

package lua

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	// whose driver is the one named sqlite
)

// A sqlDatabase is one behind database/sql.
type sqlDatabase struct {
	*sql.DB
	cell     func(v any, kind string) any
	server   bool
	readOnly bool // each statement is run in a transaction of its own that only reads
}

func (d *sqlDatabase) isServer() bool { return d.server }

func (d *sqlDatabase) query(ctx context.Context, text string, params []any, h *holding) (*rows, error) {
	var q interface {
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	} = d.DB
	if d.readOnly || ctx.Value(readingKey{}) != nil {
		tx, err := d.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return nil, err
		}
		defer func() { _ = tx.Rollback() }() // it changed nothing
		q = tx
	}
	rs, err := q.QueryContext(ctx, text, params...)
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
	if d.readOnly {
		tx, err := d.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return 0, err
		}
		defer func() { _ = tx.Rollback() }() // it changed nothing
		return affected(tx.ExecContext(ctx, text, params...))
	}
	return affected(d.ExecContext(ctx, text, params...))
}

func affected(r sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// connectMySQL opens mysql://user:password@host:port/database?ssl-mode=….
func (vm *VM) connectMySQL(ctx context.Context, dsn string) (database, error) {
	u, err := url.Parse(dsn)
	if err != nil {
		return nil, errors.New("invalid URL")
	}
	cfg := mysql.NewConfig()
	cfg.Net, cfg.Addr = "tcp", net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "3306"))
	cfg.User = u.User.Username()
	cfg.Passwd, _ = u.User.Password()
	cfg.DBName = strings.TrimPrefix(u.Path, "/")
	cfg.Timeout = connectTimeout
	cfg.Logger = &mysql.NopLogger{}
	cfg.DialFunc = vm.o.Policy.dialer(connectTimeout)
	mode := strings.ToUpper(u.Query().Get("ssl-mode"))
	tls, ok := map[string]string{
		"": "preferred", "PREFERRED": "preferred", "DISABLED": "false", "REQUIRED": "skip-verify",
		"VERIFY_CA": "true", "VERIFY_IDENTITY": "true",
	}[mode]
	if !ok {
		return nil, fmt.Errorf("unknown ssl-mode %q", mode)
	}
	cfg.TLSConfig = tls
	if err := cmp.Or(vm.o.Policy.permitOptions(dsn, "ssl-mode"), vm.o.Policy.permitDB("mysql", cfg.Addr)); err != nil {
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
	return &sqlDatabase{DB: db, cell: mysqlCell, server: true, readOnly: !vm.o.Policy.permitsDBWrites()}, nil
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
