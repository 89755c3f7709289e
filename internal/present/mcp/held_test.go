package mcp_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// TestLongTexts sees that a text that does not go through the SDK comes whole: alone, as an event, and
// of several calls in one request, where one says what could be a name of it.
func TestLongTexts(t *testing.T) {
	long := strings.Repeat("a \"quoted\" <line> of\tGrüße\n", 100)
	ops := []op.Op{
		plain("long", op.Reads, func(context.Context, op.Out) (op.Result, error) { return list{long}, nil }),
		plain("odd", op.Reads, func(context.Context, op.Out) (op.Result, error) {
			return list{`"assay:held:X:0:"` + long}, nil
		}),
	}
	addr, _ := serve(t, ops, mcp.Options{}, mcp.HTTPOptions{})
	said := func(body string) (texts []string) {
		t.Helper()
		if _, data, ok := strings.Cut(body, "data: "); ok {
			body = data
		}
		var one struct {
			Result struct{ Content []struct{ Text string } }
		}
		var answers []json.RawMessage
		if json.Unmarshal([]byte(body), &answers) != nil {
			answers = []json.RawMessage{json.RawMessage(body)}
		}
		for _, raw := range answers {
			if err := json.Unmarshal(raw, &one); err != nil || len(one.Result.Content) != 1 {
				t.Fatalf("%v in %.300s", err, body)
			}
			texts = append(texts, one.Result.Content[0].Text)
		}
		return texts
	}
	for _, header := range [][]string{nil, {"Accept: text/event-stream"}} {
		_, body := do(t, addr, request{"POST", "", callLine(1, "long", "{}"), header})
		if got := said(body); len(got) != 1 || !strings.Contains(got[0], long) {
			t.Errorf("%v: %.300q", header, got)
		}
	}
	_, body := do(t, addr, request{"POST", "", "[" + callLine(1, "long", "{}") + "," + callLine(2, "odd", "{}") + "," + callLine(3, "long", "{}") + "]", nil})
	odd := 0
	got := said(body)
	for _, text := range got {
		if strings.Contains(text, "assay:held:X:0:") {
			odd++
		}
		if !strings.Contains(text, long) {
			t.Errorf("of several: %.300q", text)
		}
	}
	if len(got) != 3 || odd != 1 {
		t.Errorf("%d texts, %d of them odd", len(got), odd)
	}
}
