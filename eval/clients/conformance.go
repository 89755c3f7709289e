package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// notOurs are the scenarios for what assay does not have, and why not.
func notOurs() map[string]string {
	const (
		ownTool   = "asks for a tool of the suite's own; tried below with that tool"
		text      = "asks for a tool of the suite's own; assay answers text and data, no images, sound or resources"
		requests  = "asks for a tool that asks the client back; assay never does"
		resources = "assay has no resources"
		prompts   = "assay has no prompts"
		streams   = "assay keeps no sessions: each request has its answer, as JSON"
	)
	return map[string]string{
		"completion-complete":           "assay has no prompts or resources whose arguments could be completed",
		"tools-call-simple-text":        ownTool,
		"tools-call-error":              ownTool,
		"json-schema-2020-12":           "asks for a tool of the suite's own whose schema has $defs; assay's have none",
		"tools-call-image":              text,
		"tools-call-audio":              text,
		"tools-call-embedded-resource":  text,
		"tools-call-mixed-content":      text,
		"tools-call-with-logging":       "asks for a tool of the suite's own that logs to its client; assay does not",
		"tools-call-with-progress":      "asks for a tool of the suite's own; over HTTP the answer is one JSON message, progress is told over stdio",
		"tools-call-sampling":           requests,
		"tools-call-elicitation":        requests,
		"elicitation-sep1034-defaults":  requests,
		"elicitation-sep1330-enums":     requests,
		"server-sse-polling":            streams,
		"server-sse-multiple-streams":   streams,
		"resources-read-text":           resources,
		"resources-read-binary":         resources,
		"resources-templates-read":      resources,
		"resources-subscribe":           resources,
		"resources-unsubscribe":         resources,
		"prompts-get-simple":            prompts,
		"prompts-get-with-args":         prompts,
		"prompts-get-embedded-resource": prompts,
		"prompts-get-with-image":        prompts,
	}
}

// conformance runs every scenario for servers against assay, and those for tools of
// the suite's own against a server that has them.
func (b *bench) conformance(ctx context.Context) error {
	if b.npm.missing != nil {
		b.say(skip, "conformance", "%v", b.npm.missing)
		return nil
	}
	s, err := b.start(ctx, "assay", b.served("--transport", "http", "--port", "0")...)
	if err != nil {
		return err
	}
	defer b.stop(s)
	results, err := b.suite(ctx, s.url, "--suite", "all")
	if err != nil {
		return err
	}
	reasons := notOurs()
	for _, r := range results {
		name := "conformance " + r.scenario
		reason, expected := reasons[r.scenario]
		delete(reasons, r.scenario)
		switch {
		case !expected && r.failed == 0 && r.passed > 0:
			b.say(pass, name, "%d checks", r.passed)
		case expected && r.passed == 0:
			b.say(absent, name, "%s", reason)
		case expected:
			b.say(fail, name, "it passes in part: %q is no longer true of it", reason)
		default:
			b.say(fail, name, "%d of its checks failed: %s", r.failed, b.why(ctx, s.url, r.scenario))
		}
	}
	for scenario := range reasons {
		b.say(fail, "conformance "+scenario, "the suite has no such scenario: take it off the list")
	}
	return b.ownTools(ctx)
}

// A result is what came of a scenario.
type result struct {
	scenario       string
	passed, failed int
}

// suite runs scenarios and returns what came of each.
func (b *bench) suite(ctx context.Context, url string, which ...string) ([]result, error) {
	out, err := b.scenarios(ctx, url, which...)
	results := summary(out)
	if len(results) == 0 {
		return nil, fmt.Errorf("conformance: no results: %w\n%s", err, out)
	}
	return results, nil
}

// summary reads the end of what the suite prints.
func summary(out string) []result {
	var results []result
	for _, m := range regexp.MustCompile(`(?m)^[✓✗] (\S+): (\d+) passed, (\d+) failed`).FindAllStringSubmatch(out, -1) {
		passed, err := strconv.Atoi(m[2])
		failed, err2 := strconv.Atoi(m[3])
		if err != nil || err2 != nil {
			failed = max(failed, 1) // a number out of all bounds is none to trust
		}
		results = append(results, result{m[1], passed, failed})
	}
	return results
}

// scenarios runs scenarios and returns what the suite prints. Its status is 1 when
// one fails, which is no error here.
func (b *bench) scenarios(ctx context.Context, url string, which ...string) (string, error) {
	cmd := b.command(ctx, filepath.Join(b.npm.path, "conformance"), append([]string{"server", "--url", url}, which...)...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// why returns what the suite says of a scenario that failed.
func (b *bench) why(ctx context.Context, url, scenario string) string {
	out, err := b.scenarios(ctx, url, "--scenario", scenario)
	_, after, ok := strings.Cut(out, "=== Failed Checks ===")
	if !ok {
		return fmt.Sprintf("alone it ends with %v", err)
	}
	return after
}

// ownTools runs the scenarios for tools of the suite's own.
func (b *bench) ownTools(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	s, err := mcp.Server(suiteTools(), "test", mcp.Options{})
	if err != nil {
		return err
	}
	at, done := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		done <- mcp.HTTP(ctx, s, mcp.HTTPOptions{Addr: "127.0.0.1:0", Ready: func(a net.Addr) { at <- a }})
	}()
	select {
	case err := <-done:
		return err
	case a := <-at:
		for _, scenario := range []string{"tools-call-simple-text", "tools-call-error"} {
			out, err := b.scenarios(ctx, "http://"+a.String()+"/mcp", "--scenario", scenario)
			if err != nil {
				err = errors.Join(err, errors.New(out))
			}
			b.check("conformance "+scenario+", its tool", err, "against a server with that tool")
		}
	}
	stop()
	return <-done
}

// suiteTools are the tools that scenarios ask for.
func suiteTools() []op.Op {
	tool := func(name string, run func() (op.Result, error)) op.Op {
		return op.Op{
			Name: name, Brief: name,
			Tools: []op.Tool{{
				Name: name, Brief: "A tool of the suite", Plain: true, Schema: &jsonschema.Schema{Type: "object"},
				Decode: func(json.RawMessage) (any, error) { return struct{}{}, nil },
			}},
			Run: func(context.Context, any, op.Out) (op.Result, error) { return run() },
		}
	}
	return []op.Op{
		tool("test_simple_text", func() (op.Result, error) { return words("This is a simple text response for testing."), nil }),
		tool("test_error_handling", func() (op.Result, error) {
			return nil, fault.New(fault.Negative, "This tool intentionally returns an error for testing")
		}),
	}
}

// words are an answer.
type words string

// WriteText writes them.
func (s words) WriteText(w io.Writer, _ bool) error {
	_, err := io.WriteString(w, string(s))
	return err
}
