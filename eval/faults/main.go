// Command faults runs assay on a disk that fails. It follows the calls of a command that
// change files (write, fsync, rename, unlink, truncate, mkdir, link, the creation of a
// file; SQLite's among them), lets the nth of them go wrong, and asks what is there
// then, for each n and each way to go wrong:
//
//	fail     the call returns EIO
//	full     the call and all later ones that need room return ENOSPC
//	short    a write stores half of what it was given
//	lose     the call is not made and says that it was
//	kill     the process is killed before it
//
// The next commands must answer as before the command or as after it; what was
// acknowledged by exit status 0 must be there, except by a disk that loses it, where
// damage must be reported; a failure has a documented status and a message; and what is
// left in the way of temporary files is gone once it is old.
//
//	go build -o /tmp/assay ./cmd/assay
//	go run ./eval/faults -assay /tmp/assay                    # everything, about an hour
//	go run ./eval/faults -assay /tmp/assay -match docs -v     # the commands whose names match
//	go run ./eval/faults -assay /tmp/assay -mode kill         # kills alone, before every call
//
// It needs ptrace and seccomp, and so Linux on amd64. go test runs a part of each sweep.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A plan says which call goes wrong, and how. The zero plan has none go wrong.
type plan struct {
	n    int
	mode string
}

// An op is a call that changes files.
type op struct{ kind, path string }

type result struct {
	status         int // -1: killed
	stdout, stderr string
	ops            []op
}

// grows are the kinds of calls that need room on the disk.
var grows = map[string]bool{"write": true, "truncate": true, "mkdir": true, "link": true, "create": true}

var modes = []string{"fail", "full", "short", "lose", "kill"}

// applies says whether a call can go wrong in that way.
func applies(mode, kind string) bool {
	switch mode {
	case "full":
		return grows[kind]
	case "short":
		return kind == "write"
	case "lose":
		return kind != "create" // a descriptor cannot be made up
	}
	return true
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == underArg {
		fmt.Fprintln(os.Stderr, under(os.Args[2:]))
		os.Exit(125)
	}
	binary := flag.String("assay", "", "the `program`")
	match := flag.String("match", "", "only the commands whose names match this `pattern`")
	only := flag.String("plan", "", "only this `n:mode`")
	mode := flag.String("mode", "", "only this `way` to go wrong, such as kill")
	step := flag.Int("step", 1, "only every nth fault")
	verbose := flag.Bool("v", false, "list the calls of each command")
	flag.Parse()
	pattern, err := regexp.Compile(*match)
	if err == nil && *binary == "" {
		err = fmt.Errorf("-assay is needed")
	}
	if err == nil && *mode != "" && !slices.Contains(modes, *mode) {
		err = fmt.Errorf("unknown -mode %q: use one of %s", *mode, strings.Join(modes, ", "))
	}
	if err == nil {
		*binary, err = filepath.Abs(*binary)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(2)
	}
	bad := 0
	for _, c := range commands {
		if !pattern.MatchString(c.name) {
			continue
		}
		s, err := newSweep(*binary, c)
		if err != nil {
			fmt.Fprintf(os.Stderr, "faults: %s: %v\n", c.name, err)
			os.Exit(2)
		}
		if *verbose {
			for i, o := range s.ops {
				fmt.Printf("    %d %s %s\n", i+1, o.kind, o.path)
			}
		}
		for _, p := range s.plans(*step) {
			if *only != "" && *only != fmt.Sprintf("%d:%s", p.n, p.mode) {
				continue
			}
			if *mode != "" && *mode != p.mode {
				continue
			}
			for _, wrong := range s.try(p) {
				bad++
				fmt.Printf("  WRONG %s, %s %d (%s %s): %s\n", c.name, p.mode, p.n, s.ops[p.n-1].kind, s.ops[p.n-1].path, wrong)
			}
		}
		fmt.Print(s.summary())
		s.close()
	}
	if bad > 0 {
		os.Exit(1)
	}
}

// plans are those of a sweep, of every step-th call.
func (s *sweep) plans(step int) []plan {
	var out []plan
	for i, o := range s.ops {
		if i > 0 && strings.HasSuffix(o.path, "-shm") && s.ops[i-1] == o {
			continue // bytes of zero, one after another
		}
		for j, mode := range modes {
			if applies(mode, o.kind) && (i+j)%step == 0 {
				out = append(out, plan{i + 1, mode})
			}
		}
	}
	return out
}

// summary counts what became of the runs, by kind of call and way to go wrong.
func (s *sweep) summary() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d calls, %d runs\n", s.name, len(s.ops), s.runs)
	type row struct{ kind, mode string }
	var rows []row
	for r := range s.counts {
		rows = append(rows, row(r))
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(slices.Index(modes, a.mode), slices.Index(modes, b.mode)))
	})
	for _, r := range rows {
		fmt.Fprintf(&b, "  %-9s%-6s", r.kind, r.mode)
		for _, o := range outcomes {
			if n := s.counts[struct{ kind, mode string }(r)][o]; n > 0 {
				fmt.Fprintf(&b, " %s %d", o, n)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
