package lua

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
)

const (
	wsKind     = "ws connection"
	connectWS  = "ws.connect"
	maxMessage = 16 << 20
)

func (vm *VM) openWS() {
	vm.lib("ws", map[string]builtin{"close": wsClose, "connect": wsConnect, "recv": wsRecv, "send": wsSend})
}

// wsConnect returns a connection, and the subprotocol that the server chose, if any.
func wsConnect(c call) int {
	opts := c.options(2)
	dial := websocket.DialOptions{HTTPHeader: http.Header{}, Subprotocols: c.subprotocols(opts.GetField("subprotocols"))}
	dial.Host = c.headers(c.name, opts, dial.HTTPHeader)
	u, err := ParseURL(c.Str(1))
	if err == nil {
		err = c.permitWS(u)
	}
	if err == nil && dial.Host != "" { // else one permitted server would speak for another
		err = c.permitWS(&url.URL{Scheme: u.Scheme, Host: dial.Host, Path: u.Path})
	}
	c.Check("ws.connect", err)
	first := &request{name: connectWS, method: http.MethodGet, url: u, header: dial.HTTPHeader}
	first.auth = c.readAuth(c.name, opts.GetField("auth"))
	if a := first.auth; a != nil {
		other := *u
		other.Host = cmp.Or(dial.Host, u.Host)
		c.Check("ws.connect", cmp.Or(a.bound(u, first), a.bound(&other, first)))
		first.authorize(time.Now())
	}
	c.vm.secrets.learn(dial.HTTPHeader)
	client := *c.vm.client()
	limit := cmp.Or(c.seconds(c.name, "timeout", opts.GetField("timeout"), client.Timeout), requestTimeout)
	client.Timeout = 0 // which would end the connection
	follow := client.CheckRedirect
	client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		u = r.URL // a person who approves a message is shown where it goes
		return cmp.Or(c.permitWS(u), follow(r, via))
	}
	dial.HTTPClient = &client
	var conn *websocket.Conn
	c.wait(func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(context.WithValue(ctx, requestKey{}, first), limit)
		defer cancel()
		var resp *http.Response
		conn, resp, err = websocket.Dial(ctx, u.String(), &dial)
		if err != nil && resp != nil {
			resp.Body.Close()
		}
	})
	if err != nil {
		c.Fail("ws.connect: %v", redactedError(err, c.vm.handles.redact))
	}
	vm := c.vm
	conn.SetReadLimit(vm.atMost(min(maxMessage, vm.memory/4)))
	vm.closers = append(vm.closers, closeFunc(func() error {
		_ = conn.CloseNow() // the script may have done so
		return nil
	}))
	sent := &http.Request{Header: dial.HTTPHeader.Clone()}
	for name, values := range map[string][]string{"Host": {dial.Host}, "Sec-WebSocket-Protocol": dial.Subprotocols} {
		if strings.Join(values, "") != "" {
			sent.Header[name] = values
		}
	}
	shown, exact := vm.shownHeaders(sent, first)
	c.opens(wsKind, conn, u.String(), shown, exact)
	if p := conn.Subprotocol(); p != "" {
		c.Push(c.NewString(p))
		return 2
	}
	return 1
}

// subprotocols reads the option of that name, a list of strings.
func (c call) subprotocols(v value) []string {
	if v.IsNil() {
		return nil
	}
	var names []string
	if t := v.AsTable(); t != nil {
		for i := int64(1); i <= t.Len(); i++ {
			if s, ok := t.GetInt(i).AsString(); ok && token(s) {
				names = append(names, s)
			}
		}
		if len(names) > 0 && int64(len(names)) == t.Len() {
			return names
		}
	}
	c.Fail("%s: subprotocols must be a list of names", c.name)
	return nil
}

func (c call) permitWS(u *url.URL) error {
	if err := c.vm.connects(); err != nil {
		return err
	}
	return c.vm.o.Policy.permitWS(u)
}

func (c call) socket() *websocket.Conn {
	return held[*websocket.Conn](c, wsKind)
}

func wsSend(c call) int {
	opts := c.options(3)
	conn, s := c.socket(), c.Str(2)
	kind := websocket.MessageText
	if opts.GetField("binary").Truth() || !utf8.ValidString(s) { // a message of text has to be UTF-8
		kind = websocket.MessageBinary
	}
	args := []any{c.vm.opened[conn], s}
	if kind == websocket.MessageBinary {
		args = append(args, "as bytes")
	}
	_, err := c.approvedCall(args, func(ctx context.Context) (any, error) { return nil, conn.Write(ctx, kind, []byte(s)) })
	if err != nil {
		c.Fail("ws.send: %s", c.wsReason(err))
	}
	return 0
}

// wsRecv returns a message and, with kind = true, its kind, "text" or "binary": one result more
// would be an argument of json.parse(ws.recv(conn)).
func wsRecv(c call) int {
	opts := c.options(2)
	conn := c.socket()
	var b []byte
	var err error
	kind := websocket.MessageText
	c.wait(func(ctx context.Context) { kind, b, err = conn.Read(ctx) })
	if err != nil {
		c.Fail("ws.recv: %s", c.wsReason(err))
	}
	b = []byte(c.vm.handles.redact(string(b)))
	if !opts.GetField("kind").Truth() {
		return c.Return(c.Bytes(b))
	}
	name := "text"
	if kind == websocket.MessageBinary {
		name = "binary"
	}
	return c.Return(c.Bytes(b), c.NewString(name))
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
