//go:build !slim

package lua

import (
	"context"
	"errors"
	"fmt"
	"github.com/assay-dev/assay/internal/base/slice"
	"strings"
	"unicode/utf8"
)

const (
	dbKind       = "db connection"
	poolSize     = 5
	maxParams    = 65535
	maxDatabases = 4 // in memory, of a script under a policy: they share what it may take
)

// A database is one that a script has connected to. Parameters and cells are nil, bool,
// int64, float64 or string; a parameter that is no text is []byte.
type database interface {
	query(ctx context.Context, sql string, params []any, h *holding) (*rows, error)
	exec(ctx context.Context, sql string, params []any) (int64, error)
	Close() error
	isServer() bool // others share what it keeps
}

// rows are what a query returned.
type rows struct {
	columns []string
	cells   [][]any
}

// add appends a row, if there is room for it.
func (r *rows) add(row []any, h *holding) error {
	size := int64(64)
	for _, v := range row {
		size += 48
		if s, ok := v.(string); ok {
			size += int64(len(s))
		}
	}
	if err := h.add(size); err != nil {
		return fmt.Errorf("the result is %w", err)
	}
	r.cells = append(r.cells, row)
	return nil
}

func (vm *VM) openDB() {
	vm.lib("db", map[string]builtin{"close": dbClose, "connect": dbConnect, "execute": dbExecute, "query": dbQuery})
}

func dbConnect(c call) int {
	dsn := c.login(2, c.Str(1))
	vm := c.vm
	var db database
	var err error
	c.wait(func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, connectTimeout)
		defer cancel()
		db, err = vm.connect(ctx, dsn)
	})
	if err != nil {
		c.Fail("db.connect: %s", vm.hidePassword(err.Error(), dsn))
	}
	vm.closers = append(vm.closers, db.Close)
	return c.opens(dbKind, db, dsn, nil, nil)
}

func (vm *VM) connect(ctx context.Context, dsn string) (database, error) {
	scheme, _, _ := strings.Cut(dsn, ":")
	if scheme != "sqlite" {
		if err := vm.connects(); err != nil {
			return nil, err
		}
	}
	switch scheme {
	case "postgres", "postgresql":
		return vm.connectPostgres(ctx, dsn)
	case "mysql", "mariadb":
		return vm.connectMySQL(ctx, dsn)
	case "sqlite":
		return vm.connectSQLite(ctx, strings.TrimPrefix(dsn, "sqlite:"))
	}
	return nil, errors.New("the URL must begin with postgres://, mysql:// or sqlite: and does not")
}

// readingKey marks a query that is run in a transaction which only reads.
type readingKey struct{}

func (c call) database() database {
	return held[database](c, dbKind)
}

// params returns those of the third argument.
func (c call) params() []any {
	if c.absent(3) {
		return nil
	}
	t, ok := c.asTable(3)
	c.refuse(!ok, "third argument must be a table of parameters or nil")
	top := int64(0)
	for k := range t.All() {
		if s, ok := k.AsString(); ok && s == "n" {
			continue // of table.pack, which knows of nil at the end
		}
		i, ok := k.AsInt()
		c.refuse(!ok || i < 1 || i > maxParams, "parameters must be a list")
		top = max(top, i)
	}
	if n, ok := t.GetField("n").Integer(); ok {
		if n < 0 || n > maxParams {
			c.Fail("%s: %d parameters, at most %d", c.name, n, maxParams)
		}
		top = n
	}
	params := make([]any, top)
	for i := range params {
		p := t.GetInt(int64(i) + 1)
		v, err := c.vm.run.toGoStrict(p)
		switch v.(type) {
		case nil, bool, int64, float64, string:
		default:
			err = errors.New("table")
		}
		if err != nil {
			c.Fail("db: unsupported parameter type: %s", p.TypeName())
		}
		if s, ok := v.(string); ok && (!utf8.ValidString(s) || strings.IndexByte(s, 0) >= 0) {
			v = []byte(s) // which is no text to a database
		}
		params[i] = v
	}
	return params
}

func dbQuery(c call) int {
	db, sql, params := c.database(), c.Str(2), c.params()
	err := c.vm.o.Policy.permitStatement(sql, db.isServer())
	c.vm.event(Event{Event: "statement", Statement: sql})
	var r *rows
	h := c.vm.holding(c.vm.atMost(c.vm.memory / 2))
	defer h.end()
	reading := db.isServer() && c.vm.o.Policy.approves("db.execute")
	if err == nil && reading { // a query must not write past the approvals
		err = permitReading(sql)
	}
	if err == nil {
		c.wait(func(ctx context.Context) {
			if reading {
				ctx = context.WithValue(ctx, readingKey{}, true)
			}
			r, err = db.query(ctx, sql, params, h)
		})
	}
	if err != nil {
		c.Fail("db.query: %v", redactedError(err, c.vm.handles.redact))
	}
	columns := slice.Map(r.columns, func(name string) value { return c.NewString(c.vm.handles.redact(name)) })
	list := c.newTable(len(r.cells))
	for i, row := range r.cells {
		c.Step(1 + len(row))
		t := c.newRecord(len(row))
		for j, v := range row {
			if s, ok := v.(string); ok {
				v = c.vm.handles.redact(s)
			}
			if v != nil {
				t.Set(columns[j], c.vm.fromGo(v))
			}
		}
		list.SetInt(int64(i)+1, t.Of())
		r.cells[i] = nil
	}
	return c.Return(list.Of())
}

func dbExecute(c call) int {
	db, sql, params := c.database(), c.Str(2), c.params()
	err := c.vm.o.Policy.permitStatement(sql, db.isServer())
	c.vm.event(Event{Event: "statement", Statement: sql})
	var out any
	if err == nil && db.isServer() && c.vm.o.Policy.approves(c.name) {
		_, isMySQL := db.(*sqlDatabase)
		err = permitApproved(sql, isMySQL)
	}
	do := func(ctx context.Context) (any, error) { return db.exec(ctx, sql, params) }
	switch {
	case err != nil:
	case db.isServer():
		out, err = c.approvedCall([]any{c.vm.opened[db], sql, params}, do)
	default: // a resumed run must make its own database in memory again
		c.wait(func(ctx context.Context) { out, err = do(ctx) })
	}
	if err != nil {
		c.Fail("db.execute: %v", redactedError(err, c.vm.handles.redact))
	}
	n, _ := out.(int64)
	t := c.newRecord(1)
	t.SetField("rows_affected", whole(n))
	return c.Return(t.Of())
}

func dbClose(c call) int {
	db := c.database()
	var err error
	c.wait(func(context.Context) { err = db.Close() })
	c.Check("db.close", err)
	return 0
}
