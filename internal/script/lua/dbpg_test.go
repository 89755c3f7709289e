//go:build !slim

package lua

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
)

// fakePostgres answers every statement with one row, and returns the statements of each connection.
func fakePostgres(t *testing.T) (address string, asked func() [][]string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	var mu sync.Mutex
	var all [][]string
	note := func(i int, sql string) {
		mu.Lock()
		defer mu.Unlock()
		all[i] = append(all[i], sql)
	}
	go func() {
		for i := 0; ; i++ {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			all = append(all, nil)
			mu.Unlock()
			go answerPostgres(conn, func(sql string) { note(i, sql) })
		}
	}()
	return l.Addr().String(), func() [][]string { mu.Lock(); defer mu.Unlock(); return slices.Clone(all) }
}

// answerPostgres answers with an error that has theSecret to a statement that has FAIL, and with it as the cell and the name of the column to one that has LEAK.
func answerPostgres(conn net.Conn, note func(sql string)) {
	defer conn.Close()
	var statement string
	b := pgproto3.NewBackend(conn, conn)
	if _, err := b.ReceiveStartupMessage(); err != nil {
		return
	}
	b.Send(&pgproto3.AuthenticationOk{})
	fails := func(sql string) bool {
		note(sql)
		statement = sql
		if strings.Contains(sql, "FAIL") {
			b.Send(&pgproto3.ErrorResponse{Severity: "ERROR", Code: "42601", Message: "near " + theSecret})
			return true
		}
		return false
	}
	b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	for b.Flush() == nil {
		m, err := b.Receive()
		if err != nil {
			return
		}
		switch m := m.(type) {
		case *pgproto3.Query:
			if !fails(m.String) {
				b.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 0")})
			}
			b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
		case *pgproto3.Parse:
			if !fails(m.Query) {
				b.Send(&pgproto3.ParseComplete{})
			}
		case *pgproto3.Bind:
			b.Send(&pgproto3.BindComplete{})
		case *pgproto3.Describe:
			if strings.Contains(statement, "LEAK") {
				b.Send(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{{Name: []byte(theSecret), DataTypeOID: oidBytea, DataTypeSize: -1}}})
				continue
			}
			b.Send(&pgproto3.RowDescription{Fields: []pgproto3.FieldDescription{{Name: []byte("n"), DataTypeOID: oidInt4, DataTypeSize: 4}}})
		case *pgproto3.Execute:
			cell := "1"
			if strings.Contains(statement, "LEAK") {
				cell = fmt.Sprintf(`\x%x`, "("+theSecret+")")
			}
			b.Send(&pgproto3.DataRow{Values: [][]byte{[]byte(cell)}})
			b.Send(&pgproto3.CommandComplete{CommandTag: []byte("SELECT 1")})
		case *pgproto3.Sync:
			b.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
		}
	}
}

// TestReadingIsOnOneConnection asks under a policy that has statements approved: a query begins a transaction that only reads, and asks and ends it on the same connection.
func TestReadingIsOnOneConnection(t *testing.T) {
	address, asked := fakePostgres(t)
	p := policyOf(t, fmt.Sprintf("version: 1\ndatabases: {hosts: [%q], write: true}\nfunctions: {db.execute: approve}\n", address))
	o := Options{Policy: p, Approvals: &Approvals{}, Globals: map[string]any{"A": address}}
	_, err := eval(t, o, `
local c = db.connect("postgres://u@" .. A .. "/x?sslmode=disable")
local function ask() for i = 1, 3 do db.query(c, "SELECT 1") end end
ask()
local tasks = {}
for i = 1, 4 do tasks[i] = async.spawn(ask) end
for i = 1, 4 do tasks[i].await() end`)
	if err != nil {
		t.Fatal(err)
	}
	of, n := asked(), 0
	for _, statements := range of {
		n += len(statements)
		for group := range slices.Chunk(statements, 3) {
			if got := strings.Join(group, "; "); got != "BEGIN READ ONLY; SAVEPOINT reading; SELECT 1; ROLLBACK" {
				t.Errorf("on a connection: %s", got)
			}
		}
	}
	if n != 3*3*5 || len(of) > poolSize {
		t.Errorf("%d statements on %d connections: %q", n, len(of), of)
	}
}

// TestCredentialInRows has a database answer with the credential by which it was connected to.
func TestCredentialInRows(t *testing.T) {
	address, _ := fakePostgres(t)
	p := policyOf(t, fmt.Sprintf("version: 1\ndatabases: {hosts: [%q], write: true}\ncredentials: {api: {hosts: [%[1]q], username: me, password: {env: TOKEN}}}\n", address))
	o := Options{Policy: p, Globals: map[string]any{"A": address}, Env: func(string) (string, bool) { return theSecret, true }}
	for src, want := range map[string]string{
		`local _, why = pcall(db.query, c, "SELECT FAIL") return why`:                       "db.query: ERROR: near [redacted] (SQLSTATE 42601)",
		`local _, why = pcall(db.execute, c, "DELETE FAIL") return why`:                     "db.execute: ERROR: near [redacted] (SQLSTATE 42601)",
		`local _, why = pcall(db.execute, c, "DELETE FAIL", {1}) return why`:                "db.execute: ERROR: near [redacted] (SQLSTATE 42601)",
		`for name, cell in pairs(db.query(c, "SELECT LEAK")[1]) do return name .. cell end`: "[redacted]([redacted])",
		`return tostring(db.query(c, "SELECT 1")[1].n)`:                                     "1",
	} {
		got, err := eval(t, o, `local c = db.connect("postgres://" .. A .. "/x?sslmode=disable", {auth = cred("api")}) `+src)
		if err != nil || !strings.HasSuffix(fmt.Sprint(got), want) {
			t.Errorf("%s: %v, %v, want %s", src, got, err, want)
		}
	}
}

func TestBytea(t *testing.T) {
	for text, want := range map[string]string{
		`\x6869`: "hi", `\x`: "", `\x00ff`: "\x00\xff", `plain`: "plain", ``: "", `a\000b`: "a\x00b", `a\\b`: `a\b`, `\377\\`: "\xff\\", `\x6`: "x6", `\9`: "9",
	} {
		if got := pgCell([]byte(text), oidBytea); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if got := pgCell([]byte(`\x6869`), 25); got != `\x6869` {
		t.Errorf("of a text: %q", got)
	}
}
