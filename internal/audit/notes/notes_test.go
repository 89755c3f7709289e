package notes_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/audit/notes"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func abs(name string) string {
	if runtime.GOOS == "windows" {
		return `C:\` + name
	}
	return "/" + name
}

func TestAges(t *testing.T) {
	const mine = "# Notes\r\n\r\nmy own words\r\n"
	f := notes.Parse([]byte(mine))
	f.Add(notes.Block{Time: noon, Agent: "me", Summary: "Auth analysed", Findings: []notes.Finding{
		{Claim: "checks the signature", Code: "  func Validate(t string) error {", Path: abs("auth.go"), Line: 3},
		{Claim: "quotes", Code: "s := `x`", Path: abs("auth.go"), Line: 9},
	}})
	whole := string(f.Bytes())
	want := mine + "\r\n## Findings: 2026-11-21T12:00:00Z by me: Auth analysed\r\n" +
		"- checks the signature: `func Validate(t string) error {` [" + abs("auth.go") + ":3]\r\n" +
		"- quotes: `` s := `x` `` [" + abs("auth.go") + ":9]\r\n"
	if whole != want {
		t.Fatalf("Add made %q, want %q", whole, want)
	}
	if got := f.Blocks[0].Findings[1]; got.Code != "s := `x`" || got.Claim != "quotes" || got.Line != 9 {
		t.Errorf("the finding reads back as %+v", got)
	}
	for _, tc := range []struct {
		age      time.Duration
		decayed  int
		archived int
		text     string
	}{
		{notes.ActiveFor - 1, 0, 0, want},
		{notes.ActiveFor, 2, 0, mine + "\r\n## Findings: 2026-11-21T12:00:00Z by me: Auth analysed\r\n- " + abs("auth.go") + ":3\r\n- " + abs("auth.go") + ":9\r\n"},
		{notes.DecayedFor - 1, 2, 0, mine + "\r\n## Findings: 2026-11-21T12:00:00Z by me: Auth analysed\r\n- " + abs("auth.go") + ":3\r\n- " + abs("auth.go") + ":9\r\n"},
		{notes.DecayedFor, 0, 1, mine + "\r\n"},
	} {
		f := notes.Parse([]byte(whole))
		decayed, archived := f.Decay(noon.Add(tc.age))
		if decayed != tc.decayed || len(archived) != tc.archived || string(f.Bytes()) != tc.text {
			t.Errorf("after %v: %d, %d, %q, want %d, %d, %q", tc.age, decayed, len(archived), f.Bytes(), tc.decayed, tc.archived, tc.text)
		}
		if again, more := f.Decay(noon.Add(tc.age)); again != 0 || len(more) != 0 || string(f.Bytes()) != tc.text {
			t.Errorf("after %v: a second run changes %d, %d", tc.age, again, len(more))
		}
		if tc.archived > 0 {
			if got, want := archived[0].Line(), "Auth analysed: 2 findings in 1 files"; got != want {
				t.Errorf("Line = %q, want %q", got, want)
			}
		}
	}
}

// What a person wrote between findings stays where it is, and the heading with it.
func TestAPersonsWordsStay(t *testing.T) {
	text := "intro\n## Findings: 2026-11-21T12:00:00Z by me\n- a: `b` [" + abs("x.go") + ":1]\nremember this\n- " + abs("y.go") + ":2\n## Mine\n- [ ] todo\n```\n## Findings: 2026-11-21T12:00:00Z by me\n- a: `b` [" + abs("x.go") + ":1]\n```\nno end"
	f := notes.Parse([]byte(text))
	if len(f.Blocks) != 1 || len(f.Bad) != 0 {
		t.Fatalf("%d blocks, bad %v", len(f.Blocks), f.Bad)
	}
	f.Decay(noon.Add(time.Hour))
	want := "intro\n## Findings: 2026-11-21T12:00:00Z by me\nremember this\n## Mine\n- [ ] todo\n```\n## Findings: 2026-11-21T12:00:00Z by me\n- a: `b` [" + abs("x.go") + ":1]\n```\nno end"
	if got := string(f.Bytes()); got != want {
		t.Errorf("after an hour %q, want %q", got, want)
	}
}

func TestMalformed(t *testing.T) {
	text := "## Findings: yesterday by me\n- x\n## Findings: 2026-11-21T12:00:00Z by me\n- no place\n- a: `b` [rel.go:1]\n- a: `b` [" + abs("x.go") + ":0]\n- a: `b` [" + abs("x.go") + ":7]\n## Findings:\n\xff\xfe\n"
	f := notes.Parse([]byte(text))
	var got []string
	for _, b := range f.Bad {
		got = append(got, fmt.Sprintf("%d %s", b.Line, b.Error))
	}
	for i, want := range []string{"1 \"yesterday\" is not a time", "4 the item has no place", "5 the path rel.go is not absolute", "6 lines are counted from 1", "8 the heading is not"} {
		if i >= len(got) || !strings.HasPrefix(got[i], want) {
			t.Fatalf("bad lines %q, want %q at %d", got, want, i)
		}
	}
	if len(got) != 5 || len(f.Blocks) != 1 || len(f.Blocks[0].Findings) != 1 {
		t.Errorf("%d bad, %+v", len(got), f.Blocks)
	}
	f.Decay(noon.Add(time.Hour))
	for _, line := range []string{"- x\n", "- no place\n", "[rel.go:1]\n", ":0]\n", "\xff\xfe\n"} {
		if !strings.Contains(string(f.Bytes()), line) {
			t.Errorf("%q is gone", line)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("# a\n\n## Findings: 2026-11-21T12:00:00Z by me: s\n- c: `x` [/a:1]\r\n- /a:2\nmine\n## b\n")
	f.Add("## Findings: 2026-11-21T12:00:00Z by me\n- ` [/a:1]\n```\n- /a:3")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		n := notes.Parse([]byte(text))
		if string(n.Bytes()) != text {
			t.Fatalf("Bytes = %q, want %q", n.Bytes(), text)
		}
		for _, age := range []time.Duration{0, notes.ActiveFor, notes.DecayedFor} {
			n := notes.Parse([]byte(text))
			before, heads := map[int]string{}, map[int]string{}
			for _, b := range n.Blocks {
				for _, x := range b.Findings {
					before[x.Line] = x.Path
				}
			}
			n.Decay(noon.Add(age))
			// What is left is a part of what was there: nothing is made up.
			for i, l := range strings.Split(string(n.Bytes()), "\n") {
				if l = strings.TrimRight(l, "\r"); !strings.HasPrefix(l, "- ") && !strings.Contains(text, l) {
					heads[i] = l
				}
			}
			if len(heads) > 0 {
				t.Fatalf("lines that were not there: %v", heads)
			}
			again := n.Bytes()
			if d, _ := n.Decay(noon.Add(age)); d != 0 && !bytes.Equal(again, n.Bytes()) {
				t.Fatalf("a second run changes %q to %q", again, n.Bytes())
			}
		}
	})
}

func TestWritersAtOnce(t *testing.T) {
	root, locks := t.TempDir(), t.TempDir()
	root, _ = filepath.EvalSymlinks(root)
	s := notes.Open(root, ".", locks)
	if err := os.WriteFile(s.Path(), []byte("mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for w := range 8 {
		group.Go(func() {
			s := notes.Open(root, ".", locks)
			for i := range 10 {
				err := s.Update(context.Background(), func(f *notes.File) error {
					f.Add(notes.Block{Time: noon, Agent: fmt.Sprintf("w%d", w), Summary: fmt.Sprint(i), Findings: []notes.Finding{{Path: abs("x.go"), Line: i + 1}}})
					return nil
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	f, err := s.Read()
	if err != nil || len(f.Blocks) != 80 || len(f.Bad) != 0 {
		t.Fatalf("%d blocks, %d bad, %v; want 80", len(f.Blocks), len(f.Bad), err)
	}
	if !strings.HasPrefix(string(f.Bytes()), "mine\n") {
		t.Error("what was there is gone")
	}
	if st, err := os.Stat(s.Path()); err != nil || runtime.GOOS != "windows" && st.Mode().Perm() != 0o600 {
		t.Errorf("the permissions are %v, %v", st.Mode(), err)
	}
	if entries, _ := os.ReadDir(root); len(entries) != 1 {
		t.Errorf("files are left in the project: %v", entries)
	}
}

// An editor saves the file while findings are added: both are kept.
func TestSavedMeanwhile(t *testing.T) {
	root, _ := filepath.EvalSymlinks(t.TempDir())
	s := notes.Open(root, ".", t.TempDir())
	first := true
	err := s.Update(context.Background(), func(f *notes.File) error {
		if first {
			first = false
			if err := os.WriteFile(s.Path(), []byte("saved by hand\n"), 0o644); err != nil {
				return err
			}
		}
		f.Add(notes.Block{Time: noon, Agent: "me"})
		return nil
	})
	got, _ := os.ReadFile(s.Path())
	if want := "saved by hand\n\n## Findings: 2026-11-21T12:00:00Z by me\n"; err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

func TestStoreRefuses(t *testing.T) {
	outside := t.TempDir()
	for name, make := range map[string]func(root string) (string, error){
		"link": func(root string) (string, error) {
			return ".", os.Symlink(filepath.Join(outside, "NOTES.md"), filepath.Join(root, "NOTES.md"))
		},
		"folder through a link": func(root string) (string, error) {
			return "g/loa", errors.Join(os.MkdirAll(filepath.Join(outside, "loa"), 0o755), os.Symlink(outside, filepath.Join(root, "g")))
		},
		"folder": func(root string) (string, error) { return ".", os.Mkdir(filepath.Join(root, "NOTES.md"), 0o755) },
	} {
		root, _ := filepath.EvalSymlinks(t.TempDir())
		dir, err := make(root)
		if err != nil {
			t.Skip(err)
		}
		err = notes.Open(root, dir, t.TempDir()).Update(context.Background(), func(f *notes.File) error {
			f.Add(notes.Block{Time: noon, Agent: "me"})
			return nil
		})
		if err == nil {
			t.Errorf("%s: it was written", name)
		}
	}
	if got, _ := filepath.Glob(filepath.Join(outside, "*", "*.md")); len(got) > 0 {
		t.Errorf("outside the project: %v", got)
	}
}
