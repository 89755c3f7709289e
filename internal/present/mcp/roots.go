package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/assay-dev/assay/internal/present/op"
)

const (
	rootsTime = 5 * time.Second // what a client gets to say which folders it works in
	maxRoots  = 32
	rootsID   = "roots" // under which it is asked, where a call is answered with that question
)

// A clientRoots has the folders of the one client served, where the command line names none: the
// program may have been started anywhere. They are asked for once, before the first call runs, and
// only of a client that started this program, which has its user's rights: over HTTP a client is
// told of the folders that the server was given.
type clientRoots struct {
	open func(roots []string) ([]op.Op, error)

	settled atomic.Bool // set once ops is

	mu  sync.Mutex
	ops map[string]op.Op // by the names of their tools; nil: as they were
}

// awaited reports whether a client that has folders is still to be asked. It asks nothing and does not wait for who does.
func (c *clientRoots) awaited(s *mcp.ServerSession) bool {
	if c.settled.Load() || s == nil {
		return false
	}
	p := s.InitializeParams()
	return p != nil && p.Capabilities != nil && p.Capabilities.RootsV2 != nil //nolint:staticcheck // deprecated, and what clients have
}

// settle sees that the client has been asked. A result is the question to it, in the form of those
// versions of the protocol in which a server sends no requests; answers has what the client replied to one.
func (c *clientRoots) settle(
	ctx context.Context, s *mcp.ServerSession, answers mcp.InputResponseMap, note func(format string, args ...any),
) mcp.InputRequestMap {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.awaited(s) {
		return nil
	}
	said, ok := answers[rootsID].(*mcp.ListRootsResult) //nolint:staticcheck // see above
	switch {
	case ok:
	case s.InitializeParams().ProtocolVersion >= stateless:
		return mcp.InputRequestMap{rootsID: &mcp.ListRootsParams{}} //nolint:staticcheck // see above
	default:
		wait, cancel := context.WithTimeout(ctx, rootsTime)
		defer cancel()
		var err error
		if said, err = s.ListRoots(wait, nil); err != nil { //nolint:staticcheck // see above
			if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errTimeout) {
				return nil // the call was given up, which says nothing of the client: the next call asks again
			}
			note("the client does not say which folders it works in: %v", err)
			said = &mcp.ListRootsResult{} //nolint:staticcheck // see above
		}
	}
	defer c.settled.Store(true)
	folders := localFolders(said.Roots, note)
	if len(folders) == 0 {
		return nil
	}
	ops, err := c.open(folders)
	if err != nil {
		note("the client's folders are not served: %v", err)
		return nil
	}
	c.ops = map[string]op.Op{}
	for _, o := range ops {
		for _, t := range o.Tools {
			c.ops[t.Name] = o
		}
	}
	return nil
}

// of returns the operation of a tool, and the tool, over the client's folders.
func (c *clientRoots) of(o op.Op, t op.Tool) (op.Op, op.Tool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	own, ok := c.ops[t.Name]
	if !ok {
		return o, t
	}
	for _, same := range own.Tools {
		if same.Name == t.Name {
			return own, same
		}
	}
	return o, t
}

// localFolders returns the folders on this machine that a client names, as --root takes them.
func localFolders(roots []*mcp.Root, note func(format string, args ...any)) (folders []string) { //nolint:staticcheck // see above
	for i, r := range roots {
		if i == maxRoots {
			note("%d folders of the client are not served: at most %d are", len(roots)-i, maxRoots)
			break
		}
		if r == nil {
			continue
		}
		u, err := url.Parse(r.URI)
		if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
			note("%q of the client is not a folder here", r.URI)
			continue
		}
		path := filepath.FromSlash(u.Path)
		if runtime.GOOS == "windows" {
			path = strings.TrimPrefix(path, `\`) // of /C:/work
		}
		if !filepath.IsAbs(path) {
			note("%q of the client is not absolute", r.URI)
			continue
		}
		found, err := existing("root", []string{filepath.Clean(path)}, true, "")
		if err != nil {
			note("a folder of the client is not served: %v", err)
			continue
		}
		folders = append(folders, found...)
	}
	return folders
}

// noteTo returns what writes lines for the person.
func noteTo(o Options) func(format string, args ...any) {
	return func(format string, args ...any) { fmt.Fprintf(o.Log, "assay: "+format+"\n", args...) }
}
