package safe

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// What the kernel writes is read as os reads it, over several of its answers too.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	for i := range 1500 {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%04d-%s", i, strings.Repeat("n", i%200))), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, err := range map[string]error{
		"below": os.Mkdir(filepath.Join(dir, "below"), 0o700), "link": os.Symlink("nowhere", filepath.Join(dir, "link")),
		"pipe": unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600),
	} {
		if err != nil {
			t.Fatal(name, err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var want []Listed
	for _, e := range entries {
		want = append(want, Listed{Name: e.Name(), Mode: e.Type()})
	}
	d, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	got, err := names(d)
	slices.SortFunc(got, func(a, b Listed) int { return strings.Compare(a.Name, b.Name) })
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%d names of %d, %v", len(got), len(want), err)
	}
}

// Whatever is written, an entry is within it, and what is left is shorter.
func FuzzEntry(f *testing.F) {
	one := func(kind byte, name string) []byte {
		b := binary.NativeEndian.AppendUint16(make([]byte, 16), uint16(19+len(name)+1))
		return append(append(append(b, kind), name...), 0)
	}
	f.Add(append(one(unix.DT_REG, "a"), one(unix.DT_UNKNOWN, "b")...))
	f.Add(one(unix.DT_DIR, "a")[:19])
	f.Fuzz(func(t *testing.T, b []byte) {
		l, rest, ok := entry(b)
		if !ok {
			return
		}
		if len(rest) >= len(b) || strings.ContainsRune(l.Name, 0) || len(l.Name) > len(b) {
			t.Errorf("%+v and %d of %d bytes", l, len(rest), len(b))
		}
	})
	if l, rest, ok := entry(one(unix.DT_UNKNOWN, "b")); !ok || l != (Listed{Name: "b", Mode: fs.ModeIrregular}) || len(rest) != 0 {
		f.Errorf("%+v", l)
	}
}
