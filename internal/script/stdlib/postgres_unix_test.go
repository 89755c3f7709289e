//go:build unix

package stdlib_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// TestPostgres runs the module against a server of its own, where PostgreSQL is installed.
func TestPostgres(t *testing.T) {
	port := startPostgres(t, "p@ss:/?#w%rd")
	out, log := runLua(t, newServer(t), map[string]string{"PGPORT": strconv.Itoa(port)}, `
local postgres, port = require("assay.postgres"), tonumber(env.get("PGPORT"))
local c = postgres.client("127.0.0.1", port, "ad min", "p@ss:/?#w%rd")
local out = {}
local function check(name, got, want)
  if got ~= want then out[#out + 1] = name .. " is " .. tostring(got) .. ", want " .. tostring(want) end
end
check("new user", c:ensure_user('we"ird', "it's \\ secret", {createdb = true}), true)
check("old user", c:ensure_user('we"ird', "other"), false)
check("user", c:user_exists('we"ird'), true)
check("no user", c:user_exists("nobody' OR 'x' = 'x"), false)
check("new database", c:ensure_database("d b", 'we"ird'), true)
check("old database", c:ensure_database("d b"), false)
check("database", c:database_exists("d b"), true)
c:grant("d b", "ad min", "CONNECT, TEMPORARY")
c:grant("d b", "ad min")
local w = postgres.client("127.0.0.1", port, 'we"ird', "it's \\ secret", "d b")
check("owner", w:query("SELECT current_user AS u")[1].u, 'we"ird')
w:execute("CREATE TABLE t (n bigint, s text)")
check("rows affected", w:execute("INSERT INTO t VALUES ($1, $2), (2, NULL)", {9007199254740993, "x"}).rows_affected, 2)
local rows = w:query("SELECT * FROM t WHERE n > $1 ORDER BY n", {0})
check("rows", #rows, 2)
check("NULL", rows[1].s, nil)
check("bigint", tostring(rows[2].n), "9007199254740993")
check("wrong password", pcall(postgres.client, "127.0.0.1", port, 'we"ird', "other"), false)
w:close()
check("closed", pcall(w.query, w, "SELECT 1"), false)
c:close()
return table.concat(out, "\n")`)
	if out[0] != "" {
		t.Errorf("%s\n%s", out[0], log)
	}
}

// startPostgres starts a server on a port of this machine whose superuser is "ad min".
func startPostgres(t *testing.T, password string) (port int) {
	bin, err := exec.LookPath("initdb")
	if err == nil {
		bin, err = filepath.EvalSymlinks(bin)
	} else if found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb"); len(found) > 0 {
		bin, err = found[len(found)-1], nil
	}
	if err != nil {
		t.Skip("PostgreSQL is not installed")
	}
	dir, err := os.MkdirTemp("", "postgres")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	attr := &syscall.SysProcAttr{}
	if os.Getuid() == 0 { // the server refuses to be root
		u, err := user.Lookup("nobody")
		if err != nil {
			t.Skip(err)
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Skip(err)
		}
		attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	run := func(name string, args ...string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, filepath.Join(filepath.Dir(bin), name), args...)
		cmd.Dir, cmd.SysProcAttr = dir, attr
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port = l.Addr().(*net.TCPAddr).Port
	l.Close()
	secret, data := filepath.Join(dir, "password"), filepath.Join(dir, "data")
	if err := os.WriteFile(secret, []byte(password), 0o644); err != nil {
		t.Fatal(err)
	}
	run("initdb", "-D", data, "-U", "ad min", "-A", "scram-sha-256", "--pwfile", secret, "-E", "UTF8", "--no-locale", "--no-sync")
	options := fmt.Sprintf("-h 127.0.0.1 -p %d -k %s -c fsync=off", port, dir)
	run("pg_ctl", "-D", data, "-o", options, "-l", filepath.Join(dir, "log"), "-w", "-t", "50", "start")
	t.Cleanup(func() { run("pg_ctl", "-D", data, "-m", "immediate", "stop") })
	return port
}
