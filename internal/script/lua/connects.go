package lua

import (
	"errors"
	"net/url"
	"strings"
	"time"
)

const connectTimeout = 30 * time.Second // of databases and Redis

// hidePassword takes the password of a URL out of a message, unless it could be any part of it.
func (vm *VM) hidePassword(message, dsn string) string {
	u, err := url.Parse(dsn)
	if err != nil || u.User == nil {
		return message
	}
	switch p, _ := u.User.Password(); {
	case len(p) >= MinSecret:
		message = strings.ReplaceAll(message, p, "[redacted]")
	case p != "" && vm.o.Short != nil:
		vm.o.Short("the password of the database")
	}
	return message
}

// connects returns why no connection is made to a server, or nil. What goes over one can neither
// be shown in place of being sent nor answered from a recording.
func (vm *VM) connects() error {
	if w := vm.o.Wire; w != nil && (w.DryRun != nil || w.replay) {
		return errors.New("no connection is made where requests are not sent")
	}
	return nil
}
