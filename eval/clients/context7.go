package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"time"
)

// context7 makes the requests that a client of a local Context7 makes with curl,
// which accepts anything and says nothing of versions.
func (b *bench) context7(ctx context.Context) error {
	s, err := b.start(ctx, "context7-local", "--transport", "http", "--port", "0", "--db", filepath.Join(b.work, "docs.db"))
	if err != nil {
		return err
	}
	defer b.stop(s)
	const (
		greeting = `{"jsonrpc":"2.0","method":"initialize","id":1,"params":{"protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"test","version":"1.0"}}}`
		list     = `{"jsonrpc":"2.0","method":"tools/list","id":2,"params":{}}`
		resolve  = `{"jsonrpc":"2.0","method":"tools/call","id":3,"params":{"name":"resolve-library-id","arguments":{"query":"wait","libraryName":"retry"}}}`
		query    = `{"jsonrpc":"2.0","method":"tools/call","id":4,"params":{"name":"query-docs","arguments":{"query":"wait","context7CompatibleLibraryID":"/acme/retry"}}}`
		unknown  = `{"jsonrpc":"2.0","method":"tools/call","id":5,"params":{"name":"query-docs","arguments":{"query":"wait","libraryId":"/acme/none"}}}`
		missing  = `{"jsonrpc":"2.0","method":"tools/call","id":6,"params":{"name":"query-docs","arguments":{"query":"wait"}}}`
		nope     = `{"jsonrpc":"2.0","method":"tools/call","id":7,"params":{"name":"nope","arguments":{}}}`
	)
	base := strings.TrimSuffix(s.url, "/mcp")
	for _, tc := range []struct {
		name, method, url, body string
		status                  int
		want                    string
	}{
		{"ping", "GET", base + "/ping", "", 200, `{"status":"ok","message":"pong"}`},
		{"elsewhere", "GET", base + "/", "", 404, `{"error":"not_found","message":"Endpoint not found. Use /mcp for MCP protocol communication."}`},
		{"initialize", "POST", s.url, greeting, 200, `"serverInfo":{"name":"context7-local"`},
		{"tools/list", "POST", s.url, list, 200, `"name":"query-docs"`},
		{"resolve-library-id", "POST", s.url, resolve, 200, `Available Libraries:\n\n- Title: Retry\n- Context7-compatible library ID: /acme/retry\n- Description: `},
		{"query-docs", "POST", s.url, query, 200, `### Backoff\n\nSource: `},
		{"unknown library", "POST", s.url, unknown, 200, `The library you are trying to access does not exist. Please try with a different library ID.`},
		{"missing argument", "POST", s.url, missing, 200, `Input validation error: Invalid arguments for tool query-docs: libraryId: Invalid input: expected string, received undefined`},
		{"unknown tool", "POST", s.url, nope, 200, `"error":{"code":-32602,"message":"Tool nope not found"}`},
	} {
		status, body, err := ask(ctx, tc.method, tc.url, tc.body)
		if err == nil && (status != tc.status || !strings.Contains(body, tc.want)) {
			err = fmt.Errorf("%d %s, want %d with %s", status, body, tc.status, tc.want)
		}
		b.check("context7-local "+tc.name, err, "%d", status)
	}
	return ctx.Err()
}

// ask makes a request as curl does.
func ask(ctx context.Context, method, url, body string) (status int, answer string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Accept", "*/*")
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	return res.StatusCode, string(raw), err
}
