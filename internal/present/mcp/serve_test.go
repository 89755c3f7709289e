package mcp_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

func openFakes(mcp.Sources) ([]op.Op, error) { return fakes(), nil }

// run runs serve over stdio with input.
func run(t *testing.T, open mcp.Opener, input string, args ...string) (out, errOut string, err error) {
	t.Helper()
	var o, e bytes.Buffer
	err = mcp.Run(t.Context(), mcp.Service{Open: open, Version: "test"}, args, strings.NewReader(input), &o, &e)
	return o.String(), e.String(), err
}

func TestUsage(t *testing.T) {
	for _, flag := range []string{"--help", "-h"} {
		out, errOut, err := run(t, openFakes, "", flag)
		if err != nil || out != mcp.Usage || errOut != "" {
			t.Errorf("%s: %q %q %v", flag, out, errOut, err)
		}
	}
	golden(t, "testdata/serve.txt", []byte(mcp.Usage))
	lines := strings.Split(mcp.Usage, "\n")
	if len(lines) > 40 || slices.ContainsFunc(lines, func(s string) bool { return len(s) > 80 }) {
		t.Error("the help does not fit a screen of 80 by 40")
	}
}

func TestRunStdio(t *testing.T) {
	out, errOut, err := run(t, openFakes, hello+"\n"+ready+"\n"+callLine(1, "find_words", `{"query":"alpha"}`)+"\n"+callLine(2, "panic", `{}`))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 3 || slices.ContainsFunc(lines, func(s string) bool { return !strings.HasPrefix(s, `{"jsonrpc":"2.0","id":`) }) {
		t.Errorf("output:\n%s", out)
	}
	if !strings.Contains(errOut, "panic in panic") || strings.Count(errOut, "assay: ") != 1 {
		t.Errorf("for the person:\n%s", errOut)
	}
	if out, errOut, err := run(t, openFakes, ""); out != "" || errOut != "" || err != nil {
		t.Errorf("no input: %q %q %v", out, errOut, err)
	}
}

func TestRunSources(t *testing.T) {
	t.Chdir(t.TempDir())
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	sub, db := filepath.Join(here, "sub"), filepath.Join(here, "docs.db")
	if err := errors.Join(os.Mkdir(sub, 0o777), os.WriteFile(db, nil, 0o666), os.WriteFile(filepath.Join(sub, "b.db"), nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	var got mcp.Sources
	open := func(from mcp.Sources) ([]op.Op, error) { got = from; return fakes(), nil }
	_, _, err = run(t, open, "", "--root", "sub", "--db=sub/b.db", "--root=.", "--root", sub, "--db", "docs.db", "--db", db)
	if want := (mcp.Sources{Roots: []string{sub, here}, DBs: []string{filepath.Join(sub, "b.db"), db}}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("sources %+v, %v, want %+v", got, err, want)
	}
	if _, _, err := run(t, open, ""); err != nil || !reflect.DeepEqual(got, mcp.Sources{}) {
		t.Errorf("without --root and --db: %+v, %v", got, err)
	}
	failed := errors.New("no index")
	if _, _, err := run(t, func(mcp.Sources) ([]op.Op, error) { return nil, failed }, ""); !errors.Is(err, failed) {
		t.Errorf("error %v, want %v", err, failed)
	}
}

// TestRunNames sees what a server calls itself, and that it speaks only of what it
// serves.
func TestRunNames(t *testing.T) {
	svc := mcp.Service{Open: openFakes, Version: "test", Instructions: map[string]string{"mcp_test": "Call find_words first.", "other": "Never said."}}
	for _, tc := range []struct{ name, want string }{
		{"", `"instructions":"Call find_words first.","protocolVersion":"2025-06-18","serverInfo":{"name":"assay","version":"test"}`},
		{"context7-local", `"serverInfo":{"name":"context7-local","version":"test"}`},
	} {
		svc.Name = tc.name
		var out bytes.Buffer
		if err := mcp.Run(t.Context(), svc, nil, strings.NewReader(hello), &out, io.Discard); err != nil || !strings.Contains(out.String(), tc.want) {
			t.Errorf("%q: %v %s, want %s", tc.name, err, out.String(), tc.want)
		}
	}
}

func TestRunTools(t *testing.T) {
	for _, tc := range []struct {
		args []string
		want string
	}{
		{nil, `"name":"exec"`},
		{[]string{"--tools", "mcp_test"}, `"name":"find_words"`},
		{[]string{"--tools", "mcp_test, mcp_test"}, `"name":"find_words"`},
	} {
		out, _, err := run(t, openFakes, hello+"\n"+listLine, tc.args...)
		if err != nil || strings.Count(out, tc.want) != 1 {
			t.Errorf("%q: %v\n%s", tc.args, err, out)
		}
	}
}

func TestRunErrors(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	short, two, empty := file("short", "secret-short"), file("two", "secret-1234567890 secret-1234567890"), file("empty", "\n")
	web := func(args ...string) []string { return append([]string{"--transport", "http"}, args...) }
	for _, tc := range []struct {
		args []string
		kind fault.Kind
		want string
		hint string
	}{
		{[]string{"--bogus"}, fault.Usage, "serve: flag provided but not defined: -bogus", "assay serve --help"},
		{[]string{"here"}, fault.Usage, `serve: unexpected argument "here"`, "assay serve --help"},
		{[]string{"--transport", "sse"}, fault.Usage, `--transport "sse" is neither stdio nor http`, "assay serve --help"},
		{web("--port", "x"), fault.Usage, `invalid value "x" for flag -port`, "assay serve --help"},
		{web("--port", "70000"), fault.Usage, "--port 70000 is not in 0..65535", "assay serve --help"},
		{[]string{"--timeout", "-1s"}, fault.Usage, "--timeout -1s is not positive", "assay serve --help"},
		{[]string{"--port", "3000"}, fault.Usage, "--port means nothing over stdio", "assay serve --help"},
		{web("--limit-per-address", "-1"), fault.Usage, "--limit-per-address -1 is below 0", "assay serve --help"},
		{[]string{"--limit-per-address", "8"}, fault.Usage, "--limit-per-address means nothing over stdio", "assay serve --help"},
		{[]string{"--token-file", short}, fault.Usage, "--token-file means nothing over stdio", "assay serve --help"},
		{[]string{"--root", ""}, fault.Usage, "it is empty", "assay serve --help"},
		{[]string{"--root", filepath.Join(dir, "absent")}, fault.NotFound, "absent: no such file or directory", "a folder that exists"},
		{[]string{"--root", short}, fault.NotFound, "is not a folder", "the folder that contains it"},
		{[]string{"--db", filepath.Join(dir, "absent.db")}, fault.NotFound, "absent.db: no such file or directory", "assay docs ingest"},
		{[]string{"--db", dir}, fault.NotFound, "is not a file", "assay docs ingest"},
		{[]string{"--exec-write", "db"}, fault.Usage, "--exec-write mean nothing without --allow-exec", "assay serve --help"},
		{[]string{"--allow-exec", "--tools", "+module", "--exec-write", "all"}, fault.Usage, "--exec-write all is neither db nor ws", "assay serve --help"},
		{[]string{"--tools", "code,nope"}, fault.Usage, `no tools called "code"`, "--tools takes: mcp_test"},
		{[]string{"--tools", ""}, fault.Usage, `no tools called ""`, "--tools takes: mcp_test"},
		{web("--token-file", filepath.Join(dir, "absent")), fault.NotFound, "token file", "chmod 600"},
		{web("--token-file", short), fault.Usage, "does not hold one token of 16 characters", "chmod 600"},
		{web("--token-file", two), fault.Usage, "does not hold one token", "chmod 600"},
		{web("--token-file", empty), fault.Usage, "does not hold one token", "chmod 600"},
		{web("--host", "0.0.0.0", "--port", "0"), fault.Usage, "anyone on the network", "--allow-host NAME"},
	} {
		_, _, err := run(t, openFakes, "", tc.args...)
		if err == nil || fault.KindOf(err) != tc.kind || !strings.Contains(err.Error(), tc.want) || !strings.Contains(fault.HintOf(err), tc.hint) {
			t.Errorf("%q: %v (%d) fix: %s", tc.args, err, fault.KindOf(err), fault.HintOf(err))
		}
		if err != nil && strings.Contains(err.Error(), "secret-") {
			t.Errorf("%q tells the token: %v", tc.args, err)
		}
	}
}

// TestRunHTTP sees that the command says where it listens, asks for the token it
// was given, and stops with its context.
func TestRunHTTP(t *testing.T) {
	const token = "0123456789abcdef0123"
	path := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(path, []byte(token+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	said := &said{lines: make(chan string, 10)}
	done := make(chan error, 1)
	go func() {
		done <- mcp.Run(ctx, mcp.Service{Open: openFakes, Version: "test"}, []string{"--transport=http", "--port=0", "--token-file", path}, strings.NewReader(""), said, said)
	}()
	line := said.next(t)
	if runtime.GOOS != "windows" {
		if !strings.Contains(line, "can be read by others") || strings.Contains(line, token) {
			t.Errorf("said %q", line)
		}
		line = said.next(t)
	}
	_, rest, _ := strings.Cut(line, "listening on ")
	addr, rest, _ := strings.Cut(rest, ",")
	if rest != " this machine only; for others --host 0.0.0.0 --allow-host NAME\n" {
		t.Errorf("said %q", line)
	}
	if res, _ := do(t, addr, request{"POST", "", listLine, nil}); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("without the token: %d", res.StatusCode)
	}
	if res, _ := do(t, addr, request{"POST", "", listLine, []string{"Authorization: Bearer " + token}}); res.StatusCode != http.StatusOK {
		t.Errorf("with the token: %d", res.StatusCode)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestRunOpen sees that a server for others may start without a token where its
// name is given, and what it says then. It listens nowhere: the address is nobody's.
func TestRunOpen(t *testing.T) {
	_, _, err := run(t, openFakes, "", "--transport=http", "--host", "192.0.2.1", "--port=0", "--allow-host", "docs.example.org")
	if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "cannot listen on 192.0.2.1:0") {
		t.Errorf("with a name: %v", err)
	}
	at := &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 3000}
	for _, tc := range []struct {
		token bool
		want  string
	}{
		{false, "listening on 192.0.2.1:3000\nwarning: anyone who reaches this machine can ask what it serves; --token-file FILE requires a token"},
		{true, "listening on 192.0.2.1:3000, for clients that present the token"},
	} {
		if got := strings.Join(mcp.Listening(at, tc.token), "\n"); got != tc.want {
			t.Errorf("token %v: %s", tc.token, got)
		}
	}
}

// said is what a command writes, a line at a time.
type said struct{ lines chan string }

func (s *said) Write(p []byte) (int, error) { s.lines <- string(p); return len(p), nil }

func (s *said) next(t *testing.T) string {
	t.Helper()
	select {
	case line := <-s.lines:
		return line
	case <-time.After(5 * time.Minute):
		t.Fatal("nothing said")
		return ""
	}
}
