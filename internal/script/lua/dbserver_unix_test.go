//go:build unix && !slim

package lua

import (
	"bytes"
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

// unprivileged lets a command run as somebody who is not root, whom servers
// refuse, and gives that somebody dir.
func unprivileged(t *testing.T, dir string) func(*exec.Cmd) *exec.Cmd {
	t.Helper()
	if os.Getuid() != 0 {
		return func(c *exec.Cmd) *exec.Cmd { return c }
	}
	u, err := user.Lookup("nobody")
	if err != nil {
		t.Skip("there is no user to run a server as")
	}
	uid, errU := strconv.Atoi(u.Uid)
	gid, errG := strconv.Atoi(u.Gid)
	if errU != nil || errG != nil {
		t.Skip("there is no user to run a server as")
	}
	if err := os.Chown(dir, uid, gid); err != nil {
		t.Fatal(err)
	}
	return func(c *exec.Cmd) *exec.Cmd {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
		c.Dir = dir
		return c
	}
}

// scratch returns a folder that another user may reach, with a short name: the
// path of a socket has room for no other.
func scratch(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "lua")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// start starts a server and waits until it answers on its port.
func start(t *testing.T, cmd *exec.Cmd, port int, quit os.Signal) {
	t.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(quit)
		select {
		case <-done:
		case <-time.After(time.Minute):
			_ = cmd.Process.Kill()
			<-done
		}
	})
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		select {
		case err := <-done:
			done <- err
			t.Skipf("the server does not run here: %v\n%s", err, out.String())
		default:
		}
		if conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
			conn.Close()
			return
		}
	}
	t.Fatalf("the server does not answer:\n%s", out.String())
}

func TestPostgreSQL(t *testing.T) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(found) == 0 {
		t.Skip("PostgreSQL is not installed")
	}
	bin, dir, port := found[len(found)-1], scratch(t), free(t)
	as := unprivileged(t, dir)
	data := filepath.Join(dir, "data")
	if out, err := as(exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync")).CombinedOutput(); err != nil {
		t.Skipf("initdb does not run here: %v\n%s", err, out)
	}
	start(t, as(exec.Command(filepath.Join(bin, "postgres"), "-D", data, "-k", dir, "-p", strconv.Itoa(port), "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=8")), port, os.Interrupt)
	url := fmt.Sprintf("postgres://tester@127.0.0.1:%d/postgres", port)
	waitSQL(t, url)
	testPostgres(t, url)
	testReading(t, url, fmt.Sprintf("127.0.0.1:%d", port))
}

// waitSQL waits until a server that listens also talks.
func waitSQL(t *testing.T, url string) {
	t.Helper()
	var err error
	for range 200 {
		if _, err = eval(t, Options{}, `db.query(db.connect("`+url+`"), "SELECT 1")`); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatal(err)
}

func TestMariaDB(t *testing.T) {
	server, err := exec.LookPath("mariadbd")
	if err != nil {
		if server, err = exec.LookPath("/usr/sbin/mariadbd"); err != nil {
			t.Skip("MariaDB is not installed")
		}
	}
	dir, port := scratch(t), free(t)
	as := unprivileged(t, dir)
	data := filepath.Join(dir, "data")
	if out, err := as(exec.Command("mariadb-install-db", "--no-defaults", "--datadir="+data, "--auth-root-authentication-method=normal", "--skip-test-db")).CombinedOutput(); err != nil {
		t.Skipf("mariadb-install-db does not run here: %v\n%s", err, out)
	}
	start(t, as(exec.Command(server, "--no-defaults", "--datadir="+data, "--socket="+filepath.Join(dir, "s"), "--bind-address=127.0.0.1", fmt.Sprintf("--port=%d", port), "--innodb-flush-log-at-trx-commit=0", "--pid-file="+filepath.Join(dir, "pid"))), port, syscall.SIGTERM)
	url := fmt.Sprintf("mysql://root@127.0.0.1:%d/mysql", port)
	waitSQL(t, url)
	testMySQL(t, url)
	testReadingMySQL(t, url, fmt.Sprintf("127.0.0.1:%d", port))
}
