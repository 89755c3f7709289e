package lua

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

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
	digest, e := a.digest([]byte(c.name), appendExact(nil, args)), Event{Event: "call", Statement: c.name}
	c.wait(func(ctx context.Context) {
		leave, ended := a.enterOrder(ctx)
		if err = ended; err != nil {
			return
		}
		defer leave()
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

// appendExact writes a value so that no two are alike: not 4 and 4.0 either, which are other parameters to a database.
func appendExact(b []byte, v any) []byte {
	list, ok := v.([]any)
	if !ok {
		return fmt.Appendf(b, "%T %#[1]v,", v)
	}
	b = fmt.Appendf(b, "list %d,", len(list))
	for _, e := range list {
		b = appendExact(b, e)
	}
	return b
}

// sessionCommands change the connection and not what the server keeps.
var sessionCommands = strings.Fields("MULTI EXEC DISCARD WATCH UNWATCH AUTH HELLO CLIENT SELECT RESET ASKING READONLY READWRITE")

// clientReads are the subcommands of CLIENT that change nothing.
var clientReads = strings.Fields("GETNAME ID INFO LIST")

// permitApprovedRedis returns why a command cannot be approved, or nil: see permitApproved. One that waits would keep all other writes
// from being made.
func permitApprovedRedis(verb string, args []string) error {
	isBlock := func(arg string) bool { return strings.EqualFold(arg, "BLOCK") }
	switch {
	case verb == "CLIENT" && len(args) > 0 && slices.Contains(clientReads, strings.ToUpper(args[0])):
	case verb == "XREADGROUP" && !slices.ContainsFunc(args, isBlock):
	case slices.Contains(sessionCommands, verb):
		return fmt.Errorf("the policy has redis.call approved, and %s changes the connection, which a resumed run has anew: leave it out (a database goes into the URL)", verb)
	case slices.Contains(blocking, verb) && !slices.Contains(readCommands, verb):
		return fmt.Errorf("the policy has redis.call approved, and %s waits while no other write can be made: use a command that does not wait", verb)
	}
	return nil
}

// shownCall describes a call to the person who approves it.
func (vm *VM) shownCall(name string, args []any) *Pending {
	p := &Pending{Call: name}
	for _, arg := range args {
		if e, ok := arg.(endpoint); ok {
			arg = e.shown
		}
		text, ok := arg.(string)
		if !ok {
			b, err := codec.MarshalPlain(arg)
			if text = string(b); err != nil {
				text = fmt.Sprintf("%q", arg)
			}
		}
		if text = vm.Redact(text); !utf8.ValidString(text) {
			text = fmt.Sprintf("bytes %q", text)
		}
		p.Arguments = append(p.Arguments, text)
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
	v, err := (&redisConn{in: bufio.NewReader(bytes.NewReader(e.Body))}).reply(h, 0)
	if err != nil {
		err = fmt.Errorf("the call was made, but its result cannot be kept: %w", err)
	}
	return v, err
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

// An endpoint is where a connection leads and who is there: as a person is shown it who approves a call on it, and, for the digest, exactly.
type endpoint struct{ shown, exact string }

// opens remembers where a connection leads, with the headers by which it was opened.
func (c call) opens(kind string, conn any, address string, headers map[string]string, exact []byte) int {
	if u, err := url.Parse(address); err == nil {
		if name := u.User.Username(); name != "" {
			u.User = url.User(name)
		} else {
			u.User = nil
		}
		address = u.String()
	}
	if a := handleOf(c.options(2).GetField("auth")); a != nil {
		address += " with the credential " + a.name
	}
	e := endpoint{shown: address, exact: address + string(exact)}
	if b, err := codec.MarshalPlain(headers); err == nil && len(headers) > 0 {
		e.shown += " with the headers " + string(b)
	}
	if c.vm.opened == nil {
		c.vm.opened = map[any]endpoint{}
	}
	c.vm.opened[conn] = e
	return c.handle(kind, conn)
}
