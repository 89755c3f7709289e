package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// modules returns the folders of modules that this one requires and has.
func modules(t testing.TB, names ...string) []string {
	t.Helper()
	var out []string
	for _, name := range names {
		dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", name).Output()
		if err != nil || len(bytes.TrimSpace(dir)) == 0 {
			t.Fatalf("no module %s: %v", name, err)
		}
		out = append(out, string(bytes.TrimSpace(dir)))
	}
	return out
}

// Of 200 citations of real code none is falsely accepted and none falsely rejected;
// those that are shifted are found where they stand, and mended there.
func TestCitations(t *testing.T) {
	roots := append([]string{"../.."}, modules(t, "github.com/fsnotify/fsnotify", "github.com/yuin/goldmark", "golang.org/x/tools")...)
	var b bytes.Buffer
	got, err := citeAll(t.Context(), options{seed: 1, verbose: true}, roots, &b)
	if err != nil {
		t.Fatal(err)
	}
	if *got != (citations{total: [sorts]int{perSort, perSort, perSort, perSort}, found: perSort, moved: perSort}) {
		t.Errorf("%s", b.String())
	}
}

// So are those of a tree whose lines end as Windows ends them, in a folder that was
// reached by a link.
func TestCitationsCRLF(t *testing.T) {
	dir := folder(t)
	for name, text := range small {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(strings.ReplaceAll(text, "\n", "\r\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	var b bytes.Buffer
	got, err := citeAll(t.Context(), options{seed: 1, verbose: true}, []string{link, folder(t)}, &b)
	if err != nil {
		t.Fatal(err)
	}
	if got.accepted+got.rejected > 0 || got.found != perSort || got.moved != perSort {
		t.Errorf("%s", b.String())
	}
}

// small is a project whose documents tell the truth.
var small = map[string]string{
	"go.mod": "module mail\n\ngo 1.26\n",
	"send.go": `package mail

// SendMessage delivers a message over SMTP and retries with backoff.
func SendMessage(to string, body []byte) error { return retryDelivery(to, body, "smtp") }

func retryDelivery(to string, body []byte, protocol string) error { return nil }

// ParseHeader reads the header fields of a message.
func ParseHeader(raw []byte) map[string]string { return nil }

// FoldLine breaks long lines of a header.
func FoldLine(line string, width int) []string { return nil }
`,
	"box/box.go": `package box

// SearchIndex finds messages by words in the subject.
func SearchIndex(words []string) []int { return nil }

// ArchiveFolder keeps old messages compressed with gzip.
type ArchiveFolder struct{ gzip bool }

// SpamFilter drops messages from blocked senders.
type SpamFilter struct{ blockedSenders []string }

// MoveMessage is of no document.
func MoveMessage(from, to string) error { return nil }

// CountUnread is of no document.
func CountUnread(box string) int { return 0 }

// RenameBox is of no document.
func RenameBox(old string, now string) error { return nil }

// DropOlder is of no document.
func DropOlder(days int) {}

// QuotaLimit is the size in bytes of a mailbox.
const QuotaLimit = 1 << 20
`,
	"docs/features.md": "# Mail\n\n## Features\n\n- `SendMessage` delivers a message over SMTP and retries with backoff\n- `ParseHeader` reads the header fields of a message\n- `FoldLine` breaks long header lines\n" +
		"- `SearchIndex` finds messages by words in the subject\n- `ArchiveFolder` keeps old messages compressed with gzip\n- `SpamFilter` drops messages from blocked senders\n- `QuotaLimit` bounds the size of a mailbox in bytes\n",
}

func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range small {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
