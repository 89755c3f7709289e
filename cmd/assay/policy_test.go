package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/assay-dev/assay/internal/present/mcp"
	"github.com/assay-dev/assay/internal/script/lua"
)

// Each flag of serve grants what it names: a method writes to no database and opens no web socket.
func TestServerPolicy(t *testing.T) {
	for name, tt := range map[string]struct {
		reach *mcp.Exec
		want  lua.Policy
	}{
		"no code":       {nil, lua.Policy{ReadOnly: true}},
		"nothing named": {&mcp.Exec{}, lua.Policy{}},
		"a method":      {&mcp.Exec{Methods: []string{"GET"}, Hosts: []string{"db:5432"}}, lua.Policy{Methods: []string{"GET"}, Hosts: []string{"db:5432"}}},
		"databases":     {&mcp.Exec{Write: []string{"db"}}, lua.Policy{WriteDB: true}},
		"web sockets":   {&mcp.Exec{Write: []string{"ws"}, Env: []string{"A"}}, lua.Policy{WriteWS: true, Env: []string{"A"}}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &surroundings{}
			s.trees.CacheDir = t.TempDir()
			got, err := s.policy(tt.reach)
			if err != nil {
				t.Fatal(err)
			}
			if (got.Scratch != "") != (tt.reach != nil) {
				t.Errorf("files are in %q", got.Scratch)
			}
			got.Scratch = ""
			if d := cmp.Diff(&tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
