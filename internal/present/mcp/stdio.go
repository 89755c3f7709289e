package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxOpen is how many requests wait for their answers before no more are read: a
// client that sends faster than it is answered is stopped by its own pipe.
const maxOpen = 256

// Stdio serves one client that writes messages to in, one a line, and reads
// answers from out. It returns nil when in ends, after every call that in
// brought has been answered, or when ctx does.
func Stdio(ctx context.Context, s *mcp.Server, in io.Reader, out io.Writer) error {
	ended := make(chan error, 1)
	go func() {
		ended <- s.Run(context.WithValue(ctx, carrierKey{}, &carrier{gone: ctx}), &stdio{
			in: in, out: out,
			lines:   make(chan line),
			closed:  make(chan struct{}),
			settled: make(chan struct{}, 1),
			open:    map[jsonrpc.ID]bool{},
		})
	}()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		select {
		case err = <-ended:
		case <-time.After(2 * grace): // a client that does not read holds up a write, not the end
		}
	}
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// A stdio is the connection to the one client. The SDK's own ends the session
// at the first malformed line and drops the calls that run when input ends; a
// client that pipes a file of requests would lose its answers.
type stdio struct {
	in      io.Reader
	lines   chan line
	closed  chan struct{}
	settled chan struct{} // told when a request has its answer
	once    sync.Once

	mu   sync.Mutex // guards out and open
	out  io.Writer
	open map[jsonrpc.ID]bool // requests without an answer yet
}

// A line is one line of input, or how the input ended.
type line struct {
	text []byte
	err  error
}

var errTooLong = fmt.Errorf("a message is longer than %d MiB", maxMessage>>20)

func (c *stdio) Connect(context.Context) (mcp.Connection, error) {
	go c.scan()
	return c, nil
}

func (c *stdio) SessionID() string { return "" }

// scan reads lines until the input ends or the connection is closed.
func (c *stdio) scan() {
	r := bufio.NewReaderSize(c.in, 64<<10)
	for {
		text, err := readLine(r)
		select {
		case c.lines <- line{text, err}:
		case <-c.closed:
			return
		}
		if err != nil && err != errTooLong {
			return
		}
	}
}

// readLine returns the next line that is not blank. The rest of a line that is
// too long is skipped.
func readLine(r *bufio.Reader) ([]byte, error) {
	for {
		var text []byte
		var err error
		long := false
		for {
			var part []byte
			part, err = r.ReadSlice('\n')
			if long = long || len(text)+len(part) > maxMessage; long {
				text = nil
			} else {
				text = append(text, part...)
			}
			if err != bufio.ErrBufferFull {
				break
			}
		}
		if long {
			return nil, errTooLong // an error of r shows again at the next read
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			return text, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// Read returns the next message. It answers what is not one itself.
func (c *stdio) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		if err := c.wait(ctx, maxOpen-1); err != nil {
			return nil, err
		}
		var next line
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-c.closed:
			return nil, io.EOF
		case next = <-c.lines:
		}
		if next.err != nil && next.err != errTooLong {
			// Every request that came has its answer before the end is told.
			if err := c.wait(ctx, 0); err != nil {
				return nil, err
			}
			return nil, next.err
		}
		var wrong *jsonrpc.Error
		var msg jsonrpc.Message
		if next.err != nil {
			wrong = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: next.err.Error()}
		} else {
			msg, wrong = parse(next.text)
		}
		if wrong == nil {
			c.expect(msg)
			return msg, nil
		}
		c.mu.Lock()
		_, err := c.out.Write(append(answerTo(noID, wrong), '\n'))
		c.mu.Unlock()
		if err != nil {
			return nil, err
		}
	}
}

// expect notes that msg wants an answer.
func (c *stdio) expect(msg jsonrpc.Message) {
	if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
		c.mu.Lock()
		c.open[req.ID] = true
		c.mu.Unlock()
	}
}

// wait waits until no more than so many requests are open.
func (c *stdio) wait(ctx context.Context, most int) error {
	for {
		c.mu.Lock()
		n := len(c.open)
		c.mu.Unlock()
		if n <= most {
			return nil
		}
		select {
		case <-c.settled:
		case <-c.closed:
			return io.EOF
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (c *stdio) Write(_ context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encode a message: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.out.Write(append(restoreIDs(data), '\n'))
	if res, ok := msg.(*jsonrpc.Response); ok && c.open[res.ID] {
		delete(c.open, res.ID)
		select {
		case c.settled <- struct{}{}:
		default:
		}
	}
	return err
}

// Close ends the session. A reader that can be closed is, so that nothing waits
// on it any longer.
func (c *stdio) Close() error {
	c.once.Do(func() {
		close(c.closed)
		if in, ok := c.in.(io.Closer); ok {
			_ = in.Close() // it is read no more, whatever Close says
		}
	})
	return nil
}

// parse returns the message in raw, or what is wrong with it.
func parse(raw []byte) (jsonrpc.Message, *jsonrpc.Error) {
	if !json.Valid(raw) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "Parse error: the message is not JSON"}
	}
	if raw[0] != '{' {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "Invalid Request: a message is one JSON object"}
	}
	raw, wrong := keepIDs(raw)
	if wrong != nil {
		return nil, wrong
	}
	msg, err := jsonrpc.DecodeMessage(raw)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "Invalid Request: " + err.Error()}
	}
	return msg, nil
}

// noID is the id in the answer to what has none that could be answered.
var noID = json.RawMessage("null")

func answerTo(id json.RawMessage, e *jsonrpc.Error) []byte {
	data, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", id, e})
	if err != nil { // a code and a string always marshal; an id may not
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error"}}`)
	}
	return data
}
