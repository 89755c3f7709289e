package mcp_test

import (
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/present/mcp"
)

func TestContext7Args(t *testing.T) {
	for _, tc := range []struct{ args, want string }{
		{"", "serve --tools docs"},
		{"--transport http --port 3000 --db docs.db", "serve --tools docs --transport http --port 3000 --db docs.db"},
		{"serve --db=docs.db", "serve --tools docs --db=docs.db"},
		{"--help", "serve --tools docs --help"},
		{"help", "serve --tools docs --help"},
		{"--version", "--version"},
		{"-v", "--version"},
		{"--api-key ctx7sk-1 --transport stdio", "serve --tools docs --transport stdio"},
		{"--transport stdio --api-key=ctx7sk-1", "serve --tools docs --transport stdio"},
		{"--transport stdio --api-key", "serve --tools docs --transport stdio"},
		{"ingest https://example.org/a/b --db docs.db --version v1", "docs ingest https://example.org/a/b --db docs.db --version v1"},
		{"ingest --repo https://example.org/a/b --db docs.db", "docs ingest https://example.org/a/b --db docs.db"},
		{"preview --repo=https://example.org/a/b --docs-path docs/**", "docs preview https://example.org/a/b --docs-path docs/**"},
		{"ingest --preset react", "docs ingest --preset react"},
		{"ingest --help", "docs ingest --help"},
		{"list --db docs.db", "docs list --db docs.db"},
		{"remove /a/b --version v1 --db docs.db", "docs remove /a/b --version v1 --db docs.db"},
		{"query /a/b --repo x", "docs query /a/b --repo x"},
	} {
		got, err := mcp.Context7Args(strings.Fields(tc.args))
		if err != nil || strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %q, %v, want %s", tc.args, got, err, tc.want)
		}
	}
	if got, err := mcp.Context7Args([]string{"ingest", "--repo"}); fault.KindOf(err) != fault.Usage {
		t.Errorf("--repo without a value: %q, %v", got, err)
	}
}
