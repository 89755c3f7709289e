//go:build unix && !slim

package lua

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/coder/websocket"
)

// A ledgerDB is a database server that keeps the statements that it is given.
type ledgerDB struct{ wrote *[]string }

func (d *ledgerDB) query(ctx context.Context, sql string, _ []any, _ *holding) (*rows, error) {
	if ctx.Value(readingKey{}) == nil {
		*d.wrote = append(*d.wrote, "not only read: "+sql)
	}
	return &rows{columns: []string{"n"}, cells: [][]any{{int64(len(*d.wrote))}}}, nil
}

func (d *ledgerDB) exec(_ context.Context, sql string, params []any) (int64, error) {
	*d.wrote = append(*d.wrote, fmt.Sprint(sql, params))
	return 7, nil
}

func (d *ledgerDB) Close() error   { return nil }
func (d *ledgerDB) isServer() bool { return true }

// A call that the policy has approved is made once it is approved, once, and is not made again when the run is repeated.
func TestApprovedCalls(t *testing.T) {
	var mu sync.Mutex
	var wrote []string
	note := func(s string) {
		mu.Lock()
		defer mu.Unlock()
		wrote = append(wrote, s)
	}
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		_, b, err := c.Read(r.Context())
		if err == nil {
			note("ws " + string(b))
		}
		c.Close(websocket.StatusNormalClosure, "")
	})
	scratch := t.TempDir()
	p := policyOf(t, `version: 1
databases: {hosts: ["db.example:1"], write: true}
websockets: ["`+strings.TrimPrefix(s.URL, "http://")+`"]
files: {folder: ., write: true}
functions: {db.execute: approve, ws.send: approve, fs.write: approve, redis.call: approve}
`)
	p.Scratch = scratch
	run := func(a *Approvals, src string) (string, *Approvals) {
		v := New(Options{Policy: p, Approvals: a, Globals: map[string]any{"U": s.URL}})
		defer v.Close()
		db := &ledgerDB{&wrote}
		v.opened = map[any]endpoint{db: {shown: "postgres://db.example:1/x"}}
		v.setGlobal("C", v.state.NewUserdata(database(db), nil, 16).Of())
		out, err := v.Run(t.Context(), "@t.lua", []byte(src))
		if a != nil && a.Pending() != nil {
			return "pending " + a.Pending().Call + " " + strings.Join(a.Pending().Arguments, " | "), a.Next()
		}
		if err != nil {
			return err.Error(), nil
		}
		return fmt.Sprint(out...), nil
	}
	tests := []struct {
		name, src, shown, result string
		wrote                    []string
	}{
		{"a statement", `return db.execute(C, "DELETE FROM t WHERE id = ?", {4}).rows_affected`,
			"pending db.execute postgres://db.example:1/x | DELETE FROM t WHERE id = ? | [4]", "7", []string{"DELETE FROM t WHERE id = ?[4]"}},
		{"a message", `local c = ws.connect((U:gsub("^http", "ws"))) ws.send(c, "hello") ws.close(c) return "sent"`, "pending ws.send ws://", "sent", []string{"ws hello"}},
		{"a file", `fs.write("f", "x") return fs.read("f")`, "pending fs.write f | x", "x", nil},
		{"a query", `return db.query(C, "SELECT 1")[1].n`, "0", "", nil},
		{"a query that writes", `return db.query(C, "DELETE FROM t")`, "a statement has to begin with", "", nil},
		{"a statement that has a word of a session", `return db.execute(C, "UPDATE settings SET use = 1, lock = 'x'").rows_affected`,
			"pending db.execute", "7", []string{"UPDATE settings SET use = 1, lock = 'x'[]"}},
		{"the beginning of a transaction", `db.execute(C, "BEGIN")`, "BEGIN changes the connection", "", nil},
		{"a setting", `db.execute(C, " set search_path = x")`, "SET changes the connection", "", nil},
		{"a variable", `db.execute(C, "SET@x:=1")`, "SET changes the connection", "", nil},
		{"a setting behind another statement", `db.execute(C, "DELETE FROM t; USE other")`, "USE changes the connection", "", nil},
		{"a setting behind a comment", `db.execute(C, "/* a */ SET x = 1")`, "SET changes the connection", "", nil},
		{"a table of the connection", `db.execute(C, "CREATE TEMPORARY TABLE t (x int)")`, "TEMPORARY changes the connection", "", nil},
		{"a semicolon in a text", `return db.execute(C, "UPDATE t SET a = 'do; use the other'").rows_affected`, "pending db.execute", "7", []string{"UPDATE t SET a = 'do; use the other'[]"}},
		{"a database of its own", `local m = db.connect("sqlite::memory:") db.execute(m, "CREATE TABLE t (x)") return db.query(m, "SELECT count(*) AS n FROM t")[1].n`, "0", "", nil},
		{"a response into a file", `return http.get(U, {to_file = "g"})`, "the policy", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			wrote = nil
			got, next := run(&Approvals{Seed: []byte("seed")}, tt.src)
			if !strings.HasPrefix(got, tt.shown) && !strings.Contains(got, tt.shown) || len(wrote) > 0 {
				t.Fatalf("%s, want %s; %q", got, tt.shown, wrote)
			}
			if next == nil {
				return
			}
			if _, err := os.Stat(filepath.Join(scratch, "f")); err == nil {
				t.Fatal("the file was written without approval")
			}
			after := next
			if got, _ = run(next, tt.src); !strings.HasPrefix(got, tt.result) || !slices.Equal(wrote, tt.wrote) {
				t.Errorf("%s, want %s; %q", got, tt.result, wrote)
			}
			// A further run, for a later approval, gets the result and has no effect.
			again := &Approvals{Seed: after.Seed, Effects: after.Effects}
			_ = os.Remove(filepath.Join(scratch, "f"))
			if got, _ = run(again, strings.Replace(tt.src, `fs.read("f")`, `"x"`, 1)); len(wrote) != len(tt.wrote) || strings.HasPrefix(got, "pending") {
				t.Errorf("repeated: %s; %q", got, wrote)
			}
			if got, _ = run(nil, tt.src); !strings.Contains(got, "not possible here") || len(wrote) != len(tt.wrote) {
				t.Errorf("where nothing can be approved: %s", got)
			}
		})
	}
	// Arguments that differ in a byte or in their kind are another call.
	for _, other := range []string{`{"4"}`, `{5}`, `{4, 4}`, `{4.5}`, `{4.0}`} {
		wrote = nil
		_, next := run(&Approvals{Seed: []byte("seed")}, `db.execute(C, "x", {4})`)
		if got, _ := run(next, `db.execute(C, "x", `+other+`)`); !strings.Contains(got, "another request") || len(wrote) > 0 {
			t.Errorf("%s: %s; %q", other, got, wrote)
		}
	}
	if _, err := ReadPolicy([]byte("version: 1\nfunctions: {http.post: approve}\n")); err == nil || !strings.Contains(err.Error(), "cannot be approved") {
		t.Errorf("%v", err)
	}
}

// A statement that changes the connection cannot be approved, one that has such a word as a name can.
func TestPermitApproved(t *testing.T) {
	tests := []struct{ sql, refused string }{
		{"CREATE LOCAL TEMP TABLE t (x int)", "TEMP changes"},
		{"create global temporary table t (x int)", "TEMPORARY changes"},
		{"CREATE OR REPLACE TEMP VIEW v AS SELECT 1", "TEMP changes"},
		{"SELECT * INTO TEMP x FROM t", "TEMP changes"},
		{"WITH r AS (SELECT 1) SELECT * INTO LOCAL TEMPORARY x FROM r", "TEMPORARY changes"},
		{"SELECT set_config('search_path', 'x', false)", "SET_CONFIG changes"},
		{"SELECT pg_try_advisory_lock(1)", "PG_TRY_ADVISORY_LOCK changes"},
		{"UPDATE t SET a = GET_LOCK('x', 1)", "GET_LOCK changes"},
		{"SELECT @x := 1", "@ changes"},
		{"SELECT max(id) INTO @x FROM t", "@ changes"},
		{"UPDATE t SET a = 1; SELECT a INTO\n@x FROM t", "@ changes"},
		{"UPDATE readings SET temp = 4 WHERE temporary", ""},
		{"CREATE TABLE readings (temp int)", ""},
		{"CREATE OR REPLACE VIEW hot AS SELECT temp FROM readings", ""},
		{"INSERT INTO temp VALUES (1)", ""},
		{"WITH r AS (SELECT 1) INSERT INTO temp SELECT * FROM r", ""},
		{"SELECT temp INTO hot FROM readings", ""},
		{"DELETE FROM my_locks WHERE get_locks = 1", ""},
		{"INSERT INTO people (mail) VALUES ('a@example.com')", ""},
		{"SELECT f(a := 1)", ""},
		{"SELECT pg_advisory_xact_lock(1)", ""},
		{"UPDATE t SET a = @x", ""},
	}
	for _, tt := range tests {
		t.Run(tt.sql, func(t *testing.T) {
			for name, isMySQL := range map[string]bool{"postgres": false, "mysql": true} {
				err := permitApproved(tt.sql, isMySQL)
				if got := fmt.Sprint(err); (err != nil) != (tt.refused != "") || !strings.Contains(got, tt.refused) {
					t.Errorf("%s: %s, want %q", name, got, tt.refused)
				}
			}
		})
	}
}

// TestPermitApprovedQuotes holds that comments and strings are read as the server at hand reads them: nothing hides in text that only looks like one.
func TestPermitApprovedQuotes(t *testing.T) {
	tests := []struct{ name, sql, postgres, mysql string }{
		{"a semicolon in a string", "UPDATE t SET a = 'b; use c'", "", ""},
		{"a quotation mark in a string", "UPDATE t SET a = 'b''; use c'", "", ""},
		{"a statement behind a string", "UPDATE t SET a = 'b'; use c", "USE changes", "USE changes"},
		{"a semicolon in a name", `UPDATE t SET "a; use c" = 1`, "", ""},
		{"a function by its name in quotes", `SELECT "set_config"('a', 'b', false)`, "SET_CONFIG changes", "SET_CONFIG changes"},
		{"a semicolon in a name of MySQL", "UPDATE t SET `a; use c` = 1", "USE changes", ""},
		{"a comment before TEMP", "CREATE /* a */ TEMP -- b\n TABLE t (x int)", "TEMP changes", "TEMP changes"},
		{"a comment in it that MySQL ends", "CREATE /* /* */ TEMP TABLE t (x int) -- */ */ TABLE t (x int)", "", "TEMP changes"},
		{"a comment before a verb", "-- a\nDELETE FROM t /* b; use c */", "", ""},
		{"a comment that is open", "DELETE FROM t /* b; use c", "one does not end", "one does not end"},
		{"a string that is open", "UPDATE t SET a = 'b; use c", "one does not end", "one does not end"},
		{"a backslash in a string", `UPDATE t SET a = 'b\'; use c; SELECT '`, "the server's settings", "the server's settings"},
		{"dollars", "UPDATE t SET a = $$b; use c$$", "", "USE changes"},
		{"dollars with a name", "UPDATE t SET a = $x$b; $$ use c$x$", "", "begin each statement with its verb"},
		{"dollars behind which a statement is", "UPDATE t SET a = $x$b$x$; use c", "USE changes", "USE changes"},
		{"dollars in a name", "UPDATE t SET a$x$ = 1; use c; SELECT a$x$", "USE changes", "USE changes"},
		{"parameters", "UPDATE t SET a = $1; use c; SELECT $1", "USE changes", "USE changes"},
		{"a comment of MySQL", "UPDATE t SET a = 1 #'\n; use c #'", "", "USE changes"},
		{"minus twice", "UPDATE t SET a = 1 --'\n; use c --'", "USE changes", "the server's settings"},
		{"the end of a line that only PostgreSQL sees", "UPDATE t SET a = 1 -- \r; use c", "USE changes", ""},
		{"a block of code", "DO $$ BEGIN PERFORM set_config('a', 'b', false); END $$", "DO changes", "DO changes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for isMySQL, want := range map[bool]string{false: tt.postgres, true: tt.mysql} {
				err := permitApproved(tt.sql, isMySQL)
				if got := fmt.Sprint(err); (err != nil) != (want != "") || !strings.Contains(got, want) {
					t.Errorf("MySQL %v: %s, want %q", isMySQL, got, want)
				}
			}
		})
	}
}

// An approval of a call on one connection is none of the same call on another one.
func TestApprovedConnections(t *testing.T) {
	ok := map[string]string{"PING": "+PONG\r\n", "AUTH ann password": "+OK\r\n", "AUTH bob password": "+OK\r\n", "AUTH " + theSecret: "+OK\r\n", "AUTH me " + theSecret: "+OK\r\n",
		"SELECT 2": "+OK\r\n", "SET k v": "+OK\r\n", "GET k": "$1\r\nv\r\n"}
	address := fakeRedis(t, ok)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		c, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"one", "two"}, InsecureSkipVerify: true})
		if err == nil {
			_, _, _ = c.Read(r.Context())
			c.CloseNow()
		}
	})
	host := strings.TrimPrefix(s.URL, "http://")
	p := policyOf(t, fmt.Sprintf(`version: 1
databases: {hosts: [%[1]q], write: true}
websockets: [%[2]q, "localhost:80"]
functions: {ws.send: approve, redis.call: approve}
credentials:
  one: {hosts: [%[1]q, %[2]q], username: me, password: {env: TOKEN}}
  two: {hosts: [%[1]q, %[2]q], username: me, password: {env: TOKEN}}
`, address, host))
	run := func(a *Approvals, src string) (*Approvals, error) {
		_, err := eval(t, Options{Policy: p, Approvals: a, Globals: map[string]any{"R": address, "W": "ws://" + host}, Env: func(string) (string, bool) { return theSecret, true }}, src)
		return a, err
	}
	set := func(connect string) string { return `redis.call(redis.connect(` + connect + `), "SET", "k", "v")` }
	send := func(opts, how string) string { return `ws.send(ws.connect(W, ` + opts + `), "x"` + how + `)` }
	tests := []struct{ name, first, second, shown string }{
		{"a user", set(`"redis://ann:password@" .. R`), set(`"redis://bob:password@" .. R`), "redis://ann@"},
		{"a database", set(`"redis://" .. R`), set(`"redis://" .. R .. "/2"`), "redis://"},
		{"a credential", set(`"redis://" .. R, {auth = cred("one")}`), set(`"redis://" .. R, {auth = cred("two")}`), "with the credential one"},
		{"no credential", set(`"redis://" .. R`), set(`"redis://" .. R, {auth = cred("two")}`), "redis://"},
		{"a header", send(`{headers = {["X-Tenant"] = "a"}}`, ""), send(`{headers = {["X-Tenant"] = "b"}}`, ""), `"X-Tenant":"a"`},
		{"a header that is secret", send(`{headers = {Authorization = "Bearer aaaaaaaaaa"}}`, ""), send(`{headers = {Authorization = "Bearer bbbbbbbbbb"}}`, ""), `"Authorization":"[redacted]"`},
		{"a user of a web socket", send(`{auth = {username = "ann", password = "password"}}`, ""), send(`{auth = {username = "bob", password = "password"}}`, ""), "[auth]"},
		{"a credential of a web socket", send(`{auth = cred("one")}`, ""), send(`{auth = cred("two")}`, ""), "with the credential one"},
		{"a Host", send(`{headers = {Host = "localhost"}}`, ""), send(`{}`, ""), `"Host":"localhost"`},
		{"a protocol", send(`{subprotocols = {"one"}}`, ""), send(`{subprotocols = {"two"}}`, ""), `"Sec-WebSocket-Protocol":"one"`},
		{"bytes", send(`{}`, ", {binary = true}"), send(`{}`, ""), "as bytes"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := run(&Approvals{Seed: []byte("seed")}, tt.first)
			if a.Pending() == nil {
				t.Fatalf("nothing needs an approval: %v", err)
			}
			if shown := strings.Join(a.Pending().Arguments, " "); !strings.Contains(shown, tt.shown) || strings.Contains(shown, "password") {
				t.Errorf("shown: %s, want %s", shown, tt.shown)
			}
			if _, err := run(a.Next(), tt.second); err == nil || !strings.Contains(err.Error(), "another request") {
				t.Errorf("the approval is that of another call: %v", err)
			}
			if again, err := run(a.Next(), tt.first); err != nil || again.Unsent() {
				t.Errorf("approved: %v", err)
			}
		})
	}
	for _, tt := range []struct{ command, want string }{
		{`"SELECT", 2`, "SELECT changes the connection"}, {`"multi"`, "MULTI changes the connection"}, {`"CLIENT", "NO-EVICT", "on"`, "CLIENT changes"}, {`"BLPOP", "q", 0`, "BLPOP waits"},
		{`"client", "list"`, "needs an approval"}, {`"CLIENT"`, "CLIENT changes"}, {`"CLIENT", "SETNAME", "list"`, "CLIENT changes"},
		{`"XREADGROUP", "GROUP", "g", "c", "STREAMS", "s", ">"`, "needs an approval"}, {`"XREADGROUP", "GROUP", "g", "c", "block", 0, "STREAMS", "s", ">"`, "XREADGROUP waits"},
		{`"GET", "k"`, "<nil>"}, {`"SET", "k", "v"`, "needs an approval"},
	} {
		if _, err := run(&Approvals{Seed: []byte("seed")}, `redis.call(redis.connect("redis://" .. R), `+tt.command+`)`); !strings.Contains(fmt.Sprint(err), tt.want) {
			t.Errorf("%s: %v, want %s", tt.command, err, tt.want)
		}
	}
}

// A write that waits for another one ends with its own time.
func TestApprovalOrder(t *testing.T) {
	a := &Approvals{}
	leave, err := a.enterOrder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.enterOrder(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	leave()
	if leave, err = a.enterOrder(t.Context()); err != nil {
		t.Fatal(err)
	}
	leave()
	if _, err := a.enterOrder(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v", err)
	}
}

// A call that is approved lets the next one follow, and one that waits for another ends with its run and writes nothing.
func TestApprovedCallsInOrder(t *testing.T) {
	p := policyOf(t, "version: 1\ndatabases: {hosts: [\"db.example:1\"], write: true}\nfunctions: {db.execute: approve}\n")
	var wrote []string
	run := func(a *Approvals, asked func()) error {
		v := New(Options{Policy: p, Approvals: a, Event: func(e Event) {
			if e.Event == "statement" {
				asked()
			}
		}})
		defer v.Close()
		db := &ledgerDB{&wrote}
		v.opened = map[any]endpoint{db: {shown: "postgres://db.example:1/x"}}
		v.setGlobal("C", v.state.NewUserdata(database(db), nil, 16).Of())
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if asked == nil {
			asked = cancel
		}
		_, err := v.Run(ctx, "@t.lua", []byte(`db.execute(C, "one") db.execute(C, "two")`))
		return err
	}
	a := &Approvals{Seed: []byte("seed")}
	for _, want := range []string{"[]", "[one[]]", "[one[] two[]]"} {
		if err := run(a, func() {}); fmt.Sprint(wrote) != want || (err == nil) != (len(wrote) == 2) {
			t.Fatalf("wrote %v, %v, want %s", wrote, err, want)
		}
		if a.Pending() != nil {
			a = a.Next()
		}
	}
	wrote, a = nil, &Approvals{Seed: []byte("seed")}
	leave, err := a.enterOrder(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer leave()
	if err := run(a, nil); !errors.Is(err, context.Canceled) || a.Pending() != nil || len(wrote) > 0 {
		t.Errorf("given up while it waited: %v, pending %v, wrote %v", err, a.Pending(), wrote)
	}
}

// An answer that is too long to be kept is reported as the answer of a call that was made.
func TestApprovedTooLong(t *testing.T) {
	v := New(Options{})
	defer v.Close()
	e := Effect{Body: appendRESP(nil, strings.Repeat("x", maxEffects+1))}
	if _, err := e.result(v); err == nil || !strings.Contains(err.Error(), "the call was made") {
		t.Errorf("%v", err)
	}
	s := serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, maxEffects+1)) })
	p := policyOf(t, fmt.Sprintf("version: 1\nhttp: [{hosts: [%q], methods: [POST]}]\nfunctions: {redis.call: approve}\n", strings.TrimPrefix(s.URL, "http://")))
	_, err := eval(t, Options{Policy: p, Approvals: &Approvals{}, Memory: 256 << 20, Globals: map[string]any{"U": s.URL}}, `http.post(U, "x")`)
	if err == nil || !strings.Contains(err.Error(), "was sent and answered with status 200") {
		t.Errorf("%v", err)
	}
}

// Replies of Redis are kept as they were.
func TestAppendRESP(t *testing.T) {
	v := New(Options{})
	defer v.Close()
	for _, want := range []any{nil, "", "a\r\nb\xff", int64(-4), []any{"x", int64(1), nil, []any{}, redisError("ERR x")}} {
		e := Effect{Body: appendRESP(nil, want)}
		got, err := e.result(v)
		if fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) || err != nil {
			t.Errorf("%#v, %v, want %#v", got, err, want)
		}
	}
}
