package mcp_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// TestClientRoots asks through pipes, as a client that starts the program does, in a version of the
// protocol in which a server sends requests and in one in which it answers with a question.
func TestClientRoots(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	uri := (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}).String()
	for _, tc := range []struct {
		name  string
		roots []string // nil: the client has none
		args  []string
		want  string // what the operation is over
		said  string // on standard error
		opens int
	}{
		{"a folder", []string{uri}, nil, dir, "", 2},
		{"one of several", []string{"https://example.org/", uri + "/gone", uri}, nil, dir, "gone", 2},
		{"none that is here", []string{"file://elsewhere" + uri[len("file://"):]}, nil, "where it was started", "is not a folder here", 1},
		{"an empty list", []string{}, nil, "where it was started", "", 1},
		{"no roots", nil, nil, "where it was started", "", 1},
		{"named by the person", []string{uri}, []string{"--root", "."}, "", "", 1},
		{"refused", []string{"file:///"}, nil, "where it was started", "not that one", 2},
	} {
		for _, version := range []string{"2025-06-18", "2026-07-28"} {
			t.Run(tc.name+" "+version, func(t *testing.T) {
				opens := 0
				open := func(from mcp.Sources) ([]op.Op, error) {
					opens++
					over := strings.Join(from.Roots, ",")
					if over == "/" {
						return nil, errors.New("not that one")
					}
					if over == "" {
						over = "where it was started"
					}
					return []op.Op{plain("where", op.Reads, func(_ context.Context, out op.Out) (op.Result, error) {
						out.Note("over %s", over)
						return nil, nil
					})}, nil
				}
				var errOut bytes.Buffer
				c, stop := started(t, open, &errOut, version, tc.roots, tc.args...)
				var wg sync.WaitGroup
				for range 3 { // at once: the client is asked before the first of them runs
					wg.Go(func() {
						if got := textOf(t, call(t, c, "where", "")); !strings.Contains(got, "over "+tc.want) {
							t.Errorf("answer %q, want over %q", got, tc.want)
						}
					})
				}
				wg.Wait()
				stop()
				if !strings.Contains(errOut.String(), tc.said) || tc.said == "" && errOut.Len() > 0 {
					t.Errorf("said %q, want %q", errOut.String(), tc.said)
				}
				if opens != tc.opens {
					t.Errorf("opened %d times, want %d", opens, tc.opens)
				}
			})
		}
	}
}

// TestRootsGivenUp holds that a call that is given up while the client is asked settles nothing: the next one asks again.
func TestRootsGivenUp(t *testing.T) {
	dir, opens := t.TempDir(), 0
	asked := make(chan struct{})
	client := sdk.NewClient(&sdk.Implementation{Name: "t"}, nil)
	client.AddRoots(&sdk.Root{URI: (&url.URL{Scheme: "file", Path: filepath.ToSlash(dir)}).String()}) //nolint:staticcheck // deprecated, and what clients have
	first := true
	client.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			if method == "roots/list" && first {
				first = false
				close(asked)
				<-ctx.Done() // the server gives up too
			}
			return next(ctx, method, req)
		}
	})
	c, stop := startedBy(t, client, openWhere(&opens), io.Discard, "2025-06-18")
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	if _, err := c.CallTool(ctx, &sdk.CallToolParams{Name: "where"}); err == nil {
		t.Error("a call that was given up is answered")
	}
	if got := textOf(t, call(t, c, "where", "")); !strings.Contains(got, "over "+dir) {
		t.Errorf("after a call that was given up: %q, want over %s", got, dir)
	}
	stop()
}

// TestRootsTimeout holds that a call whose own time ends while the client is asked runs nothing, and that the client, which does not answer, is asked once.
func TestRootsTimeout(t *testing.T) {
	var asked atomic.Int32
	var ran atomic.Bool
	client := sdk.NewClient(&sdk.Implementation{Name: "t"}, nil)
	client.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
			if method == "roots/list" {
				asked.Add(1)
				<-ctx.Done() // the server gives up
			}
			return next(ctx, method, req)
		}
	})
	c, stop := startedBy(t, client, func(mcp.Sources) ([]op.Op, error) {
		return []op.Op{plain("where", op.Reads, func(_ context.Context, out op.Out) (op.Result, error) {
			ran.Store(true)
			out.Note("over nothing")
			return nil, nil
		})}, nil
	}, io.Discard, "2025-06-18", "--timeout", "1s")
	if got := textOf(t, call(t, c, "where", "")); !strings.Contains(got, "where took longer than 1s") || ran.Load() {
		t.Errorf("the first call: %q, ran: %v", got, ran.Load())
	}
	if got := textOf(t, call(t, c, "where", "")); !strings.Contains(got, "over nothing") || asked.Load() != 1 {
		t.Errorf("the second call: %q, after %d questions", got, asked.Load())
	}
	stop()
}

// where returns an operation that says over which folder it is, with a tool, a prompt and a view that completes to it.
func where(over string) op.Op {
	o := plain("where", op.Reads, func(_ context.Context, out op.Out) (op.Result, error) {
		out.Note("over %s", over)
		return nil, nil
	})
	offer := func(context.Context, string) ([]string, error) { return []string{over}, nil }
	o.Tools[0].Prompts = []op.Prompt{{Name: "ask", Head: "About %s", Args: []op.PromptArg{{Name: "it", Offer: offer}},
		Call: func(map[string]string) any { return noInput{} }}}
	o.Tools[0].Views = []op.View{{Base: "assay://where/", Variable: "it", MIME: "text/plain", Offer: offer, Call: func(string) any { return noInput{} }}}
	return o
}

// openWhere opens where over the folders of the client, and counts.
func openWhere(opens *int) mcp.Opener {
	return func(from mcp.Sources) ([]op.Op, error) {
		*opens++
		return []op.Op{where(cmp.Or(strings.Join(from.Roots, ","), "nothing"))}, nil
	}
}

// started returns a client of a server that it has started.
func started(t *testing.T, open mcp.Opener, errOut io.Writer, version string, roots []string, args ...string) (c *sdk.ClientSession, stop func()) {
	t.Helper()
	opt := &sdk.ClientOptions{}
	if roots == nil {
		opt.Capabilities = &sdk.ClientCapabilities{}
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "t"}, opt)
	for _, r := range roots {
		client.AddRoots(&sdk.Root{URI: r}) //nolint:staticcheck // deprecated, and what clients have
	}
	return startedBy(t, client, open, errOut, version, args...)
}

// startedBy is started by a client.
func startedBy(t *testing.T, client *sdk.Client, open mcp.Opener, errOut io.Writer, version string, args ...string) (c *sdk.ClientSession, stop func()) {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- mcp.Run(t.Context(), mcp.Service{Open: open, Version: "test"}, args, fromClient, toClient, errOut)
	}()
	c, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: fromServer, Writer: toServer}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	return c, func() {
		_ = toServer.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
		_ = c.Close()
	}
}
