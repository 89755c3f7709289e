package lua

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestSQLite(t *testing.T) {
	o := options(t)
	src := `
local c = db.connect("sqlite:data.db?mode=rwc")
db.execute(c, "CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, r REAL, s TEXT, b BOOLEAN, d DATE, ts DATETIME, x BLOB, any)")
local r1 = db.execute(c, "INSERT INTO t (n, r, s, b, d, ts, x, any) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", {9007199254740993, 1.5, "é", true, "2024-01-02", "2024-01-02 03:04:05", "raw", 7})
local r2 = db.execute(c, "INSERT INTO t (n, s) VALUES (?, ?), (?, ?)", table.pack(nil, "a", -1, nil))
local rows = db.query(c, "SELECT * FROM t ORDER BY id")
local agg = db.query(c, "SELECT count(*) AS n, avg(r) AS a, max(s), 'lit' AS l, NULL AS z FROM t WHERE id > ?", {0})[1]
local tx = db.execute(c, "BEGIN").rows_affected
db.execute(c, "DELETE FROM t") db.execute(c, "ROLLBACK")
local left = #db.query(c, "SELECT 1 FROM t")
db.close(c)
local again = db.connect("sqlite://data.db")
local n = db.query(again, "SELECT count(*) AS n FROM t")[1].n
local ok, err = pcall(db.execute, db.connect("sqlite:data.db?mode=ro"), "DELETE FROM t")
return {r1.rows_affected, r2.rows_affected, rows[1], rows[2], rows[3], agg, left, n, ok, err:match("readonly") or err, #db.query(again, "SELECT 1 WHERE 0"), pcall(db.query, c, "SELECT 1")}`
	got, err := eval(t, o, src)
	if err != nil {
		t.Fatal(err)
	}
	want := array{
		int64(1), int64(2),
		object{"id": int64(1), "n": int64(9007199254740993), "r": 1.5, "s": "é", "b": true, "d": "2024-01-02", "ts": "2024-01-02 03:04:05", "x": "raw", "any": int64(7)},
		object{"id": int64(2), "s": "a"}, object{"id": int64(3), "n": int64(-1)},
		object{"n": int64(3), "a": 1.5, "max(s)": "é", "l": "lit"}, int64(3), int64(3), false, "readonly", int64(0), false, "db.query: sql: database is closed",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "data.db")); err != nil {
		t.Error(err)
	}
}

func TestSQLiteStops(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	vm := New(Options{})
	defer vm.Close()
	_, err := vm.Run(ctx, "t", []byte(`db.query(db.connect("sqlite::memory:"), "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT sum(x) FROM c")`))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	_, err = eval(t, Options{Memory: 8 << 20}, `db.query(db.connect("sqlite::memory:"), "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c")`)
	if err == nil || !strings.Contains(err.Error(), "the result is larger than") {
		t.Error(err)
	}
}

// What a script of unknown origin keeps in a database counts, though it is not the
// VM's.
func TestSQLiteBounded(t *testing.T) {
	for src, want := range map[string]string{
		`db.execute(d, "CREATE TABLE t (x)") for i = 1, 200 do db.execute(d, "INSERT INTO t VALUES (zeroblob(100000))") end`:             "full",
		`db.execute(d, "CREATE TEMP TABLE t (x)") for i = 1, 200 do db.execute(d, "INSERT INTO t VALUES (zeroblob(100000))") end`:        "full",
		`return db.query(d, "SELECT length(hex(zeroblob(50000000))) AS n")`:                                                              "too big",
		`db.execute(d, "CREATE TABLE t (x)") db.execute(d, "UPDATE sqlite_dbpage SET data = zeroblob(4096) WHERE pgno = 2")`:             "read-only",
		`for i = 1, 9 do db.connect("sqlite::memory:") end`:                                                                              "no more than",
		`db.execute(d, "CREATE TABLE t (x)") db.execute(d, "INSERT INTO t VALUES ($1)", {7}) return db.query(d, "SELECT x FROM t")[1].x`: "",
	} {
		got, err := eval(t, Options{Policy: &Policy{}, Memory: 8 << 20}, `local d = db.connect("sqlite::memory:") `+src)
		switch {
		case want == "" && (err != nil || fmt.Sprint(got) != "7"):
			t.Errorf("%s: %v, %v", src, got, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, %v, want %q", src, got, err, want)
		}
	}
}

// postgres is what is asked of a real server.
const postgresScript = `
local c = db.connect(URL)
db.execute(c, "CREATE TABLE t (id serial PRIMARY KEY, b bool, i2 int2, i4 int4, i8 int8, f4 float4, f8 float8, n numeric, s text, j jsonb, u uuid, ts timestamptz, a int[], y bytea)")
local ins = db.execute(c, "INSERT INTO t (b, i2, i4, i8, f4, f8, n, s, j, u, ts, a, y) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
  {true, 7, -8, 9007199254740993, 1.5, 3, 12.25, "é", '{"k": [1]}', "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "2024-01-02T03:04:05Z", "{1,2}", "\\x6869"})
local row = db.query(c, "SELECT b, i2, i4, i8, f4, f8, n, s, j, u, ts AT TIME ZONE 'UTC' AS ts, a, encode(y, 'escape') AS y, y AS raw, NULL AS z FROM t")[1]
local p = db.query(c, "SELECT $1 AS i, $2 AS f, $3 AS b, $4::text AS s, $5::int AS n, $6 AS big, $1 + 1 AS sum", {5, 2.5, false, "x", nil, 5000000000})[1]
local upd = db.execute(c, "UPDATE t SET f8 = $1, n = $2, s = $3 WHERE i8 = $4", {4, 7, "new", 9007199254740993}).rows_affected
local multi = db.execute(c, "INSERT INTO t (i4) VALUES (1), (2); INSERT INTO t (i4) VALUES (3)").rows_affected
db.execute(c, "BEGIN") db.execute(c, "DELETE FROM t") local during = #db.query(c, "SELECT 1 FROM t") db.execute(c, "ROLLBACK")
local after = #db.query(c, "SELECT 1 FROM t")
local hs, order = {}, {}
for i = 1, 8 do hs[i] = async.spawn(function() return db.query(c, "SELECT $1 AS v, pg_sleep(0.05)", {i})[1].v end) end
local sum = 0 for _, h in ipairs(hs) do sum = sum + h.await()[1] end
local errs = {}
for _, sql in ipairs({"SELECT * FROM nowhere", "SELEC", "SELECT 1; SELECT 2", "SELECT $1::int"}) do errs[#errs + 1] = select(2, pcall(db.query, c, sql)):match("SQLSTATE (%w+)") end
local dup = select(2, pcall(db.execute, c, "INSERT INTO t (id) VALUES (1)"))
local inf = db.query(c, "SELECT 'NaN'::float8 AS nan, 'Infinity'::float8 AS inf, 1/3.0 AS third")[1]
local none = #db.query(c, "SELECT 1 WHERE false")
db.close(c)
local closed = select(2, pcall(db.query, c, "SELECT 1")):match("closed")
return {ins.rows_affected, row, p, upd, multi, during, after, sum, errs, dup:match("db.execute: .*duplicate key.*23505") ~= nil, inf.nan ~= inf.nan, inf.inf, inf.third:sub(1, 6), none, closed}`

func testPostgres(t *testing.T, url string) {
	got, err := eval(t, Options{Globals: map[string]any{"URL": url}}, postgresScript)
	if err != nil {
		t.Fatal(err)
	}
	want := array{
		int64(1),
		object{"b": true, "i2": int64(7), "i4": int64(-8), "i8": int64(9007199254740993), "f4": 1.5, "f8": 3.0, "n": "12.25", "s": "é", "j": `{"k": [1]}`, "u": "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "ts": "2024-01-02 03:04:05", "a": "{1,2}", "y": "hi", "raw": "hi"},
		object{"i": int64(5), "f": 2.5, "b": false, "s": "x", "big": int64(5000000000), "sum": int64(6)},
		int64(1), int64(3), int64(0), int64(4), int64(36), array{"42P01", "42601", "42601", "08P01"}, true, true, math.Inf(1), "0.3333", int64(0), "closed",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	vm := New(Options{})
	defer vm.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if _, err := vm.Run(ctx, "t", []byte(`db.query(db.connect(...), "SELECT pg_sleep(600)")`), url); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	_, err = eval(t, Options{Memory: 4 << 20}, `db.query(db.connect("`+url+`"), "SELECT repeat('x', 1000) FROM generate_series(1, 100000)")`)
	if err == nil || !strings.Contains(err.Error(), "the result is larger than") {
		t.Error(err)
	}
	_, err = eval(t, Options{}, `db.connect("postgres://u:hunter22@127.0.0.1:1/x")`)
	if err == nil || !strings.Contains(err.Error(), "db.connect: ") || strings.Contains(err.Error(), "hunter22") {
		t.Error(err)
	}
}

const mysqlScript = `
local c = db.connect(URL)
db.execute(c, "CREATE TABLE t (id INT PRIMARY KEY AUTO_INCREMENT, i TINYINT, i8 BIGINT, u8 BIGINT UNSIGNED, f FLOAT, d DOUBLE, n DECIMAL(10,2), s VARCHAR(20), ts DATETIME, j TEXT, y YEAR)")
local ins = db.execute(c, "INSERT INTO t (i, i8, u8, f, d, n, s, ts, j, y) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", {1, 9007199254740993, "18446744073709551615", 1.5, 2.25, 12.5, "é", "2024-01-02 03:04:05", nil, 2024})
local bin = db.query(c, "SELECT * FROM t WHERE i = ?", {1})[1]
local txt = db.query(c, "SELECT * FROM t")[1]
db.execute(c, "BEGIN") db.execute(c, "DELETE FROM t") db.execute(c, "ROLLBACK")
local n = db.query(c, "SELECT count(*) AS n FROM t")[1].n
local hs = {} for i = 1, 8 do hs[i] = async.spawn(function() return db.query(c, "SELECT ? + 0 AS v, SLEEP(0.05)", {i})[1].v end) end
local sum = 0 for _, h in ipairs(hs) do sum = sum + h.await()[1] end
local err = select(2, pcall(db.query, c, "SELECT * FROM nowhere")):match("db.query: Error 1146")
db.close(c)
return {ins.rows_affected, bin, json.encode(bin) == json.encode(txt), n, sum, err}`

func testMySQL(t *testing.T, url string) {
	got, err := eval(t, Options{Globals: map[string]any{"URL": url}}, mysqlScript)
	if err != nil {
		t.Fatal(err)
	}
	want := array{
		int64(1),
		object{"id": int64(1), "i": int64(1), "i8": int64(9007199254740993), "u8": "18446744073709551615", "f": 1.5, "d": 2.25, "n": "12.50", "s": "é", "ts": "2024-01-02 03:04:05", "y": int64(2024)},
		true, int64(1), int64(36), "db.query: Error 1146",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
