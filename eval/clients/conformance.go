package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/present/op"
)

// revisions are the versions of the protocol whose scenarios are run, as each was frozen.
var revisions = []string{"2025-11-25", "2026-07-28"}

// notOurs are the scenarios for what assay does not have, by how their names begin, and why not. A
// scenario of which a part asks for that is listed with the checks of that part.
func notOurs() []exception {
	const (
		ownTool  = "asks for a tool of the suite's own; tried below with that tool"
		text     = "asks for a tool of the suite's own; assay answers text and data, no images, sound or resources"
		requests = "asks for a tool of the suite's own that asks the client back; over HTTP assay never does"
		streams  = "assay keeps no sessions: each request has its answer, as JSON"
	)
	return []exception{
		{"completion-complete", "assay has no prompts or resources whose arguments could be completed", nil},
		{"tools-call-simple-text", ownTool, nil},
		{"tools-call-error", ownTool, nil},
		{"json-schema-2020-12", ownTool, nil},
		{"tools-call-image", text, nil},
		{"tools-call-audio", text, nil},
		{"tools-call-embedded-resource", text, nil},
		{"tools-call-mixed-content", text, nil},
		{"tools-call-with-logging", "asks for a tool of the suite's own that logs to its client; assay does not", nil},
		{"tools-call-with-progress", "asks for a tool of the suite's own; over HTTP the answer is one JSON message, progress is told over stdio", nil},
		{"tools-call-sampling", requests, nil},
		{"tools-call-elicitation", requests, nil},
		{"elicitation-", requests, nil},
		{"input-required-result-", requests, nil},
		{"server-sse-polling", streams, nil},
		{"server-session-lifecycle", streams, nil},
		{"server-sse-multiple-streams", streams, nil},
		{"resources-", "assay has no resources", nil},
		{"sep-2164-resource-not-found", "assay has no resources", nil},
		{"prompts-", "assay has no prompts", nil},
		{"tasks-", "assay has no tasks: an extension that it does not declare", nil},
		{"http-custom-header-server-validation", "asks for a tool one of whose arguments is a header too; assay has none", nil},
		{"caching", "assay has no prompts or resources", []string{"PromptsListCachingHints", "ResourcesListCachingHints", "ResourcesTemplatesListCachingHints"}},
		{"server-stateless", "these ask for tools of the suite's own that ask back, log or need what a client did not declare",
			[]string{"ServerRejectsUndeclaredCapability", "MissingCapabilityHttp400", "HttpServerNoIndependentRequestsOnStream", "ServerNoLogWithoutLogLevel"}},
	}
}

// An exception is what need not pass.
type exception struct {
	scenario, reason string
	checks           []string // the names of those that need not; none: no check does
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
	for _, revision := range revisions {
		if err := b.revision(ctx, s.url, revision); err != nil {
			return err
		}
	}
	return b.ownTools(ctx)
}

// revision runs the scenarios of one version of the protocol.
func (b *bench) revision(ctx context.Context, url, revision string) error {
	results, err := b.suite(ctx, url, "--requirements", revision)
	if err != nil {
		return err
	}
	for _, r := range results {
		name := "conformance " + revision + " " + r.scenario
		i := slices.IndexFunc(notOurs(), func(e exception) bool { return strings.HasPrefix(r.scenario, e.scenario) })
		var known exception
		if i >= 0 {
			known = notOurs()[i]
		}
		var other []string
		for _, check := range r.checks {
			if i < 0 || known.checks != nil && !slices.Contains(known.checks, check) {
				other = append(other, check)
			}
		}
		switch {
		case len(other) > 0 || i < 0 && r.failed > 0:
			b.say(fail, name, "%d of its checks failed: %s", r.failed, b.why(ctx, url, r.scenario, revision))
		case r.failed == 0 && r.passed > 0:
			b.say(pass, name, "%d checks", r.passed)
		case known.checks != nil:
			b.say(pass, name, "%d checks; not %s: %s", r.passed, strings.Join(r.checks, ", "), known.reason)
		case i < 0:
			b.say(fail, name, "it has no checks that apply")
		default:
			b.say(absent, name, "%s", known.reason)
		}
	}
	return nil
}

// A result is what came of a scenario.
type result struct {
	scenario       string
	passed, failed int
	checks         []string // the names of those that failed
}

// suite runs scenarios and returns what came of each.
func (b *bench) suite(ctx context.Context, url string, which ...string) ([]result, error) {
	said := filepath.Join(b.work, "conformance")
	out, err := b.scenarios(ctx, url, append(which, "--output-dir", said)...)
	results := summary(out)
	if len(results) == 0 {
		return nil, fmt.Errorf("conformance: no results: %w\n%s", err, out)
	}
	for i := range results {
		if results[i].checks, err = failedChecks(said, results[i].scenario); err != nil {
			return nil, err
		}
	}
	return results, os.RemoveAll(said)
}

// failedChecks returns the names of the checks of a scenario that failed, from what the suite
// wrote of it.
func failedChecks(folder, scenario string) (names []string, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "server-"+scenario+"-2*", "checks.json"))
	if err != nil || len(files) != 1 {
		return nil, fmt.Errorf("the suite wrote %d files of %s: %w", len(files), scenario, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		return nil, err
	}
	var checks []struct{ Name, Status string }
	if err := json.Unmarshal(data, &checks); err != nil {
		return nil, fmt.Errorf("%s: %w", files[0], err)
	}
	for _, c := range checks {
		if c.Status == "FAILURE" && !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names, nil
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
		results = append(results, result{scenario: m[1], passed: passed, failed: failed})
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
func (b *bench) why(ctx context.Context, url, scenario, revision string) string {
	out, err := b.scenarios(ctx, url, "--scenario", scenario, "--spec-version", revision)
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
		for _, revision := range revisions {
			for _, scenario := range []string{"tools-call-simple-text", "tools-call-error", "json-schema-2020-12"} {
				out, err := b.scenarios(ctx, "http://"+a.String()+"/mcp", "--scenario", scenario, "--spec-version", revision)
				if err != nil {
					err = errors.Join(err, errors.New(out))
				}
				b.check("conformance "+revision+" "+scenario+", its tool", err, "against a server with that tool")
			}
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
				Name: name, Brief: "A tool of the suite", Plain: true, Schema: func() *jsonschema.Schema { return &jsonschema.Schema{Type: "object"} },
				Decode: func(json.RawMessage) (any, error) { return struct{}{}, nil },
			}},
			Run: func(context.Context, any, op.Out) (op.Result, error) { return run() },
		}
	}
	var schema jsonschema.Schema
	if err := json.Unmarshal([]byte(suiteSchema), &schema); err != nil {
		panic(err) // it is a constant
	}
	described := tool("json_schema_2020_12_tool", func() (op.Result, error) { return words("done"), nil })
	described.Tools[0].Schema = func() *jsonschema.Schema { return &schema }
	return []op.Op{
		described,
		tool("test_simple_text", func() (op.Result, error) { return words("This is a simple text response for testing."), nil }),
		tool("test_error_handling", func() (op.Result, error) {
			return nil, fault.New(fault.Negative, "This tool intentionally returns an error for testing")
		}),
	}
}

// suiteSchema is the one that the suite expects of json_schema_2020_12_tool.
const suiteSchema = `{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
	"$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
	"properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}, "contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"}, "email": {"type": "string"}},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
	"then": {"required": ["phone"]}, "else": {"required": ["email"]}, "additionalProperties": false}`

// words are an answer.
type words string

// WriteText writes them.
func (s words) WriteText(w io.Writer, _ bool) error {
	_, err := io.WriteString(w, string(s))
	return err
}
