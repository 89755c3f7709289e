package cli_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/present/cli"
)

func TestDoctor(t *testing.T) {
	part := func(name string, f ...cli.Finding) cli.Part {
		return cli.Part{Name: name, Look: func(context.Context) []cli.Finding { return f }}
	}
	fine, absent := part("index", cli.Finding{State: cli.Fine, Says: "fresh"}), part("ck", cli.Finding{State: cli.Absent, Says: "not installed", Fix: "ln -s"})
	wrong := part("docs", cli.Finding{State: cli.Wrong, Says: "damaged\x1b[2J", Fix: "remove it"})
	for _, tc := range []struct {
		parts  []cli.Part
		args   string
		broken error
		status int
		stdout string
	}{
		{[]cli.Part{fine, absent}, "", nil, 0, "assay v1\n✓ index: fresh\n○ ck: not installed (optional)\n    ln -s\n"},
		{[]cli.Part{fine, wrong}, "", nil, 1, "assay v1\n✓ index: fresh\n✗ docs: damaged<U+001B>[2J\n    remove it\n"},
		{[]cli.Part{absent}, "--json", nil, 0, `{"version":"v1","findings":[{"part":"ck","state":"absent","says":"not installed","fix":"ln -s"}],"wrong":0}` + "\n"},
		// Settings that cannot be read are what a doctor is for.
		{[]cli.Part{fine}, "", errors.New("settings"), 0, "assay v1\n✓ index: fresh\n"},
		{nil, "--fast", nil, 2, ""},
	} {
		var stdout, stderr bytes.Buffer
		env := cli.Env{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Version: "v1", Broken: tc.broken,
			Commands: []cli.Command{{Name: "doctor", Brief: "x", Always: true, Run: func(ctx context.Context, args []string, env cli.Env) error {
				return cli.Doctor(ctx, tc.parts, args, env)
			}}}}
		status := cli.Run(context.Background(), fakes(nil), append([]string{"doctor"}, strings.Fields(tc.args)...), env)
		if status != tc.status || stdout.String() != tc.stdout {
			t.Errorf("status %d, %q, %s; want %d, %q", status, stdout.String(), &stderr, tc.status, tc.stdout)
		}
	}
}
