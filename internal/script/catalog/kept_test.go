package catalog

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/text"
)

// What is kept of a folder never shows: whatever happens to the folder and to what is
// kept of it, a question is answered as without.
func TestKept(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	files := map[string]string{}
	for i, d := range synthetic(keptFrom + 100) {
		files[fmt.Sprintf("service%d.lua", i)] = written(i, d)
	}
	files["bad.lua"] = "\xff"
	put(t, dir, files)
	at := func(name string) string { return filepath.Join(dir, name) }
	answers := func(cache string) [][]string {
		t.Helper()
		var out [][]string
		for _, q := range []string{"rotate a secret of a gateway", "zebra crossing", "service17"} {
			c, err := (Places{Global: dir, Cache: cache}).Skim(t.Context(), q)
			if err != nil || len(c.Skipped) != 1 {
				t.Fatal(err, c.Skipped)
			}
			a, err := c.Ask(t.Context(), q, 5)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, e := range a.Entries {
				names = append(names, fmt.Sprintf("%s %.6f", e.Name, e.Score))
			}
			out = append(out, names)
		}
		return out
	}
	check := func(when string) {
		t.Helper()
		want := answers("")
		for range 2 {
			if got := answers(cache); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, want %v", when, got, want)
			}
		}
	}
	keptNow := func() map[string]record { return recall(cache, dir).had }
	check("nothing is kept")
	time.Sleep(settled + 100*time.Millisecond)
	check("all are new")
	if n := len(keptNow()); n != keptFrom+100 {
		t.Errorf("%d modules are kept", n)
	}
	// One is changed, to the same size and as if it had not been; one is gone, one new.
	info, err := os.Stat(at("service17.lua"))
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(files["service17.lua"])
	copy(text[slices.Index(text, '\n')+1:], "--- @description zebra crossing ")
	put(t, dir, map[string]string{"service17.lua": string(text), "another.lua": "--- @module assay.another\n--- @description zebra crossing guard\n"})
	if err := os.Chtimes(at("service17.lua"), time.Time{}, info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(at("service3.lua")); err != nil {
		t.Fatal(err)
	}
	check("three changed")
	time.Sleep(settled + 100*time.Millisecond)
	check("three are settled")
	if had := keptNow(); len(had) != keptFrom+100 {
		t.Errorf("%d modules are kept", len(had))
	} else if _, ok := had["service3.lua"]; ok {
		t.Error("one that is gone is kept")
	}
	// What is kept is damaged, or cannot be written.
	path := recall(cache, dir).path
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{nil, data[:len(data)/2], append(slices.Clone(data[:len(data)-9]), data[len(data)-8:]...)} {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		check("damaged")
	}
	cache = filepath.Join(path, "below a file")
	check("no place to keep it")
	if recall(cache, dir) != nil {
		t.Error("it is tried in vain")
	}
}

// What was changed just now could change again and look the same.
func TestSettled(t *testing.T) {
	words := text.NewVocabulary(termsOf)
	k := recall(t.TempDir(), "/modules")
	old := state{size: 1, changed: time.Now().Add(-time.Minute).UnixNano()}
	k.put("new.lua", state{size: 1, changed: time.Now().UnixNano()}, Fields{Name: "new"}, words)
	k.put("old.lua", old, Fields{Name: "old", Functions: "olds grow older"}, words)
	k.save(map[string]bool{})
	k = recall(filepath.Dir(k.path), "/modules")
	tally, ok := k.get("old.lua", old, newQuestion("olds"))
	if !ok || len(k.had) != 1 || tally.length != 4 || !slices.Equal(tally.fields[0].Words, []string{"old"}) || !slices.Equal(tally.fields[3].Words, []string{"old"}) {
		t.Errorf("%v, %+v", k.had, tally)
	}
}

// What has the right checksum may still be of a stranger.
func FuzzKept(f *testing.F) {
	f.Add([]byte(keptForm))
	k := kept{fresh: map[string]record{}}
	for i, name := range []string{"a.lua", "b.lua"} {
		k.put(name, state{size: 12, changed: -34}, Fields{Name: "word word", Keywords: strings.Repeat("other word ", 300*i)}, text.NewVocabulary(termsOf))
	}
	seed := encode(k.fresh)
	f.Add(seed[:len(seed)-4])
	q := newQuestion("words of others")
	f.Fuzz(func(t *testing.T, data []byte) {
		// What has no checksum is nothing: the form is what is to be tried.
		data = binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, castagnoli()))
		all := decode(data)
		again := decode(encode(all))
		if len(again) != len(all) {
			t.Fatalf("%v became %v", all, again)
		}
		for name, r := range all {
			a, _ := (&kept{had: all}).get(name, r.state, q)
			b, ok := (&kept{had: again}).get(name, r.state, q)
			if !ok || !reflect.DeepEqual(a, b) {
				t.Fatalf("%v became %v", a, b)
			}
		}
	})
}
