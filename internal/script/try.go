package script

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/assay-dev/assay/examples"
	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/base/render"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/script/lua"
	"github.com/assay-dev/assay/internal/script/mock"
)

// A TryInput asks for an example to be run.
type TryInput struct {
	Example string `json:"example,omitempty" arg:"1" help:"name of the example (default: list them)"`
}

// An Example is a script that comes with the program.
type Example struct {
	Name string `json:"name"`
	What string `json:"what"`
	Code string `json:"code"`
}

// A Trial is what came of an example, or which there are.
type Trial struct {
	Examples []Example      `json:"examples,omitempty"`
	Example  string         `json:"example,omitempty"`
	Requests []mock.Request `json:"requests,omitempty"` // that it sent, in order, without their headers
	*ExecResult
}

// Try runs one of the program's examples against a mock server of its own. It runs nothing else: the script can reach
// that server alone, no file, and no variable of the process.
func (f *Feature) Try(ctx context.Context, in TryInput) (*Trial, error) {
	all, err := tried()
	if err != nil {
		return nil, err
	}
	if in.Example == "" {
		return &Trial{Examples: all}, nil
	}
	i := slices.IndexFunc(all, func(x Example) bool { return x.Name == in.Example })
	if i < 0 {
		return nil, fault.New(fault.NotFound, "no example %s", text.Line(in.Example)).Try("modules try")
	}
	fixture, err := examples.Files.ReadFile("mock.json")
	if err != nil {
		return nil, fmt.Errorf("read the fixture: %w", err)
	}
	server, err := mock.New(fixture)
	if err != nil {
		return nil, err
	}
	l, err := mock.Listen(0)
	if err != nil {
		return nil, fault.New(fault.Unavailable, "cannot listen").Because(err)
	}
	out := &Trial{Example: in.Example, Requests: []mock.Request{}}
	var mu sync.Mutex
	server.Tell = func(r mock.Request) {
		mu.Lock()
		defer mu.Unlock()
		r.Headers = nil
		out.Requests = append(out.Requests, r)
	}
	serving, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(serving, l) // what it was to answer it has answered
	}()
	defer func() { stop(); <-done }()
	env, err := variables(mock.URL(l))
	if err != nil {
		return nil, err
	}
	at, err := url.Parse(mock.URL(l))
	if err != nil {
		return nil, fmt.Errorf("read the address of the mock server: %w", err)
	}
	apart := New(Config{WorkDir: f.cfg.WorkDir, Now: f.cfg.Now, Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		Policy: &lua.Policy{Hosts: []string{at.Host}, Methods: []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}, Env: slices.Sorted(maps.Keys(env))}})
	if out.ExecResult, err = apart.Exec(ctx, ExecInput{Eval: all[i].Code, Confined: true}); err != nil {
		return nil, err
	}
	mu.Lock()
	out.Requests = slices.Clone(out.Requests)
	mu.Unlock()
	return out, nil
}

// tried returns the examples by their names.
func tried() (out []Example, err error) {
	list, err := examples.Files.ReadDir(".")
	if err != nil {
		return nil, fmt.Errorf("list the examples: %w", err)
	}
	for _, e := range list {
		name, script := strings.CutSuffix(e.Name(), ".lua")
		if !script {
			continue
		}
		code, err := examples.Files.ReadFile(path.Join(".", e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read an example: %w", err)
		}
		_, what, _ := strings.Cut(string(code), "-- ")
		what, _, _ = strings.Cut(what, "\n")
		out = append(out, Example{name, what, strings.TrimPrefix(string(code), "#!/usr/bin/env assay\n")})
	}
	return out, nil
}

// variables are those by which an example finds a mock server.
func variables(at string) (map[string]string, error) {
	lines, err := examples.Files.ReadFile("env.sh")
	if err != nil {
		return nil, fmt.Errorf("read the variables of the examples: %w", err)
	}
	env := map[string]string{}
	for line := range strings.Lines(string(lines)) {
		if name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "="); ok {
			env[name] = strings.ReplaceAll(value, "$MOCK", at)
		}
	}
	env["MOCK"] = at
	return env, nil
}

// WriteText writes what came of it, or the list.
func (r *Trial) WriteText(w io.Writer, colour bool) error {
	var b strings.Builder
	for _, x := range r.Examples {
		fmt.Fprintf(&b, "%-12s %s\n", x.Name, x.What)
	}
	for _, q := range r.Requests {
		b.WriteString(render.Note(render.Columns(w), "%s %s %d", q.Method, text.Line(q.Path), q.Status))
	}
	if _, err := io.WriteString(w, b.String()); err != nil || r.ExecResult == nil {
		return err
	}
	if r.Error != nil {
		return codec.WriteJSON(w, r)
	}
	if _, err := io.WriteString(w, r.Output); err != nil {
		return err
	}
	return r.ExecResult.WriteText(w, colour)
}
