//go:build unix

package lua

import (
	"context"
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
		v.opened = map[any]string{db: "postgres://db.example:1/x"}
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
	for _, other := range []string{`{"4"}`, `{5}`, `{4, 4}`, `{4.5}`} {
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
