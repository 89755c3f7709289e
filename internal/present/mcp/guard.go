package mcp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A timed gives each write its time. A deadline for all of them would be one for
// the call as well.
type timed struct {
	http.ResponseWriter
	rc   *http.ResponseController
	wait time.Duration
}

func (t *timed) WriteHeader(status int) {
	_ = t.rc.SetWriteDeadline(time.Now().Add(t.wait))
	t.ResponseWriter.WriteHeader(status)
}

func (t *timed) Write(b []byte) (int, error) {
	_ = t.rc.SetWriteDeadline(time.Now().Add(t.wait))
	return t.ResponseWriter.Write(b)
}

func (t *timed) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// A plain turns the SDK's refusals, which are plain text, into the protocol's form.
type plain struct {
	http.ResponseWriter
	rc     *http.ResponseController
	id     json.RawMessage // of the request, or null
	status int             // not 0 while a refusal is held back
	text   bytes.Buffer
	texts  *heldTexts
}

func (p *plain) WriteHeader(status int) {
	if status >= 400 && strings.HasPrefix(p.Header().Get("Content-Type"), "text/plain") {
		p.status = status
		return
	}
	p.ResponseWriter.WriteHeader(status)
}

func (p *plain) Write(b []byte) (int, error) {
	if p.status != 0 {
		return p.text.Write(b)
	}
	whole, held := p.texts.restore(restoreIDs(b))
	if held && p.Header().Get("Content-Type") == "application/json" { // all of it is written at once
		p.Header().Set("Content-Length", strconv.Itoa(len(whole)))
	}
	if _, err := p.ResponseWriter.Write(whole); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Flush and Unwrap let the SDK stream through p.
func (p *plain) Flush() { _ = p.rc.Flush() }

func (p *plain) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// finish writes the refusal that was held back, if any.
func (p *plain) finish() {
	if p.status == 0 {
		return
	}
	e := &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: strings.TrimSpace(p.text.String())}
	switch {
	case strings.HasPrefix(e.Message, "JSON RPC not handled"):
		e.Code = jsonrpc.CodeMethodNotFound
	case p.status != http.StatusBadRequest:
		e.Code = codeRefused
	}
	p.Header().Del("Content-Length")
	answer(p.ResponseWriter, p.status, answerTo(p.id, e))
}

// idOf returns the id of the request in body, or null.
func idOf(body []byte) json.RawMessage {
	var req struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(body, &req) != nil || req.Method == "" || len(req.ID) == 0 || req.ID[0] == '{' || req.ID[0] == '[' {
		return json.RawMessage("null")
	}
	return req.ID
}
