//go:build unix && !slim

package lua

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// grants are the settings of a policy, each as a change of one that has none of them.
var grants = []struct {
	name string
	set  func(p *Policy, hosts []string, scratch string)
}{
	{"hosts", func(p *Policy, hosts []string, _ string) { p.Hosts = hosts }},
	{"method GET", func(p *Policy, _ []string, _ string) { p.Methods = append(p.Methods, "GET") }},
	{"method POST", func(p *Policy, _ []string, _ string) { p.Methods = append(p.Methods, "POST") }},
	{"env", func(p *Policy, _ []string, _ string) { p.Env = []string{"A"} }},
	{"scratch", func(p *Policy, _ []string, scratch string) { p.Scratch = scratch }},
	{"write db", func(p *Policy, _ []string, _ string) { p.WriteDB = true }},
	{"write ws", func(p *Policy, _ []string, _ string) { p.WriteWS = true }},
	{"read only", func(p *Policy, _ []string, _ string) { p.ReadOnly = true }},
}

// capabilities are what a script can reach, with the settings that name it: no other setting may
// make a difference, and each of these has to be there.
var capabilities = []struct {
	src   string
	needs []string
}{
	{`return http.get(U).status`, []string{"hosts"}},
	{`return http.head(U).status`, []string{"hosts"}},
	{`return http.post(U, "x").status`, []string{"hosts", "method POST"}},
	{`return http.put(U, "x").status`, []string{"never"}},
	{`return http.client({proxy = U}):get(U).status`, []string{"hosts"}},
	{`http.client({insecure_skip_verify = true})`, []string{"never"}},
	{`http.serve(0, {})`, []string{"never"}},
	{`if not env.get("A") then error("the policy") end`, []string{"env"}},
	{`if not env.get("HOME") then error("the policy") end`, []string{"never"}},
	{`fs.write("x", "y") fs.read("x")`, []string{"scratch"}},
	{`fs.read("/etc/hostname")`, []string{"never"}},
	{`ws.connect((U:gsub("^http", "ws")))`, []string{"hosts", "write ws"}},
	{`redis.connect("redis://" .. R)`, []string{"hosts"}},
	{`redis.call(redis.connect("redis://" .. R), "GET", "k")`, []string{"hosts"}},
	{`redis.call(redis.connect("redis://" .. R), "object", "encoding", "k")`, []string{"hosts"}},
	{`redis.call(redis.connect("redis://" .. R), "SET", "k", "v")`, []string{"hosts", "write db"}},
	{`redis.call(redis.connect("redis://" .. R), "flushall")`, []string{"hosts", "write db"}},
	{`redis.call(redis.connect("redis://" .. R), "EVAL", "return redis.call('SET', 'k', 1)", 0)`, []string{"never"}},
	{`redis.call(redis.connect("redis://" .. R), "GETDEL", "k")`, []string{"hosts", "write db"}},
	{`redis.call(redis.connect("redis://" .. R), "PUBLISH", "k", "v")`, []string{"hosts", "write db"}},
	{`redis.call(redis.connect("redis://" .. R), "SORT", "k", "STORE", "l")`, []string{"hosts", "write db"}},
	{`redis.call(redis.connect("redis://" .. R), "OBJECT", "x")`, []string{"hosts", "write db"}},
	{`redis.call(redis.connect("redis://" .. R), "NEWCOMMAND", "x")`, []string{"hosts", "write db"}},
	{`redis.call(redis.connect("redis://" .. R), "CONFIG", "GET", "dir")`, []string{"never"}},
	{`redis.call(redis.connect("redis://" .. R), "MODULE", "LOAD", "x")`, []string{"never"}},
	{`db.connect("postgres://u@" .. C .. "/x")`, []string{"hosts"}},
	{`db.connect("mysql://u@" .. C .. "/x")`, []string{"hosts"}},
	{`db.execute(db.connect("sqlite::memory:"), "CREATE TABLE t (x)")`, nil},
	{`db.execute(db.connect("sqlite::memory:"), "ATTACH 'x' AS y")`, []string{"never"}},
	{`db.query(db.connect("sqlite::memory:"), "PRAGMA journal_mode")`, []string{"never"}},
	{`db.query(db.connect("sqlite::memory:"), "SELECT * FROM pragma_database_list")`, []string{"never"}},
	{`db.connect("sqlite:x.db?mode=rwc")`, []string{"never"}},
}

// TestPolicySettingsOnlyNarrow runs what a script can reach under every set of settings. No setting
// allows what was refused without it, unless the setting names that very thing.
func TestPolicySettingsOnlyNarrow(t *testing.T) {
	s := serve(t, func(http.ResponseWriter, *http.Request) {})
	address := fakeRedis(t, map[string]string{"PING": "+PONG\r\n", "GET k": "$1\r\nv\r\n"})
	host, closed := strings.TrimPrefix(s.URL, "http://"), fmt.Sprintf("127.0.0.1:%d", free(t))
	scratch := t.TempDir()
	allowed := func(set int, src string) bool {
		p := &Policy{}
		for i, g := range grants {
			if set&(1<<i) != 0 {
				g.set(p, []string{host, address, closed}, scratch)
			}
		}
		o := Options{Policy: p, Env: func(string) (string, bool) { return "1", true }, Globals: map[string]any{"U": s.URL, "R": address, "C": closed}}
		_, err := eval(t, o, src)
		return err == nil || !strings.Contains(err.Error(), "policy") && !strings.Contains(err.Error(), "escapes")
	}
	for _, c := range capabilities {
		t.Run(c.src, func(t *testing.T) {
			result := make([]bool, 1<<len(grants))
			for set := range result {
				result[set] = allowed(set, c.src)
			}
			reached := false
			for set, ok := range result {
				reached = reached || ok
				for i, g := range grants {
					if with := set | 1<<i; with != set && !ok && result[with] && !slices.Contains(c.needs, g.name) && !strings.HasPrefix(g.name, "method") {
						t.Fatalf("%s allows it beside %s, without naming it", g.name, names(set))
					}
				}
				for _, need := range c.needs {
					i := slices.IndexFunc(grants, func(g struct {
						name string
						set  func(*Policy, []string, string)
					}) bool {
						return g.name == need
					})
					if ok && (i < 0 || set&(1<<i) == 0) {
						t.Fatalf("%s allow it without %s", names(set), need)
					}
				}
			}
			if reached == slices.Contains(c.needs, "never") {
				t.Errorf("allowed by any set of settings: %v", reached)
			}
		})
	}
}

func names(set int) string {
	var out []string
	for i, g := range grants {
		if set&(1<<i) != 0 {
			out = append(out, g.name)
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// statements are SQL as servers get it, with what is permitted of it where databases are read-only,
// and where writing to them is permitted.
var statements = []struct {
	sql         string
	read, write bool
}{
	{"SELECT 1", true, true},
	{" (select 1) union select 2", true, true},
	{"WITH x AS (SELECT 1) SELECT deleted, updated_at, language FROM x", true, true},
	{"VALUES (1)", true, true},
	{"TABLE t", true, true},
	{"SHOW CREATE TABLE t", true, true},
	{"EXPLAIN SELECT 1", true, true},
	{"SELECT * FROM pg_replication_slots", true, true},
	{"SELECT pg_size_pretty(pg_database_size('x'))", true, true},
	{"INSERT INTO t VALUES (1)", false, true},
	{"insert into films (language) values ('de')", false, true},
	{"UPDATE t SET x = 1", false, true},
	{"DELETE FROM t", false, true},
	{"WITH d AS (DELETE FROM t RETURNING x) SELECT * FROM d", false, true},
	{"WITH d AS (SELECT 1) INSERT\nINTO t SELECT * FROM d", false, true},
	{"SELECT * INTO u FROM t", false, true},
	{"EXPLAIN ANALYZE DELETE FROM t", false, true},
	{"EXPLAIN (ANALYZE, BUFFERS) SELECT f()", false, true},
	{"EXPLAIN ANALYSE VERBOSE SELECT 1", false, true},
	{"SELECT * FROM t FOR UPDATE", false, true},
	{"SELECT 1 LOCK IN SHARE MODE", false, true},
	{"SELECT nextval('s')", false, true},
	{"SELECT set_config('transaction_read_only', 'off', false)", false, true},
	{"SET TRANSACTION READ WRITE", false, true},
	{"COMMIT", false, true},
	{"SELECT 1; DELETE FROM t", false, true},
	{"SELECT pg_terminate_backend(1)", false, true},
	{`SELECT "pg_terminate_backend"/**/(1)`, false, true},
	{"SELECT pg_notify('a', 'b')", false, true},
	{"SELECT lo_create(0)", false, true},
	{"CREATE TABLE t (x int)", false, true},
	{"TRUNCATE t", false, true},
	{"CALL p()", false, true},
	{"DO $$ BEGIN DELETE FROM t; END $$", false, true},
	{"REPLACE INTO t VALUES (1)", false, true},
	{"-- read\nDELETE FROM t", false, true},
	{"", false, true},
	{"COPY t TO PROGRAM 'sh'", false, false},
	{"DO $$ BEGIN EXECUTE 'co' || 'py t to program ''sh'''; END $$", false, false},
	{"DO LANGUAGE plpythonu $$ $$", false, false},
	{"CREATE FUNCTION f() RETURNS int AS 'x' LANGUAGE c", false, false},
	{"CREATE EXTENSION file_fdw", false, false},
	{"ALTER/**/SYSTEM SET x = 1", false, false},
	{"EXECUTE IMMEDIATE 'x'", false, false},
	{"SELECT * FROM dblink('host=x', 'SELECT 1')", false, false},
	{"SELECT pg_read_file('/etc/passwd')", false, false},
	{`SELECT U&"pg\005fread_file"('/etc/passwd')`, false, false},
	{"SELECT LOAD_FILE('/etc/passwd')", false, false},
	{"SELECT 1 INTO OUTFILE '/tmp/x'", false, false},
	{"SELECT 1 /*!50000INTO OUTFILE '/tmp/x' */", false, false},
	{"SELECT 1 /*M!INTO @x */", false, false},
}

func TestPolicyStatements(t *testing.T) {
	readers := []*Policy{{}, {Methods: []string{"GET", "POST"}}, {WriteWS: true}, {WriteDB: true, ReadOnly: true}}
	writer := &Policy{WriteDB: true}
	for _, s := range statements {
		for _, p := range readers {
			if err := p.permitStatement(s.sql, true); (err == nil) != s.read {
				t.Errorf("%+v, %s: %v, want permitted %v", *p, s.sql, err, s.read)
			}
		}
		if err := writer.permitStatement(s.sql, true); (err == nil) != s.write {
			t.Errorf("writing, %s: %v, want permitted %v", s.sql, err, s.write)
		}
		if err := (*Policy)(nil).permitStatement(s.sql, true); err != nil {
			t.Errorf("without a policy, %s: %v", s.sql, err)
		}
	}
}

// A redis connection is no way to send a request to a server of HTTP by a method that is not permitted.
func TestRedisGreets(t *testing.T) {
	var asked []string
	s := serve(t, func(_ http.ResponseWriter, r *http.Request) { asked = append(asked, r.Method) })
	host := strings.TrimPrefix(s.URL, "http://")
	o := Options{Policy: &Policy{Hosts: []string{host}, WriteDB: true}}
	_, err := eval(t, o, `redis.call(redis.connect("redis://:x%0D%0APOST%20%2F%20HTTP%2F1.0%0D%0A%0D%0A@`+host+`"), "GET", "\r\nPOST / HTTP/1.0\r\n\r\n")`)
	if err == nil || !strings.Contains(err.Error(), "does not speak Redis's protocol") || len(asked) > 0 {
		t.Errorf("%v, %v", err, asked)
	}
}

// testReading runs statements of which each writes, past the check of their words, at a server.
func testReading(t *testing.T, url, host string) {
	if _, err := eval(t, Options{}, `db.execute(db.connect("`+url+`"), "CREATE TABLE kept (x int); INSERT INTO kept VALUES (1); CREATE FUNCTION wipe() RETURNS int AS 'DELETE FROM kept; SELECT 1' LANGUAGE sql")`); err != nil {
		t.Fatal(err)
	}
	o := Options{Policy: &Policy{Hosts: []string{host}, Methods: []string{"GET", "POST"}}}
	for src, want := range map[string]string{
		`return db.query(c, "SELECT x FROM kept WHERE x = $1", {1})[1].x`: "1",
		`return db.execute(c, "SELECT x FROM kept").rows_affected`:        "1",
		`db.query(c, "SELECT wipe()")`:                                    "read-only transaction",
		`db.execute(c, "DELETE FROM kept")`:                               "databases are read-only",
	} {
		got, err := eval(t, o, `local c = db.connect("`+url+`") `+src)
		if text := fmt.Sprint(got, err); !strings.Contains(text, want) {
			t.Errorf("%s: %s, want %s", src, text, want)
		}
	}
	o.Policy.WriteDB = true
	if got, err := eval(t, o, `local c = db.connect("`+url+`") return db.execute(c, "DELETE FROM kept WHERE x = 1").rows_affected`); err != nil || fmt.Sprint(got) != "1" {
		t.Errorf("%v, %v", got, err)
	}
}

// testReadingMySQL does the same at a server of MySQL's protocol, with an engine that rolls nothing back.
func testReadingMySQL(t *testing.T, url, host string) {
	for _, sql := range []string{
		"CREATE DATABASE reading", "CREATE TABLE reading.kept (x int) ENGINE=InnoDB", "INSERT INTO reading.kept VALUES (1)",
		"CREATE TABLE reading.flat (x int) ENGINE=MyISAM", "INSERT INTO reading.flat VALUES (1)",
		"CREATE FUNCTION reading.wipe() RETURNS int BEGIN DELETE FROM reading.kept; RETURN 1; END",
		"CREATE FUNCTION reading.wipe_flat() RETURNS int BEGIN DELETE FROM reading.flat; RETURN 1; END",
		"CREATE PROCEDURE reading.wiping() DELETE FROM reading.kept",
	} {
		if _, err := eval(t, Options{}, `db.execute(db.connect("`+url+`"), "`+sql+`")`); err != nil {
			t.Fatal(sql, err)
		}
	}
	o := Options{Policy: &Policy{Hosts: []string{host}, Methods: []string{"GET", "POST"}}}
	for src, want := range map[string]string{
		`return db.query(c, "SELECT x FROM reading.kept WHERE x = ?", {1})[1].x`: "1",
		`db.query(c, "SELECT reading.wipe()")`:                                   "READ ONLY transaction",
		`db.query(c, "SELECT reading.wipe_flat()")`:                              "READ ONLY transaction",
		`db.query(c, "CALL reading.wiping()")`:                                   "databases are read-only",
		`db.execute(c, "DELETE FROM reading.kept")`:                              "databases are read-only",
		`db.execute(c, "/*!50000 DELETE FROM reading.kept */")`:                  "the policy permits no /*!",
		`db.query(c, "SELECT 1; DELETE FROM reading.kept")`:                      "databases are read-only",
	} {
		got, err := eval(t, o, `local c = db.connect("`+url+`") `+src)
		if text := fmt.Sprint(got, err); !strings.Contains(text, want) {
			t.Errorf("%s: %s, want %s", src, text, want)
		}
	}
	const rows = `return db.query(c, "SELECT (SELECT count(*) FROM reading.kept) + (SELECT count(*) FROM reading.flat) AS n")[1].n`
	if n, err := eval(t, o, `local c = db.connect("`+url+`") `+rows); err != nil || fmt.Sprint(n) != "2" {
		t.Errorf("%v rows are left of 2, %v", n, err)
	}
	o.Policy.WriteDB = true
	if got, err := eval(t, o, `local c = db.connect("`+url+`") return db.execute(c, "DELETE FROM reading.kept").rows_affected`); err != nil || fmt.Sprint(got) != "1" {
		t.Errorf("%v, %v", got, err)
	}
}
