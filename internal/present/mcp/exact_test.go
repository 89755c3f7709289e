package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// exactIDs are ids that a client may choose: the answer has the very same bytes.
var exactIDs = []string{
	"0", "7", "-7", "9007199254740992", "9007199254740993", "-9007199254740993", "9223372036854775807", "9223372036854775808",
	"123456789012345678901234567890", "1763800000000000001", "1.5", "1.0", "1e3", "-0", `""`, `"a"`, `"7"`, `"\ud800"`, `"assay:exact:37"`, `"` + strings.Repeat("x", 1000) + `"`,
}

func withID(id string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"find_words","arguments":{"query":"alpha"}}}`
}

// TestSameID holds that an answer has the id of its request, whatever a number it is.
func TestSameID(t *testing.T) {
	lines := []string{hello, ready}
	for _, id := range exactIDs[1:] {
		lines = append(lines, withID(id))
	}
	got := talk(t, fakes(), mcp.Options{}, lines...)
	addr, _ := serve(t, fakes(), mcp.Options{}, mcp.HTTPOptions{})
	for _, id := range exactIDs {
		if !strings.Contains(string(got[id]), "alpha") && id != "0" {
			t.Errorf("stdio: %.80s is answered %.200q", id, got[id])
		}
		for _, accept := range []string{"application/json", "text/event-stream"} {
			for name, body := range map[string]string{"alone": withID(id), "in a batch": "[" + withID(`"first"`) + "," + withID(id) + "]"} {
				res, text := do(t, addr, request{"POST", "", body, []string{"Accept: " + accept}})
				if res.StatusCode != http.StatusOK || !strings.Contains(text, `{"jsonrpc":"2.0","id":`+id+`,"result"`) {
					t.Errorf("%s, %s: %.80s is answered %d %.300q", accept, name, id, res.StatusCode, text)
				}
			}
		}
	}
	null := withID("null")
	if a := talk(t, fakes(), mcp.Options{}, hello, ready, null)["null"]; !strings.Contains(string(a), "-32600") {
		t.Errorf("stdio: null is answered %q", a)
	}
	if res, text := do(t, addr, request{"POST", "", null, nil}); res.StatusCode != http.StatusBadRequest || !strings.Contains(text, "not null") {
		t.Errorf("null is answered %d %q", res.StatusCode, text)
	}
}

// TestSameToken holds that progress is told under the client's own token, and that a call
// is ended by its own id.
func TestSameToken(t *testing.T) {
	for _, token := range []string{"9223372036854775808", "1.5", "7", `"a"`} {
		out := written(t, fakes(), mcp.Options{Timeout: 100 * time.Millisecond}, hello, ready,
			`{"jsonrpc":"2.0","id":9223372036854775809,"method":"tools/call","params":{"_meta":{"progressToken":`+token+`},"name":"slow","arguments":{}}}`)
		if !strings.Contains(out, `"method":"notifications/progress","params":{"progressToken":`+token+`,`) {
			t.Errorf("no progress under %s:\n%s", token, out)
		}
	}
	begun, ended := make(chan struct{}), make(chan error, 1)
	ops := []op.Op{plain("wait", op.Reads, func(ctx context.Context, _ op.Out) (op.Result, error) {
		close(begun)
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
	})}
	s, err := mcp.Server(ops, "test", mcp.Options{Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	in, client := io.Pipe()
	go func() {
		fmt.Fprintf(client, "%s\n%s\n", hello, ready)
		io.WriteString(client, `{"jsonrpc":"2.0","id":9223372036854775809,"method":"tools/call","params":{"name":"wait","arguments":{}}}`+"\n")
		<-begun
		io.WriteString(client, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9223372036854775809}}`+"\n")
		client.Close()
	}()
	if err := mcp.Stdio(t.Context(), s, in, io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the call ended with %v, not because it was cancelled", err)
	}
}
