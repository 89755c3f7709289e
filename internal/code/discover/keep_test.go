package discover

import (
	"slices"
	"testing"
)

// TestKeepSecrets: of a part of a tree, files of secrets that lie elsewhere are not named.
func TestKeepSecrets(t *testing.T) {
	tests := []struct {
		name    string
		secrets []string
		skipped int
		want    []string
		count   int
	}{
		{"inside and outside", []string{"a/.env", "b/id_rsa"}, 2, []string{"a/.env"}, 1},
		{"all inside", []string{"a/.env", "a/id_rsa"}, 2, []string{"a/.env", "a/id_rsa"}, 2},
		{"more than are named", []string{"a/.env", "b/id_rsa"}, 9, []string{"a/.env"}, 9},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := &Tree{Secrets: tt.secrets, Skipped: map[Reason]int{secret: tt.skipped}}
			tree.Keep(func(path string) bool { return path[0] == 'a' })
			if !slices.Equal(tree.Secrets, tt.want) || tree.Skipped[secret] != tt.count {
				t.Errorf("named %v of %d, want %v of %d", tree.Secrets, tree.Skipped[secret], tt.want, tt.count)
			}
		})
	}
}
