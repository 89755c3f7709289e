package lua

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	redisKind  = "redis connection"
	maxReplies = 16        // arrays in each other
	maxBulk    = 512 << 20 // bytes of a string, elements of an array: more than Redis has
)

// A redisConn speaks RESP 2 (redis.io, "Redis serialization protocol specification") with one server. What a client library has beyond
// it, clusters and pools, scripts do not need, and it would add a megabyte.
type redisConn struct {
	mu     sync.Mutex // a command and its reply at a time
	conn   net.Conn
	in     *bufio.Reader
	broken error // after which the next reply could be that of another command
}

// errReply begins an error of a reply that is too large.
var errReply = errors.New("the reply")

// A redisError is one that the server answers with.
type redisError string

func (e redisError) Error() string { return string(e) }

func (vm *VM) openRedis() {
	vm.lib("redis", map[string]builtin{"call": redisCall, "close": redisClose, "connect": redisConnect})
}

func redisConnect(c call) int {
	address := c.login(2, c.Str(1))
	vm := c.vm
	var r *redisConn
	var err error
	c.wait(func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, connectTimeout)
		defer cancel()
		r, err = vm.connectRedis(ctx, address)
	})
	if err != nil {
		c.Fail("redis.connect: %s", vm.hidePassword(err.Error(), address))
	}
	vm.closers = append(vm.closers, closeFunc(func() error {
		_ = r.conn.Close() // the script may have done so
		return nil
	}))
	return c.opens(redisKind, r, address, nil, nil)
}

// connectRedis connects to redis://[user:password@]host[:6379][/database], or with TLS to rediss://.
func (vm *VM) connectRedis(ctx context.Context, address string) (*redisConn, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the address is not a URL")
	}
	if u.Scheme != "redis" && u.Scheme != "rediss" || u.Hostname() == "" {
		return nil, errors.New("the URL must begin with redis:// or rediss:// and a host, and does not")
	}
	host := net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), "6379"))
	if err := cmp.Or(vm.connects(), vm.o.Policy.permitOptions(address), vm.o.Policy.permitDB(u.Scheme, host)); err != nil {
		return nil, err
	}
	var conn net.Conn
	if conn, err = vm.o.Policy.dialer(connectTimeout)(ctx, "tcp", host); err != nil {
		return nil, err
	}
	if u.Scheme == "rediss" {
		secure := tls.Client(conn, &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12})
		if err := secure.HandshakeContext(ctx); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
		conn = secure
	}
	r := &redisConn{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}
	h := vm.holding(1 << 20)
	defer h.end()
	if vm.o.Policy.confines() {
		err = r.greet(ctx, h)
	}
	if err == nil {
		err = r.begin(ctx, u, h)
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	return r, nil
}

// greet asks whether the server speaks the protocol before it is sent anything of the script's: what is written in an argument could be
// a request to a server of HTTP on a port that the policy names, and so one by a method that it does not name.
func (r *redisConn) greet(ctx context.Context, h *holding) error {
	_, err := r.do(ctx, []string{"PING"}, h)
	if _, answered := errors.AsType[redisError](err); answered {
		return nil // it wants to know who asks
	}
	return err
}

// begin says who connects, and to which database.
func (r *redisConn) begin(ctx context.Context, u *url.URL, h *holding) error {
	if password, ok := u.User.Password(); ok {
		auth := []string{"AUTH", password}
		if name := u.User.Username(); name != "" {
			auth = []string{"AUTH", name, password}
		}
		if _, err := r.do(ctx, auth, h); err != nil {
			return err
		}
	}
	if database := strings.Trim(u.Path, "/"); database != "" {
		_, err := r.do(ctx, []string{"SELECT", database}, h)
		return err
	}
	return nil
}

func redisCall(c call) int {
	r := held[*redisConn](c, redisKind)
	command := make([]string, 0, c.N()-1)
	for i := 2; i <= c.N(); i++ {
		command = append(command, c.Str(i))
	}
	c.FailIf(len(command) == 0, "redis.call: a command is required")
	verb := strings.ToUpper(command[0])
	err := c.vm.o.Policy.permitRedis(command)
	if err == nil && c.vm.o.Policy.approves(c.name) {
		err = permitApprovedRedis(verb, command[1:])
	}
	c.Check("redis.call", err)
	limit := requestTimeout
	switch {
	case slices.Contains(subscribing, verb):
		c.Fail("redis.call: %s makes a connection one that only receives, which this one cannot be", verb)
	case slices.Contains(blocking, verb):
		limit = 1 << 62 // its own argument says how long it waits
	}
	c.vm.event(Event{Event: "statement", Statement: "redis " + verb})
	h := c.vm.holding(c.vm.atMost(c.vm.memory / 4))
	defer h.end()
	var reply any
	do := func(ctx context.Context) (any, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no reply within %v", limit))
		defer cancel()
		reply, err := r.do(ctx, command, h)
		if errors.Is(err, errReply) {
			err = fmt.Errorf("the command was carried out, and %w", err)
		}
		return reply, err
	}
	if slices.Contains(readCommands, verb) {
		c.wait(func(ctx context.Context) { reply, err = do(ctx) })
	} else {
		reply, err = c.approvedCall([]any{c.vm.opened[r], command[0], command[1:]}, do)
	}
	if err != nil {
		c.Fail("redis.call: %s: %v", verb, redactedError(err, c.vm.handles.redact))
	}
	return c.Return(c.redisValue(reply))
}

// What is not answered by one reply, and what waits as long as it was told to.
var (
	subscribing = []string{"SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "UNSUBSCRIBE", "PUNSUBSCRIBE", "SUNSUBSCRIBE", "MONITOR", "SYNC", "PSYNC", "HELLO", "QUIT"}
	blocking    = []string{"BLPOP", "BRPOP", "BLMOVE", "BLMPOP", "BRPOPLPUSH", "BZPOPMIN", "BZPOPMAX", "BZMPOP", "XREAD", "XREADGROUP", "WAIT", "WAITAOF"}
)

// redisValue is a reply as Lua has it. Nothing within a list is false, as in the scripts of Redis itself: nil would end the list.
func (c call) redisValue(reply any) value {
	switch v := reply.(type) {
	case string:
		return c.NewString(c.vm.handles.redact(v))
	case int64:
		return whole(v)
	case redisError:
		t := c.newRecord(1)
		t.SetField("err", c.NewString(c.vm.handles.redact(string(v))))
		return t.Of()
	case []any:
		c.Step(1 + len(v))
		list := c.newTable(len(v))
		for i, one := range v {
			e := c.redisValue(one)
			if e.IsNil() {
				e = no
			}
			list.SetInt(int64(i)+1, e)
		}
		return list.Of()
	}
	return none
}

func redisClose(c call) int {
	r := held[*redisConn](c, redisKind)
	c.wait(func(context.Context) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.broken = errors.New("the connection is closed")
		_ = r.conn.Close() // the server may have closed it first
	})
	return 0
}

// do sends a command and returns its reply: nil, an int64, a string or a list of such
// and of redisErrors. An error of the server leaves the connection in use.
func (r *redisConn) do(ctx context.Context, command []string, h *holding) (any, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken != nil {
		return nil, r.broken
	}
	stop := context.AfterFunc(ctx, func() { _ = r.conn.SetDeadline(time.Unix(1, 0)) })
	reply, err := r.exchange(command, h)
	if !stop() && err != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		r.broken = fmt.Errorf("the connection is closed after: %v", err) // which says nothing of the next command
		_ = r.conn.Close()
		return nil, err
	}
	if e, ok := reply.(redisError); ok {
		return nil, e
	}
	return reply, nil
}

func (r *redisConn) exchange(command []string, h *holding) (any, error) {
	b := fmt.Appendf(nil, "*%d\r\n", len(command))
	for _, word := range command {
		b = fmt.Appendf(b, "$%d\r\n", len(word))
		b = append(append(b, word...), "\r\n"...)
	}
	if _, err := r.conn.Write(b); err != nil {
		return nil, err
	}
	return r.reply(h, 0)
}

// reply reads one, which may take no more memory than h has.
func (r *redisConn) reply(h *holding, depth int) (any, error) {
	line, err := r.line()
	if err != nil {
		return nil, err
	}
	if err := h.add(32 + int64(len(line))); err != nil {
		return nil, fmt.Errorf("%w is %w", errReply, err)
	}
	kind, rest := line[0], line[1:]
	switch kind {
	case '+':
		return rest, nil
	case '-':
		return redisError(rest), nil
	}
	n, err := strconv.ParseInt(rest, 10, 64)
	if err != nil {
		return nil, errors.New("the server does not speak Redis's protocol")
	}
	switch {
	case kind == ':':
		return n, nil
	case n == -1 && (kind == '$' || kind == '*'):
		return nil, nil
	case n < 0 || n > maxBulk:
	case kind == '$':
		return r.bulk(n, h)
	case kind == '*' && depth < maxReplies:
		return r.list(n, h, depth)
	}
	return nil, errors.New("the server does not speak Redis's protocol")
}

func (r *redisConn) bulk(n int64, h *holding) (any, error) {
	if err := h.add(n); err != nil {
		return nil, fmt.Errorf("%w is %w", errReply, err)
	}
	b := make([]byte, n+2)
	if _, err := io.ReadFull(r.in, b); err != nil {
		return nil, err
	}
	return string(b[:n]), nil
}

// list grows with what is there: the number that a server says may be any.
func (r *redisConn) list(n int64, h *holding, depth int) (any, error) {
	list := []any{}
	for range n {
		v, err := r.reply(h, depth+1)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// line reads to the next line's end, which is not part of it.
func (r *redisConn) line() (string, error) {
	b, err := r.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) || err == nil && (len(b) < 3 || b[len(b)-2] != '\r') {
		return "", errors.New("the server does not speak Redis's protocol")
	}
	if err != nil {
		return "", err
	}
	return string(b[:len(b)-2]), nil
}
