package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// samples are arguments for the tools, and a part of the answer.
func samples() map[string]struct {
	args []string
	want string
} {
	return map[string]struct {
		args []string
		want string
	}{
		"semantic_search":    {[]string{"query=waits twice as long", "threshold=0"}, "retry.go"},
		"hybrid_search":      {[]string{"query=calls until it succeeds", "threshold=0"}, "retry.go"},
		"regex_search":       {[]string{"query=[Rr]etry"}, "retry.go"},
		"assay":              {[]string{"query_type=callers", "pattern=Do"}, "again"},
		"resolve-library-id": {[]string{"query=backoff", "libraryName=Retry"}, "- Context7-compatible library ID: /acme/retry"},
		"query-docs":         {[]string{"query=how long does an attempt wait", "libraryId=/acme/retry"}, "### Backoff\n\nSource: "},
	}
}

// inspector lists and calls the tools over both transports. The answers have to be
// the same.
func (b *bench) inspector(ctx context.Context) error {
	if b.npm.missing != nil {
		b.say(skip, "inspector", "%v", b.npm.missing)
		return nil
	}
	s, err := b.start(ctx, "assay", b.served("--transport", "http", "--port", "0")...)
	if err != nil {
		return err
	}
	defer b.stop(s)
	targets := []struct {
		name string
		args []string
	}{
		{"stdio", append([]string{"--cli", b.assay}, b.served()...)},
		{"http", []string{"--cli", s.url, "--transport", "http"}},
	}
	lists := make([]string, len(targets))
	for i, t := range targets {
		var tools struct{ Tools []struct{ Name string } }
		lists[i], err = b.inspect(ctx, &tools, append(t.args, "--method", "tools/list", "--strict")...)
		if err == nil && i > 0 && lists[i] != lists[0] {
			err = errors.New("not the same list as over " + targets[0].name)
		}
		b.check("inspector "+t.name+" tools/list --strict", err, "%d tools", len(tools.Tools))
		for _, tool := range tools.Tools {
			check := "inspector " + t.name + " tools/call " + tool.Name
			sample, ok := samples()[tool.Name]
			if !ok {
				b.say(skip, check, "no arguments for it are known here")
				continue
			}
			var answer struct {
				IsError bool
				Content []struct{ Text string }
			}
			args := append(slices.Clone(t.args), "--method", "tools/call", "--tool-name", tool.Name)
			for _, a := range sample.args {
				args = append(args, "--tool-arg", a)
			}
			raw, err := b.inspect(ctx, &answer, args...)
			if err == nil && (answer.IsError || len(answer.Content) != 1 || !strings.Contains(answer.Content[0].Text, sample.want)) {
				err = fmt.Errorf("the answer has no %q: %s", sample.want, raw)
			}
			b.check(check, err, "%d bytes", len(raw))
		}
	}
	return ctx.Err()
}

// inspect runs the inspector and reads what it prints into to.
func (b *bench) inspect(ctx context.Context, to any, args ...string) (string, error) {
	cmd := b.command(ctx, filepath.Join(b.npm.path, "mcp-inspector"), args...)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%w: %s%s", err, out, said.String())
	}
	if err := json.Unmarshal(out, to); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return string(out), nil
}
