package mcp

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/assay-dev/assay/internal/fault"
	"github.com/assay-dev/assay/internal/op"
)

// Usage is what assay serve --help prints.
const Usage = `Serve the tools of assay to a coding agent over MCP

Usage:
  assay serve [flags]

Over stdio, the default, the agent starts this command and speaks to it through
standard input and output; the end of input ends it. Over HTTP, clients speak to
http://HOST:PORT/mcp and GET /ping answers while it is up.

Flags:
  --transport stdio|http  how clients connect (default stdio)
  --root DIR              serve this folder and nothing outside it; repeat for
                          more (default: the project around the working folder)
  --tools LIST            serve only these sets of tools, such as code; comma-
                          separated or repeated (default: all but module)
  --timeout DURATION      the most a call may take (default 30s)
  --host HOST             http: address to listen on (default 127.0.0.1)
  --port N                http: port to listen on (default 3000; 0: a free one)
  --token-file FILE       http: clients must bear the token in FILE; needed
                          where HOST lets in more than this machine
  --allow-host NAME       http: another name this server is reached by; repeat
  --allow-origin ORIGIN   http: let web pages of ORIGIN call it; repeat
  -h, --help              print this

Example:
  $ assay serve --root .

Exit status:
  0 input ended or the server was stopped, 2 wrong usage, 3 no such folder or
  file, 5 the address cannot be used
`

const (
	minToken     = 16
	maxTokenFile = 4 << 10
)

// An Opener returns the operations over the given folders, which are absolute
// and exist; none means the project around the working directory. Its operations
// refuse paths outside them.
type Opener func(roots []string) ([]op.Op, error)

// A request is a parsed command line of serve.
type request struct {
	transport, host, tokenFile string
	port                       int
	roots, tools               []string
	hosts, origins             []string
	timeout                    time.Duration
	help                       bool
}

// Run is the command serve: it serves what open returns until in or ctx ends.
// Nothing but the protocol is written to out, unless help is asked for.
func Run(ctx context.Context, open Opener, version string, args []string, in io.Reader, out, errOut io.Writer) error {
	req, err := parseArgs(args)
	if err != nil {
		return err
	}
	if req.help {
		_, err := io.WriteString(out, Usage)
		return err
	}
	roots, err := folders(req.roots)
	if err != nil {
		return err
	}
	token, err := req.token(errOut)
	if err != nil {
		return err
	}
	all, err := open(roots)
	if err != nil {
		return err
	}
	ops, err := choose(all, req.tools)
	if err != nil {
		return err
	}
	s, err := Server(ops, version, Options{Timeout: req.timeout, Log: errOut})
	if err != nil {
		return err
	}
	if req.transport == "stdio" {
		return Stdio(ctx, s, in, out)
	}
	return HTTP(ctx, s, HTTPOptions{
		Addr:  net.JoinHostPort(strings.Trim(req.host, "[]"), strconv.Itoa(req.port)),
		Token: token, AllowHosts: req.hosts, AllowOrigins: req.origins,
		Ready: func(at net.Addr) { fmt.Fprintf(errOut, "assay: %s\n", listening(at, token != "")) },
	})
}

func listening(at net.Addr, token bool) string {
	s := fmt.Sprintf("listening on http://%s/mcp", at)
	host, _, err := net.SplitHostPort(at.String())
	if err == nil && loopback(host) {
		return s + ", this machine only; for others --host 0.0.0.0 --token-file FILE --allow-host NAME"
	}
	if token {
		s += ", for whoever bears the token"
	}
	return s
}

func parseArgs(args []string) (request, error) {
	var r request
	fs := flag.NewFlagSet("serve", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&r.transport, "transport", "stdio", "")
	fs.StringVar(&r.host, "host", "127.0.0.1", "")
	fs.IntVar(&r.port, "port", 3000, "")
	fs.StringVar(&r.tokenFile, "token-file", "", "")
	fs.DurationVar(&r.timeout, "timeout", callTimeout, "")
	list := func(name string, to *[]string) {
		fs.Func(name, "", func(s string) error {
			if s == "" {
				return errors.New("it is empty")
			}
			*to = append(*to, s)
			return nil
		})
	}
	list("root", &r.roots)
	list("allow-host", &r.hosts)
	list("allow-origin", &r.origins)
	fs.Func("tools", "", func(s string) error {
		for name := range strings.SplitSeq(s, ",") {
			r.tools = append(r.tools, strings.TrimSpace(name))
		}
		return nil
	})
	wrong := func(format string, args ...any) (request, error) {
		return r, fault.New(fault.Usage, format, args...).Or("assay serve --help lists the flags")
	}
	if err := fs.Parse(args); err != nil {
		r.help = errors.Is(err, flag.ErrHelp)
		if r.help {
			return r, nil
		}
		return wrong("serve: %v", err)
	}
	switch {
	case fs.NArg() > 0:
		return wrong("serve: unexpected argument %q", fs.Arg(0))
	case r.transport != "stdio" && r.transport != "http":
		return wrong("serve: --transport %q is neither stdio nor http", r.transport)
	case r.port < 0 || r.port > 65535:
		return wrong("serve: --port %d is not in 0..65535", r.port)
	case r.timeout <= 0:
		return wrong("serve: --timeout %v is not positive", r.timeout)
	}
	var misplaced string
	fs.Visit(func(f *flag.Flag) {
		if slices.Contains([]string{"host", "port", "token-file", "allow-host", "allow-origin"}, f.Name) {
			misplaced = f.Name
		}
	})
	if misplaced != "" && r.transport != "http" {
		return wrong("serve: --%s means nothing over stdio; add --transport http", misplaced)
	}
	return r, nil
}

// folders makes roots absolute and sees that they are there.
func folders(roots []string) ([]string, error) {
	var abs []string
	for _, root := range roots {
		dir, err := filepath.Abs(root)
		if err != nil {
			return nil, fmt.Errorf("root %s: %w", root, err)
		}
		info, err := os.Stat(dir)
		if err != nil {
			return nil, fault.New(fault.NotFound, "root").Because(err).Or("give --root a folder that exists")
		}
		if !info.IsDir() {
			return nil, fault.New(fault.NotFound, "root %s is not a folder", dir).Or("give --root the folder it lies in")
		}
		if !slices.Contains(abs, dir) {
			abs = append(abs, dir)
		}
	}
	return abs, nil
}

// token reads the token clients must bear, or returns "".
func (r request) token(errOut io.Writer) (string, error) {
	if r.tokenFile == "" {
		return "", nil
	}
	f, err := os.Open(r.tokenFile)
	if err != nil {
		return "", fault.New(fault.NotFound, "token file").Because(err).
			Or("make one: head -c 32 /dev/urandom | base64 > FILE && chmod 600 FILE")
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxTokenFile+1))
	if err != nil {
		return "", fault.New(fault.Unavailable, "token file").Because(err)
	}
	token := strings.TrimSpace(string(data))
	if len(data) > maxTokenFile || len(token) < minToken || strings.ContainsAny(token, " \t\r\n") {
		return "", fault.New(fault.Usage, "token file %s does not hold one token of %d characters or more", r.tokenFile, minToken).
			Or("make one: head -c 32 /dev/urandom | base64 > FILE && chmod 600 FILE")
	}
	if info, err := f.Stat(); err == nil && info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		fmt.Fprintf(errOut, "assay: %s can be read by others; chmod 600 %s\n", r.tokenFile, r.tokenFile)
	}
	return token, nil
}

// choose keeps the operations of the named sets: all but module when none is
// named. An operation belongs to the face that its input comes from.
func choose(ops []op.Op, names []string) ([]op.Op, error) {
	sets := map[string][]op.Op{}
	for _, o := range ops {
		if len(o.Tools) > 0 {
			name := path.Base(o.In.PkgPath())
			sets[name] = append(sets[name], o)
		}
	}
	if len(names) == 0 {
		names = slices.DeleteFunc(slices.Sorted(maps.Keys(sets)), func(s string) bool { return s == "module" })
	}
	var chosen []op.Op
	for _, name := range names {
		if sets[name] == nil {
			return nil, fault.New(fault.Usage, "serve: no tools called %q", name).
				Or("--tools takes: %s", strings.Join(slices.Sorted(maps.Keys(sets)), ", "))
		}
	}
	for _, o := range ops {
		if len(o.Tools) > 0 && slices.Contains(names, path.Base(o.In.PkgPath())) {
			chosen = append(chosen, o)
		}
	}
	return chosen, nil
}
