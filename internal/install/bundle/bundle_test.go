package bundle

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/assay-dev/assay/internal/base/fault"
	"github.com/assay-dev/assay/internal/install/archive"
)

// A machine is a feature with folders of its own. Its libraries are files with their names.
type machine struct {
	*Feature
	dir      string
	imported map[string]string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{dir: t.TempDir(), imported: map[string]string{}}
	m.Feature = New(Config{WorkDir: m.dir, Version: "v1", Platform: "linux/amd64", Modules: filepath.Join(m.dir, "home", "modules"), Models: filepath.Join(m.dir, "home", "models"),
		Temp: filepath.Join(m.dir, "home", "temp"), Now: func() time.Time { return time.Unix(1e9, 0) },
		Export: func(_ context.Context, id, to string) error {
			if id == "/gone/lib" {
				return fault.New(fault.NotFound, "no library %s", id).Or("assay docs list")
			}
			return os.WriteFile(to, []byte("library "+id), 0o600)
		},
		Import: func(_ context.Context, from string) ([]string, error) {
			b, err := os.ReadFile(from)
			name := strings.TrimPrefix(string(b), "library ")
			m.imported[name] = string(b)
			return []string{name}, err
		}})
	return m
}

// put writes files below the machine's folder.
func (m *machine) put(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		at := filepath.Join(m.dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// has returns the files below the machine's home.
func (m *machine) has(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(m.dir), ".", func(p string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && strings.HasPrefix(p, "home/") {
			b, err := os.ReadFile(filepath.Join(m.dir, filepath.FromSlash(p)))
			out[strings.TrimPrefix(p, "home/")] = string(b)
			return err
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return out
}

// sent makes a bundle on one machine and carries it and the public key to another.
func sent(t *testing.T) (from, to *machine, in ApplyInput) {
	t.Helper()
	from, to = newMachine(t), newMachine(t)
	if _, err := from.Keygen(t.Context(), KeygenInput{File: "key"}); err != nil {
		t.Fatal(err)
	}
	from.put(t, map[string]string{"one.lua": "return 1", "mods/a/two.lua": "return 2", "mods/a/two.yaml": "x: 1", "mods/.git/config": "no",
		"potion/model.safetensors": strings.Repeat("m", 100_000), "potion/tokenizer.json": "{}", "potion/config.json": "{}", "potion/README.md": "no", "assay": "#!program"})
	r, err := from.Bundle(t.Context(), Input{File: "air.zip", Key: "key", Docs: []string{"/a/b", "/c/d/v2"}, Modules: []string{"one.lua", "mods"}, Model: []string{"potion"}, Program: "assay"})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Items) != 9 {
		t.Errorf("it holds %+v", r.Items)
	}
	carry(t, from, to)
	return from, to, ApplyInput{File: "air.zip", Key: "key.pub"}
}

func carry(t *testing.T, from, to *machine) {
	t.Helper()
	for _, name := range []string{"air.zip", "key.pub"} {
		b, err := os.ReadFile(filepath.Join(from.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		to.put(t, map[string]string{name: string(b)})
	}
}

// What one machine bundled another has: to the byte, where it belongs, once.
func TestApply(t *testing.T) {
	_, to, in := sent(t)
	dry := in
	dry.DryRun = true
	if _, err := to.Apply(t.Context(), dry); err != nil || len(to.has(t)) != 0 || len(to.imported) != 0 {
		t.Fatalf("a dry run: %v, %v", err, to.has(t))
	}
	in.Program = "home/bin"
	r, err := to.Apply(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"modules/one.lua": "return 1", "modules/a/two.lua": "return 2", "modules/a/two.yaml": "x: 1", "models/potion/model.safetensors": strings.Repeat("m", 100_000),
		"models/potion/tokenizer.json": "{}", "models/potion/config.json": "{}", "bin/assay": "#!program"}
	got := to.has(t)
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s is %.40q, want %.40q", name, got[name], text)
		}
		delete(got, name)
	}
	if len(got) != 0 || len(to.imported) != 2 || to.imported["/c/d/v2"] == "" {
		t.Errorf("beside that there is %v; imported are %v", got, to.imported)
	}
	if st, err := os.Stat(filepath.Join(to.dir, "home", "bin", "assay")); err != nil || st.Mode().Perm()&0o111 == 0 {
		t.Errorf("the program: %v, %v", st, err)
	}
	var said strings.Builder
	if err := r.WriteText(&said, false); err != nil || !strings.Contains(said.String(), "embed.model "+filepath.Join(to.dir, "home", "models", "potion")) {
		t.Errorf("%v:\n%s", err, &said)
	}
	if r, err = to.Apply(t.Context(), in); err != nil || slices.ContainsFunc(r.Items, func(x Item) bool { return x.State != stateSame && x.State != stateImported }) {
		t.Errorf("again: %+v, %v", r, err)
	}
}

// A bundle of another key, of none or with one byte changed writes nothing.
func TestSigner(t *testing.T) {
	from, to, in := sent(t)
	refused := func(what string, in ApplyInput, kind fault.Kind) {
		t.Helper()
		_, err := to.Apply(t.Context(), in)
		if fault.KindOf(err) != kind || fault.HintOf(err) == "" && kind != fault.NotFound || len(to.has(t)) != 0 || len(to.imported) != 0 {
			t.Errorf("%s: %v (kind %d), and there is %v", what, err, fault.KindOf(err), to.has(t))
		}
	}
	other, _, _ := ed25519.GenerateKey(nil)
	refused("another key", ApplyInput{File: in.File, Key: formatPublic(other)}, fault.Negative)
	refused("no key", ApplyInput{File: in.File}, fault.Usage)
	refused("no such key", ApplyInput{File: in.File, Key: "nothing"}, fault.NotFound)
	refused("half a key", ApplyInput{File: in.File, Key: in.Key[:4] + "x"}, fault.NotFound)
	refused("no key at all", ApplyInput{File: in.File, Key: "ed25519:00"}, fault.Usage)
	whole, err := os.ReadFile(filepath.Join(from.dir, "air.zip"))
	if err != nil {
		t.Fatal(err)
	}
	for i := 40; i < len(whole); i += 97 {
		changed := bytes.Clone(whole)
		changed[i] ^= 4
		to.put(t, map[string]string{"air.zip": string(changed)})
		dry := in
		dry.DryRun = true
		if _, err := to.Apply(t.Context(), dry); err != nil { // what a zip file says twice may be wrong once
			refused("a byte changed", in, fault.KindOf(err))
		}
	}
	var unsigned bytes.Buffer
	w := archive.NewWriter(&unsigned, archive.List{})
	w.AddPart(archive.Part{Name: partModules, Kind: kind})
	if _, err := w.Add(t.Context(), "modules/x.lua", 0o644, strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	to.put(t, map[string]string{"air.zip": unsigned.String()})
	refused("no signature", in, fault.Negative)
	settings := New(Config{WorkDir: to.dir, Key: "ed25519:" + hex.EncodeToString(other)})
	if _, err := settings.Apply(t.Context(), ApplyInput{File: in.File}); fault.KindOf(err) != fault.Negative {
		t.Errorf("the key of the settings: %v", err)
	}
}

// What a signer puts into a bundle still stays below the folders that are for it.
func TestHostile(t *testing.T) {
	to := newMachine(t)
	pub, key, _ := ed25519.GenerateKey(nil)
	make := func(kind string, parts []string, names ...string) {
		var b bytes.Buffer
		w := archive.NewWriter(&b, archive.List{})
		w.Sign(key)
		for _, p := range parts {
			w.AddPart(archive.Part{Name: p, Kind: kind})
		}
		for _, n := range names {
			if _, err := w.Add(t.Context(), n, 0o777, strings.NewReader("x")); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		to.put(t, map[string]string{"air.zip": b.String()})
	}
	for what, set := range map[string]func(){
		"a backup":     func() { make("folder", []string{"notes"}, "notes/x") },
		"unknown part": func() { make(kind, []string{"hooks"}, "hooks/x") },
		"a bare part":  func() { make(kind, []string{"modules"}, "modules") },
	} {
		set()
		if r, err := to.Apply(t.Context(), ApplyInput{File: "air.zip", Key: formatPublic(pub)}); err == nil || fault.HintOf(err) == "" && fault.KindOf(err) == fault.Internal || len(to.has(t)) != 0 {
			t.Errorf("%s: %+v, %v, %v", what, r, err, to.has(t))
		}
	}
	// A link in the folder leads nowhere.
	outside := t.TempDir()
	if err := os.MkdirAll(filepath.Join(to.dir, "home", "modules"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(to.dir, "home", "modules", "a")); err != nil {
		t.Skip(err)
	}
	make(kind, []string{"modules"}, "modules/a/x.lua")
	if _, err := to.Apply(t.Context(), ApplyInput{File: "air.zip", Key: formatPublic(pub), Overwrite: true}); err == nil {
		t.Error("it writes through a link")
	}
	if list, _ := os.ReadDir(outside); len(list) != 0 {
		t.Errorf("outside there is %v", list)
	}
	if _, err := zip.OpenReader(filepath.Join(to.dir, "air.zip")); err != nil {
		t.Error(err) // other programs open it too
	}
}

// What is there and differs is replaced only if told to, and nothing is written before that is known.
func TestInTheWay(t *testing.T) {
	_, to, in := sent(t)
	to.put(t, map[string]string{"home/modules/a/two.lua": "mine"})
	if _, err := to.Apply(t.Context(), in); fault.KindOf(err) != fault.Usage || !strings.Contains(err.Error(), "two.lua") || len(to.has(t)) != 1 || len(to.imported) != 0 {
		t.Errorf("%v, and there is %v", err, to.has(t))
	}
	only := in
	only.Only = []string{"docs", "models"}
	if r, err := to.Apply(t.Context(), only); err != nil || len(r.Items) != 5 || to.has(t)["modules/a/two.lua"] != "mine" {
		t.Errorf("%+v, %v", r, err)
	}
	in.Overwrite = true
	if _, err := to.Apply(t.Context(), in); err != nil || to.has(t)["modules/a/two.lua"] != "return 2" {
		t.Errorf("%v", err)
	}
	only.Only = []string{"notes"}
	if _, err := to.Apply(t.Context(), only); fault.KindOf(err) != fault.Usage {
		t.Errorf("a part that is none: %v", err)
	}
	in.Only, in.Program = []string{"docs"}, "bin"
	if _, err := to.Apply(t.Context(), in); fault.KindOf(err) != fault.NotFound {
		t.Errorf("a program that is not asked for: %v", err)
	}
}

// What cannot be bundled is named, and leaves no archive.
func TestBundleErrors(t *testing.T) {
	m := newMachine(t)
	k, err := m.Keygen(t.Context(), KeygenInput{File: "key"})
	if err != nil {
		t.Fatal(err)
	}
	if st, err := os.Stat(k.Private); err != nil || st.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("others may read the private key: %v, %v", st, err)
	}
	if _, err := m.Keygen(t.Context(), KeygenInput{File: "key"}); fault.KindOf(err) != fault.Usage {
		t.Errorf("a key is replaced: %v", err)
	}
	m.put(t, map[string]string{"x.lua": "1", "d/x.lua": "2", "half/config.json": "{}", "there.zip": "keep"})
	for what, c := range map[string]struct {
		in   Input
		kind fault.Kind
	}{
		"nothing":       {Input{File: "a.zip", Key: "key"}, fault.Usage},
		"no key":        {Input{File: "a.zip", Modules: []string{"x.lua"}}, fault.Usage},
		"a public key":  {Input{File: "a.zip", Key: "key.pub", Modules: []string{"x.lua"}}, fault.Usage},
		"no such key":   {Input{File: "a.zip", Key: "nokey", Modules: []string{"x.lua"}}, fault.NotFound},
		"no module":     {Input{File: "a.zip", Key: "key", Modules: []string{"y.lua"}}, fault.NotFound},
		"no library":    {Input{File: "a.zip", Key: "key", Docs: []string{"/gone/lib"}}, fault.NotFound},
		"half a model":  {Input{File: "a.zip", Key: "key", Model: []string{"half"}}, fault.NotFound},
		"twice":         {Input{File: "a.zip", Key: "key", Modules: []string{"x.lua", "d"}}, fault.Usage},
		"it exists":     {Input{File: "there.zip", Key: "key", Modules: []string{"x.lua"}}, fault.Usage},
		"no platform":   {Input{File: "a.zip", Key: "key", Program: "x.lua", Platform: "../x"}, fault.Usage},
		"no such place": {Input{File: "no/a.zip", Key: "key", Modules: []string{"x.lua"}}, fault.Unavailable},
	} {
		_, err := m.Bundle(t.Context(), c.in)
		if fault.KindOf(err) != c.kind || fault.HintOf(err) == "" && c.kind == fault.Usage {
			t.Errorf("%s: %v (kind %d)", what, err, fault.KindOf(err))
		}
	}
	list, err := os.ReadDir(m.dir)
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	if want := []string{"d", "half", "key", "key.pub", "there.zip", "x.lua"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("there is %v, want %v", names, want)
	}
	if b, _ := os.ReadFile(filepath.Join(m.dir, "there.zip")); string(b) != "keep" {
		t.Error("it replaced a file")
	}
}
