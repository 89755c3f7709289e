package lua

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/assay-dev/assay/internal/base/codec"
)

// approvedCall makes a call that writes. If the policy has the function approved, the call waits for that, and in a run that
// repeats an earlier one it returns what it returned then: nil, int64, string, or a list of them. args are shown to a person.
func (c call) approvedCall(args []any, do func(ctx context.Context) (any, error)) (out any, err error) {
	vm, a := c.vm, c.vm.approvals()
	switch {
	case !vm.o.Policy.approves(c.name):
		vm.repeated(c.name)
		c.wait(func(ctx context.Context) { out, err = do(ctx) })
		return out, err
	case a == nil:
		return nil, errCannotApprove
	}
	digest, e := a.digest([]byte(c.name), fmt.Appendf(nil, "%#v", args)), Event{Event: "call", Statement: c.name}
	c.wait(func(ctx context.Context) {
		a.order.Lock()
		defer a.order.Unlock()
		if err = ctx.Err(); err != nil {
			return
		}
		was := a.take(digest)
		if e.Approval, e.Digest = "before", digest; was == nil {
			if err = vm.decide(digest, &e, func() *Pending { return vm.shownCall(c.name, args) }); err == nil {
				was = &Effect{Digest: digest}
				v, failed := do(ctx)
				if was.Body = appendRESP(nil, v); failed != nil {
					was.Failed = vm.Redact(failed.Error())
				}
				a.keep(*was)
			}
		}
		vm.event(e)
		if err == nil {
			out, err = was.result(vm)
		}
	})
	return out, err
}

// shownCall describes a call to the person who approves it.
func (vm *VM) shownCall(name string, args []any) *Pending {
	p := &Pending{Call: name}
	for _, arg := range args {
		text, ok := arg.(string)
		if !ok {
			b, err := codec.MarshalPlain(arg)
			if text = string(b); err != nil {
				text = fmt.Sprintf("%q", arg)
			}
		}
		p.Arguments = append(p.Arguments, vm.Redact(text))
	}
	return p
}

// result returns what a call returned.
func (e *Effect) result(vm *VM) (any, error) {
	if e.Failed != "" {
		return nil, errors.New(e.Failed)
	}
	h := vm.holding(maxEffects)
	defer h.end()
	return (&redisConn{in: bufio.NewReader(bytes.NewReader(e.Body))}).reply(h, 0)
}

// appendRESP writes a value as Redis replies it, which reply reads.
func appendRESP(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return fmt.Appendf(b, "$%d\r\n%s\r\n", len(v), v)
	case int64:
		return fmt.Appendf(b, ":%d\r\n", v)
	case redisError:
		return fmt.Appendf(b, "-%s\r\n", string(v))
	case []any:
		b = fmt.Appendf(b, "*%d\r\n", len(v))
		for _, e := range v {
			b = appendRESP(b, e)
		}
		return b
	}
	return append(b, "$-1\r\n"...)
}

// opens remembers where a connection leads, for the person who approves a call on it.
func (c call) opens(kind string, conn any, address string) int {
	if u, err := url.Parse(address); err == nil {
		u.User = nil
		address = u.String()
	}
	if c.vm.opened == nil {
		c.vm.opened = map[any]string{}
	}
	c.vm.opened[conn] = address
	return c.handle(kind, conn)
}
