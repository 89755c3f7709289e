//go:build unix

package vault

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/assay-dev/assay/internal/base/testaid"
)

var _ = also("exchange", func(args []string) error {
	m := openChild(args[0], args[1])
	defer m.Close()
	_, err := m.Exchange(context.Background(), Exchange{})
	return err
})

// Whichever git command it is killed before or after, an exchange loses no version of any
// note, and the next one ends what it began.
func TestExchangeKilled(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	a, b := fresh(t, func(c *Config) { c.Embedder = nil }), fresh(t, func(c *Config) { c.Embedder = nil })
	remote := remoteFor(t)
	write(t, a, "both.md", "first\n")
	swap(t, a, remote)
	swap(t, b, remote)
	bin := t.TempDir()
	first, step := 1, 1
	if testing.Short() { // some of the commands, in each run others
		step = 6
		first += rand.IntN(step)
	}
	for _, when := range []string{"before", "after"} {
		killed := true
		for k := first; killed; k += step {
			name := fmt.Sprintf("%s-%d", when, k)
			count := filepath.Join(bin, name)
			script := fmt.Sprintf("#!/bin/sh\nn=$(($(cat %[1]s 2>/dev/null || echo 0) + 1))\necho $n > %[1]s\n", count)
			die := fmt.Sprintf("if [ $n = %d ]; then kill -9 $PPID; exit 1; fi\n", k)
			if when == "before" {
				script += die + "exec " + git + ` "$@"` + "\n"
			} else {
				script += git + ` "$@"` + "\nrc=$?\n" + die + "exit $rc\n"
			}
			testaid.WriteProgram(t, filepath.Join(bin, "git"), []byte(script))

			ours, yours := "ours "+name, "theirs "+name
			write(t, a, "both.md", ours+"\n")
			write(t, a, "a-"+name+".md", "of a "+name+"\n")
			write(t, b, "both.md", yours+"\n")
			write(t, b, "b-"+name+".md", "of b "+name+"\n")
			swap(t, a, "")
			cmd := child("exchange", b.cfg.Vault, b.cfg.DB)
			cmd.Env = append(cmd.Env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
			out, err := cmd.CombinedOutput()
			if killed = err != nil; killed && !strings.Contains(err.Error(), "killed") {
				t.Fatalf("%s: %v: %s", name, err, out)
			}
			if text := fmt.Sprint(readNotes(t, b)); !strings.Contains(text, yours) || !strings.Contains(text, "of b "+name) {
				t.Fatalf("%s: what was here is lost: %s", name, text)
			}
			swap(t, b, "")
			swap(t, a, "")
			sameNotes(t, a, b)
			n := 0
			for _, text := range readNotes(t, a) {
				for _, part := range []string{ours + "\n", yours + "\n", "of a " + name + "\n", "of b " + name + "\n"} {
					n += strings.Count(text, part)
				}
			}
			if n != 4 || k > 40 {
				t.Fatalf("%s: %d of 4 versions: %v", name, n, readNotes(t, a))
			}
		}
	}
}
