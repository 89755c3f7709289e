package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Someone who has nothing but the program: a root without anything in it, a home, and no
// network, as a user of his own.
type newcomer struct{ root string }

const (
	somebody = 1000
	theHome  = "/home/me"
	project  = theHome + "/shop"
)

// A step is a command line of README, and what its answer must have.
type step struct {
	args  string // one argument a line
	stdin string
	has   string
	code  int
	asks  []call // of a client that speaks to it
}

// A call is of a tool, and what its answer must have.
type call struct {
	tool string
	args map[string]any
	has  string
}

var shop = map[string]string{
	"go.mod":      "module example.org/shop\n\ngo 1.24\n",
	"retry.go":    "package shop\n\n// Backoff waits before a request is sent again.\nfunc Backoff(n int) int { return n * n }\n",
	"order.go":    "package shop\n\n// Pay pays an order; a payment that fails is tried again.\nfunc Pay() int { return Backoff(2) }\n",
	"README.md":   "# Shop\n\nOrders are paid by `Pay`. Set `SHOP_RETRIES` to try more often.\n",
	"docs/pay.md": "# Payments\n\n## Refunds\n\nA refund takes two days:\n\n```go\nshop.Refund(order)\n```\n",
	"review.md":   "A failed payment is tried again: `func Pay() int { return Backoff(2) }` [" + project + "/order.go:4]\n",
	"check.lua":   "print(json.encode({ok = true}))\n",
}

// What a newcomer tries in ten minutes, in the order of README.
var minutes = []step{
	{args: "version", has: "assay"},
	{args: "search\nhow long before a request is sent again\n--files", has: "retry.go"},
	{args: "callers\nBackoff", has: `"Pay"`},
	{args: "brief\npay an order again after a failure", has: "order.go"},
	{args: "docs\ningest\n" + project + "/docs", has: "/local/docs"},
	{args: "docs\nquery\n/local/docs\nhow long does a refund take", has: "two days"},
	{args: "memory\nstore\n--title\nDatabase\n--category\ndecisions", stdin: "We chose PostgreSQL 16 for its partial indexes.\n", has: "stored: decisions"},
	{args: "memory\nsearch\nwhich database did we choose", has: "PostgreSQL 16"},
	{args: "check.lua", has: `{"ok":true}`},
	{args: "audit\ncite\nreview.md", has: "1 of 1"},
	{args: "audit\nghosts", has: "SHOP_RETRIES"},
	{args: "doctor", has: "documentation"},
	{args: "serve", asks: []call{
		{"brief", map[string]any{"task": "pay an order again after a failure"}, "order.go"},
		{"hybrid_search", map[string]any{"query": "wait before a request is sent again"}, "Backoff"},
		{"assay", map[string]any{"query_type": "callers", "pattern": "Backoff"}, "Pay"},
		{"resolve-library-id", map[string]any{"libraryName": "docs", "query": "refunds"}, "/local/docs"},
		{"query-docs", map[string]any{"libraryId": "/local/docs", "query": "how long does a refund take"}, "two days"},
		{"memory_store", map[string]any{"content": "Refunds are paid by hand until June."}, ""},
		{"memory_search", map[string]any{"query": "who pays refunds"}, "by hand until June"},
	}},
	{args: "setup\nclaude\n--memory", has: ".claude"},
	{args: "setup\nclaude\n--project\n--memory", has: ".mcp.json"},
	{args: "setup\n--uninstall\n--yes", has: ".mcp.json"},
}

// tenMinutes installs the program into an empty root, tries what README promises, removes
// everything as README says, and finds what is left behind.
func tenMinutes(program string) error {
	if os.Getuid() != 0 {
		return fmt.Errorf("-newcomer makes a root of its own, which only root may")
	}
	root, err := os.MkdirTemp("", "newcomer")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	n := newcomer{root}
	if err := n.furnish(program); err != nil {
		return err
	}
	before, err := n.files()
	if err != nil {
		return err
	}
	begun := time.Now()
	for _, s := range minutes {
		if err := n.try(s); err != nil {
			return err
		}
	}
	took := time.Since(begun)
	for _, folder := range []string{project + "/.assay", theHome + "/.local", theHome + "/.cache", theHome + "/.config"} {
		if err := os.RemoveAll(filepath.Join(root, folder)); err != nil {
			return err
		}
	}
	after, err := n.files()
	if err != nil {
		return err
	}
	if left := differing(before, after); len(left) > 0 {
		return fmt.Errorf("left behind or changed: %s", strings.Join(left, ", "))
	}
	fmt.Printf("a newcomer's %d steps in an empty root without a network took %v; nothing is left behind\n", len(minutes), took.Round(10*time.Millisecond))
	return nil
}

func (n newcomer) furnish(program string) error {
	text, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	for path, content := range shop {
		if err := n.put(project+"/"+path, []byte(content), 0o644); err != nil {
			return err
		}
	}
	if err := n.put("/bin/assay", text, 0o755); err != nil {
		return err
	}
	// A client that is there already, whose settings are the user's.
	if err := n.put(theHome+"/.claude.json", []byte("{\n  \"theme\": \"dark\"\n}\n"), 0o600); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(n.root, "tmp"), 0o777); err != nil {
		return err
	}
	return filepath.WalkDir(n.root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, somebody, somebody)
	})
}

func (n newcomer) put(path string, text []byte, mode fs.FileMode) error {
	full := filepath.Join(n.root, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		return err
	}
	return os.WriteFile(full, text, mode)
}

// command is a command line in the root.
func (n newcomer) command(args ...string) *exec.Cmd {
	cmd := exec.Command("/bin/assay", args...)
	cmd.Dir, cmd.Env = project, []string{"HOME=" + theHome, "PATH=/bin"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: n.root, Cloneflags: syscall.CLONE_NEWNET, Credential: &syscall.Credential{Uid: somebody, Gid: somebody}}
	return cmd
}

// ask speaks to the server as an agent does, by the client of the protocol's own SDK.
func (n newcomer) ask(s step) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "newcomer", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: n.command(strings.Split(s.args, "\n")...)}, nil)
	if err != nil {
		return err
	}
	for _, c := range s.asks {
		res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: c.tool, Arguments: c.args})
		if err != nil {
			return fmt.Errorf("tool %s: %w", c.tool, err)
		}
		var text strings.Builder
		for _, part := range res.Content {
			if t, ok := part.(*mcp.TextContent); ok {
				text.WriteString(t.Text)
			}
		}
		if res.IsError || text.Len() == 0 || !strings.Contains(text.String(), c.has) {
			return fmt.Errorf("tool %s: the answer should have %q:\n%s", c.tool, c.has, text.String())
		}
		fmt.Printf("ok  tool %s\n", c.tool)
	}
	return session.Close()
}

func (n newcomer) try(s step) error {
	if s.asks != nil {
		return n.ask(s)
	}
	cmd := n.command(strings.Split(s.args, "\n")...)
	cmd.Stdin = strings.NewReader(s.stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	shown := "assay " + strings.ReplaceAll(s.args, "\n", " ")
	if code := cmd.ProcessState.ExitCode(); code != s.code || !bytes.Contains(append(out, stderr.Bytes()...), []byte(s.has)) {
		return fmt.Errorf("%s: status %d (%v), and the answer should have %q:\n%s%s", shown, code, err, s.has, out, stderr.Bytes())
	}
	fmt.Printf("ok  %s\n", shown)
	return nil
}

// files are the files below the root and the hashes of what they hold.
func (n newcomer) files() (map[string][32]byte, error) {
	out := map[string][32]byte{}
	err := filepath.WalkDir(n.root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			out[path] = [32]byte{}
			return err
		}
		text, err := os.ReadFile(path)
		out[path] = sha256.Sum256(text)
		return err
	})
	return out, err
}

// differing are the paths that are in one alone, or not the same in both.
func differing(a, b map[string][32]byte) (out []string) {
	for path, sum := range a {
		if b[path] != sum {
			out = append(out, path)
		}
	}
	for path := range b {
		if _, ok := a[path]; !ok {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}
