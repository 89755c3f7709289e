//go:build !slim

package lua

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5/pgconn"
)

// A pgPool is a few connections to PostgreSQL. The one used last is used next, so
// that what a script does one after another, a transaction say, happens on one.
//
// It speaks the text form of every type: what has no counterpart in Lua is what PostgreSQL itself prints.
type pgPool struct {
	cfg      *pgconn.Config
	free     chan struct{} // a token per connection that may be open
	readOnly bool          // each statement is run in a transaction of its own that only reads

	mu     sync.Mutex
	idle   []*pgconn.PgConn
	closed bool
}

func (vm *VM) connectPostgres(ctx context.Context, dsn string) (database, error) {
	policy := vm.o.Policy
	if err := policy.permitOptions(dsn, "sslmode", "connect_timeout", "application_name"); err != nil {
		return nil, err
	}
	cfg, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	if err := policy.permitPostgres(dsn, cfg); err != nil {
		return nil, err
	}
	if policy.file() != nil {
		cfg.LookupFunc = func(_ context.Context, host string) ([]string, error) { return []string{host}, nil } // the dialer has to see the name
		cfg.DialFunc = policy.dialer(connectTimeout)
	}
	p := &pgPool{cfg: cfg, free: make(chan struct{}, poolSize), readOnly: !policy.permitsDBWrites()}
	for range poolSize {
		p.free <- struct{}{}
	}
	conn, err := p.get(ctx)
	if err != nil {
		return nil, err
	}
	p.put(conn)
	return p, nil
}

// permitPostgres admits the hosts that a connection may be made to.
func (p *Policy) permitPostgres(dsn string, cfg *pgconn.Config) error {
	if !p.confines() {
		return nil
	}
	if u, err := url.Parse(dsn); err == nil {
		cfg.Password, _ = u.User.Password() // and none of a password file
	}
	hosts := []string{net.JoinHostPort(cfg.Host, strconv.Itoa(int(cfg.Port)))}
	for _, f := range cfg.Fallbacks {
		hosts = append(hosts, net.JoinHostPort(f.Host, strconv.Itoa(int(f.Port))))
	}
	for _, h := range hosts {
		if err := p.permitDB("postgres", h); err != nil {
			return err
		}
	}
	return nil
}

func (p *pgPool) get(ctx context.Context) (*pgconn.PgConn, error) {
	select {
	case <-p.free:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p.mu.Lock()
	isClosed := p.closed
	var conn *pgconn.PgConn
	if n := len(p.idle); n > 0 {
		conn, p.idle = p.idle[n-1], p.idle[:n-1]
	}
	p.mu.Unlock()
	if conn != nil && !conn.IsClosed() {
		return conn, nil
	}
	err := errors.New("the connection is closed")
	if !isClosed {
		conn, err = pgconn.ConnectConfig(ctx, p.cfg)
	}
	if err != nil {
		p.free <- struct{}{}
		return nil, err
	}
	return conn, nil
}

func (p *pgPool) put(conn *pgconn.PgConn) {
	p.mu.Lock()
	keep := !p.closed && !conn.IsClosed()
	if keep {
		p.idle = append(p.idle, conn)
	}
	p.mu.Unlock()
	if !keep {
		closePG(conn)
	}
	p.free <- struct{}{}
}

// closePG takes leave of the server, which need not answer.
func closePG(conn *pgconn.PgConn) {
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	_ = conn.Close(ctx)
}

func (p *pgPool) Close() error {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.closed = nil, true
	p.mu.Unlock()
	for _, conn := range idle {
		closePG(conn)
	}
	return nil
}

// The types of PostgreSQL that are told apart (pg_type.oid).
const (
	oidBool   = 16
	oidBytea  = 17
	oidInt8   = 20
	oidInt2   = 21
	oidInt4   = 23
	oidOID    = 26
	oidFloat4 = 700
	oidFloat8 = 701
)

// pgParams writes parameters with the types that literals of them would have; that of a string the server infers.
func pgParams(params []any) (values [][]byte, oids []uint32) {
	for _, p := range params {
		var b []byte
		var oid uint32
		switch p := p.(type) {
		case bool:
			b, oid = strconv.AppendBool(nil, p), oidBool
		case int64:
			b, oid = strconv.AppendInt(nil, p, 10), oidInt8
			if p >= math.MinInt32 && p <= math.MaxInt32 {
				oid = oidInt4
			}
		case float64:
			b, oid = strconv.AppendFloat(nil, p, 'g', -1, 64), oidFloat8
		case string:
			b = []byte(p)
		case []byte:
			b, oid = fmt.Appendf(nil, `\x%x`, p), oidBytea
		}
		values, oids = append(values, b), append(oids, oid)
	}
	return values, oids
}

func (p *pgPool) query(ctx context.Context, sql string, params []any, h *holding) (*rows, error) {
	conn, err := p.get(ctx)
	if err != nil {
		return nil, err
	}
	defer p.put(conn)
	reading := p.readOnly || ctx.Value(readingKey{}) != nil
	if err := begin(ctx, conn, reading); err != nil {
		return nil, err
	}
	defer end(conn, reading)
	values, oids := pgParams(params)
	r := conn.ExecParams(ctx, sql, values, oids, nil, nil)
	out := &rows{}
	for r.NextRow() {
		row := make([]any, len(r.Values()))
		for i, b := range r.Values() {
			row[i] = pgCell(b, r.FieldDescriptions()[i].DataTypeOID)
		}
		if err := out.add(row, h); err != nil {
			closePG(conn) // rather than read the rest
			return nil, err
		}
	}
	for _, f := range r.FieldDescriptions() {
		out.columns = append(out.columns, f.Name)
	}
	_, err = r.Close()
	return out, err
}

func (p *pgPool) exec(ctx context.Context, sql string, params []any) (int64, error) {
	conn, err := p.get(ctx)
	if err != nil {
		return 0, err
	}
	defer p.put(conn)
	if err := begin(ctx, conn, p.readOnly); err != nil {
		return 0, err
	}
	defer end(conn, p.readOnly)
	if len(params) == 0 && !p.readOnly { // several statements may be
		results, err := conn.Exec(ctx, sql).ReadAll()
		n := int64(0)
		for _, r := range results {
			n += r.CommandTag.RowsAffected()
		}
		return n, err
	}
	values, oids := pgParams(params)
	tag, err := conn.ExecParams(ctx, sql, values, oids, nil, nil).Close()
	return tag.RowsAffected(), err
}

// begin starts a transaction that only reads, if it is for reading. A statement cannot
// change that: SET TRANSACTION READ WRITE is an error within a savepoint, and the protocol that
// statements with parameters use takes one at a time, so that none can end the transaction first.
func begin(ctx context.Context, conn *pgconn.PgConn, reading bool) error {
	if !reading {
		return nil
	}
	_, err := conn.Exec(ctx, "BEGIN READ ONLY; SAVEPOINT reading").ReadAll()
	return err
}

func end(conn *pgconn.PgConn, reading bool) {
	if !reading || conn.IsClosed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
	defer cancel()
	if _, err := conn.Exec(ctx, "ROLLBACK").ReadAll(); err != nil {
		closePG(conn)
	}
}

func (p *pgPool) isServer() bool { return true }

// byteaText returns the bytes that PostgreSQL writes as text: \x and digits, or, where the
// server has bytea_output = escape, with a backslash before three octal digits or another one.
func byteaText(s string) string {
	if digits, ok := strings.CutPrefix(s, `\x`); ok {
		if b, err := hex.DecodeString(digits); err == nil {
			return string(b)
		}
	}
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+4], 8, 8); err == nil {
				out.WriteByte(byte(n))
				i += 3
				continue
			}
		}
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

func pgCell(b []byte, oid uint32) any {
	if b == nil {
		return nil
	}
	s := string(b)
	switch oid {
	case oidBool:
		return s == "t"
	case oidBytea:
		return byteaText(s)
	case oidInt2, oidInt4, oidInt8, oidOID:
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return n
		}
	case oidFloat4, oidFloat8:
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return f
		}
	}
	return s
}
