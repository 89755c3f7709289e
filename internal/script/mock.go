package script

import (
	"context"
	"fmt"
	"io"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/script/mock"
)

// A MockEvent is something that the mock server tells.
type MockEvent struct {
	Event   string        `json:"event"` // "listening" or "request"
	URL     string        `json:"url,omitempty"`
	Request *mock.Request `json:"request,omitempty"`
}

// WriteText writes the event in a line.
func (e *MockEvent) WriteText(w io.Writer, _ bool) error {
	if e.Request == nil {
		return fault.Only(fmt.Fprintf(w, "%s on %s (what it was asked: %s)\n", e.Event, e.URL, mock.Journal))
	}
	target := e.Request.Path
	if e.Request.Query != "" {
		target += "?" + e.Request.Query
	}
	return fault.Only(fmt.Fprintf(w, "%s %s %d\n", e.Request.Method, target, e.Request.Status))
}

// Mock serves a fixture on loopback until ctx ends.
func (f *Feature) Mock(ctx context.Context, in MockInput, emit func(*MockEvent) error) error {
	text, err := f.read(in.Fixture)
	if err != nil {
		return f.unread("reading", in.Fixture, err, fixture, ".json")
	}
	server, err := mock.New(text)
	if err != nil {
		return fault.New(fault.Usage, "%s: %v", in.Fixture, err).Or(`it is no fixture: {"routes": [{"path": "/x", "reply": {"status": 200, "body": "x"}}]} is one`)
	}
	l, err := mock.Listen(in.Port)
	if err != nil {
		return fault.New(fault.Unavailable, "cannot listen").Because(err).Or("--port 0 takes any port that is free")
	}
	defer func() { _ = l.Close() }()
	if err := emit(&MockEvent{Event: "listening", URL: mock.URL(l)}); err != nil {
		return err
	}
	serving, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if in.Log {
		server.Tell = func(r mock.Request) {
			if err := emit(&MockEvent{Event: "request", Request: &r}); err != nil {
				stop(err) // nobody reads
			}
		}
	}
	if err := server.Serve(serving, l); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return nil // it was to end so
	}
	return context.Cause(serving)
}
