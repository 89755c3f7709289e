package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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

// Each mode finds what was planted, and little else.
func TestPlanted(t *testing.T) {
	modes := []string{"scan", "words", "model"}
	var b bytes.Buffer
	got, err := measure(t.Context(), options{seed: 1, verbose: true}, modes, folder(t), &b)
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range modes {
		f := got[mode]
		if f.Ghosts.hit < planted || part(f.Ghosts.hit, f.Ghosts.wrong) < .9 || part(f.Ghosts.hit, f.Ghosts.missed) < .85 || f.Shadows.hit == 0 || part(f.Shadows.hit, f.Shadows.wrong) < .95 || part(f.Shadows.hit, f.Shadows.missed) < .9 || f.Drifted.hit == 0 || f.Drifted.wrong+f.Drifted.missed > 0 {
			t.Errorf("%s: %s\n%s", mode, f, b.String())
		}
	}
}

// What is mended is resolved, and nothing else: ghosts, shadows, and signatures that
// had drifted. What a person wrote into the report stays where it was.
func TestFixed(t *testing.T) {
	var b bytes.Buffer
	if err := fixAll(t.Context(), options{seed: 1}, []string{"scan", "model"}, folder(t), &b); err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(b.String()), "\n") {
		var mode string
		var right, mended, wrong, idle, kept, notes int
		_, after, _ := strings.Cut(line, " ")
		if _, err := fmt.Sscanf(strings.Join(strings.Fields(after), " "), "%s resolved %d of %d mended, %d wrongly, %d when nothing changed; %d of %d notes kept", &mode, &right, &mended, &wrong, &idle, &kept, &notes); err != nil {
			t.Errorf("%s: %v", line, err)
		} else if right != mended || right < 10 || wrong > 0 || idle > 0 || kept != notes || notes < 8 {
			t.Error(line)
		}
	}
}
