package engine_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/codec"
	"github.com/assay-dev/assay/internal/base/text"
	"github.com/assay-dev/assay/internal/code/index"
)

// packedLog returns a log of past commits, as package history keeps it, of one commit that changed one file.
func packedLog(commit, subject, file string) []byte {
	var terms []string
	text.Words([]byte(subject), func(w []byte) { terms = text.Code().Terms(terms, w) })
	b := codec.AppendPacked([]byte{1, 1}, commit)
	b = binary.AppendUvarint(b, uint64(len(terms)))
	for _, t := range terms {
		b = codec.AppendPacked(b, t)
	}
	b = codec.AppendPacked(append(b, 1), file)
	b = binary.AppendUvarint(append(b, 1), uint64(len(terms)))
	for i := range terms {
		b = binary.AppendUvarint(b, uint64(i))
	}
	return append(b, 1, 0)
}

// Words of the subjects of past commits count for questions in words, and not for names.
func TestPastChanges(t *testing.T) {
	alike := func(name string) string {
		return "package p\n\nfunc " + name + "() int {\n\treturn backoff() // waits and asks the server once more\n}\n"
	}
	tr := newTree(t, map[string]string{"alpha.go": alike("Alpha"), "beta.go": alike("Beta"), "gamma.go": alike("Gamma") + "\n// Beta comes next.\n"})
	const question = "wait for the server when uploads of pictures fail"
	check := func(name, query, want string) {
		t.Helper()
		if got, _ := ask(t, tr.open(), query); len(got) == 0 || got[0] != want {
			t.Errorf("%s: %q finds %v, want %s first", name, query, got, want)
		}
	}
	sync(t, tr.open())
	check("without a repository", question, "alpha.go")

	one, two := strings.Repeat("1", 40), strings.Repeat("2", 40)
	tr.write(".git/HEAD", "ref: refs/heads/main\n")
	keep := func(log []byte) {
		t.Helper()
		ix, err := index.Open(t.Context(), tr.dir, false)
		if err != nil {
			t.Fatal(err)
		}
		defer ix.Close()
		ix.KeepHistory(log)
	}
	keep(packedLog(one, "uploads of pictures fail", "gamma.go"))
	tr.write(".git/refs/heads/main", one+"\n")
	check("with a log of the commit", question, "gamma.go")
	check("a name", "Beta", "beta.go")
	keep(packedLog(one, "Beta", "gamma.go"))
	check("a name that is a subject", "Beta", "beta.go")
	keep(packedLog(one, "uploads of pictures fail", "gamma.go"))
	// The log is of another commit, and git cannot read this one: it is not there.
	tr.write(".git/refs/heads/main", two+"\n")
	check("with a log of another commit", question, "alpha.go")

	tr.write(".git/refs/heads/main", one+"\n")
	keep(packedLog(one, "uploads of pictures fail", "removed.go"))
	check("a file that is gone", question, "alpha.go")
	keep([]byte("no log"))
	check("no log", question, "alpha.go")
	keep(packedLog(one, "uploads of pictures fail", "gamma.go"))
	kept := filepath.Join(tr.dir, "history")
	whole, err := os.ReadFile(kept)
	if err != nil {
		t.Fatal(err)
	}
	whole[len(whole)-1]++
	if err := os.WriteFile(kept, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	check("a damaged log", question, "alpha.go")
}
