package lua

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"unicode/utf8"

	"github.com/coder/websocket"
)

const (
	wsKind     = "ws connection"
	maxMessage = 16 << 20
)

func (vm *VM) openWS() {
	vm.lib("ws", map[string]builtin{"close": wsClose, "connect": wsConnect, "recv": wsRecv, "send": wsSend})
}

func wsConnect(c call) int {
	u, err := parseURL(c.Str(1))
	if err == nil {
		err = c.permitWS(u)
	}
	if err != nil {
		c.Fail("ws.connect: %v", err)
	}
	client := *c.vm.client()
	limit := client.Timeout
	if limit == 0 {
		limit = requestTimeout
	}
	client.Timeout = 0 // which would end the connection
	var conn *websocket.Conn
	c.wait(func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, limit)
		defer cancel()
		var resp *http.Response
		conn, resp, err = websocket.Dial(ctx, u.String(), &websocket.DialOptions{HTTPClient: &client})
		if err != nil && resp != nil {
			resp.Body.Close()
		}
	})
	if err != nil {
		c.Fail("ws.connect: %v", err)
	}
	vm := c.vm
	conn.SetReadLimit(min(maxMessage, vm.memory/4))
	vm.closers = append(vm.closers, closeFunc(func() error {
		_ = conn.CloseNow() // the script may have done so
		return nil
	}))
	return c.handle(wsKind, conn)
}

func (c call) permitWS(u *url.URL) error {
	if err := c.vm.connects(); err != nil {
		return err
	}
	p := c.vm.o.Policy
	if p == nil {
		return nil
	}
	if p.ReadOnly || !p.WriteWS {
		return errors.New("the policy permits no web socket unless it names them (assay serve --exec-write ws)")
	}
	if err := p.permitHost(u); err != nil {
		return err
	}
	return p.permitPath(u)
}

func (c call) socket() *websocket.Conn {
	return held[*websocket.Conn](c, wsKind)
}

func wsSend(c call) int {
	conn, s := c.socket(), c.Str(2)
	var err error
	kind := websocket.MessageText
	if !utf8.ValidString(s) {
		kind = websocket.MessageBinary // a message of text has to be UTF-8
	}
	c.wait(func(ctx context.Context) { err = conn.Write(ctx, kind, []byte(s)) })
	if err != nil {
		c.Fail("ws.send: %s", c.wsReason(err))
	}
	return 0
}

func wsRecv(c call) int {
	conn := c.socket()
	var b []byte
	var err error
	c.wait(func(ctx context.Context) { _, b, err = conn.Read(ctx) })
	if err != nil {
		c.Fail("ws.recv: %s", c.wsReason(err))
	}
	return c.Return(c.Bytes(b))
}

// wsReason reports of a closed connection only that it is closed.
func (c call) wsReason(err error) string {
	if websocket.CloseStatus(err) != -1 || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) {
		return "connection closed"
	}
	return err.Error()
}

func wsClose(c call) int {
	conn := c.socket()
	// The other side may have closed it first, or be gone.
	c.wait(func(context.Context) { _ = conn.Close(websocket.StatusNormalClosure, "") })
	return 0
}
